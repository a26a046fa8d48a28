"""What every request needs: settings, storage, credentials, cookies, limits, studies in use, news."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from starlette.requests import Request

from juryrank.server.access.cookies import Cookies
from juryrank.server.access.rate_limits import Limiter
from juryrank.server.access.vault import Vault
from juryrank.server.dashboard.news import Live
from juryrank.server.dashboard.overview_cache import Overviews
from juryrank.server.settings import ServerSettings
from juryrank.server.studies.judging import Judging
from juryrank.server.studies.open_studies import OpenStudies
from juryrank.storage import Storage, open_storage


@dataclass(frozen=True, slots=True)
class Context:
    """One a process."""

    settings: ServerSettings
    storage: Storage
    vault: Vault
    open_studies: OpenStudies
    judging: Judging
    live: Live
    overviews: Overviews
    judge_limits: Limiter
    wrong: Limiter  # wrong secrets, by address

    @classmethod
    def open(cls, settings: ServerSettings, storage: Storage | None = None) -> Context:
        """Open the storage and everything on top of it."""
        storage = storage or open_storage(settings.storage)
        vault = Vault(storage)
        vault.signing_key(), vault.epoch()
        open_studies = OpenStudies(storage)
        judging = Judging(open_studies, vault)
        limits, wrong = Limiter(settings.judge_rate), Limiter(settings.wrong_rate)
        return cls(
            settings,
            storage,
            vault,
            open_studies,
            judging,
            Live(open_studies),
            Overviews(open_studies, vault),
            limits,
            wrong,
        )

    @property
    def cookies(self) -> Cookies:
        """Made anew for each use: a changed password is seen by every worker at once."""
        return Cookies(self.vault.signing_key(), epoch=self.vault.epoch())

    def link(self, request: Request | None, secret: str) -> str:
        """The address that a judge opens."""
        return f"{self.address(request)}/j/{secret}"

    def address(self, request: Request | None) -> str:
        """The server's own address as others see it."""
        if self.settings.url or request is None:
            return (self.settings.url or f"http://{self.settings.host}:{self.settings.port}").rstrip("/")
        return str(request.base_url).rstrip("/")


def context_of(request: Request) -> Context:
    return cast(Context, request.app.state.context)

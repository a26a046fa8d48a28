"""What every request needs: settings, storage, credentials, cookies, limits, studies in use, news."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from starlette.requests import Request

from juryrank.server.access.audit import AuditTrail
from juryrank.server.access.cookies import Cookies, RecentSecrets
from juryrank.server.access.rate_limits import Limiter, Networks, PasswordChecks
from juryrank.server.access.vault import Vault
from juryrank.server.crowd.arrivals import Arrivals
from juryrank.server.crowd.platforms import Platforms
from juryrank.server.crowd.retention import Retention
from juryrank.server.dashboard.board import FrozenBoards
from juryrank.server.dashboard.news import Live
from juryrank.server.dashboard.overview_cache import Overviews
from juryrank.server.files.uploads import DeadLinks, UploadLimits, Uploads
from juryrank.server.settings import ServerSettings
from juryrank.server.studies.judging import Judging
from juryrank.server.studies.models import ModelRuns, allowed_models
from juryrank.server.studies.open_links import OpenLinks, PublicPages
from juryrank.server.studies.open_studies import OpenStudies
from juryrank.server.web.connections import Health
from juryrank.storage import Storage, open_storage


@dataclass(frozen=True, slots=True)
class Context:
    """One per process."""

    settings: ServerSettings
    storage: Storage
    vault: Vault
    cookies: Cookies
    audit: AuditTrail
    passwords: PasswordChecks
    recent_secrets: RecentSecrets
    networks: Networks
    health: Health
    open_studies: OpenStudies
    open_links: OpenLinks
    public_pages: PublicPages
    boards: FrozenBoards
    uploads: Uploads
    dead_links: DeadLinks
    platforms: Platforms
    arrivals: Arrivals
    judging: Judging
    live: Live
    overviews: Overviews
    judge_limits: Limiter
    file_limits: Limiter
    strangers: Limiter  # requests without any credential, by address
    claimants: Limiter  # requests with something that looks like one, by address
    wrong: Limiter  # wrong secrets, by address
    starts: Limiter  # people who begin on an open link, by study and address
    models: ModelRuns
    retention: Retention

    @classmethod
    def open(cls, settings: ServerSettings, storage: Storage | None = None) -> Context:
        """Open the storage and everything on top of it."""
        storage = storage or open_storage(settings.storage)
        vault = Vault(storage)
        vault.forget_old_keys()
        open_studies, wrong = OpenStudies(storage), Limiter(settings.wrong_rate)
        platforms = Platforms(storage)
        arrivals = Arrivals(open_studies, vault, platforms)
        return cls(
            settings=settings,
            storage=storage,
            vault=vault,
            cookies=Cookies(vault),
            audit=AuditTrail(storage),
            passwords=PasswordChecks(vault, wrong),
            recent_secrets=RecentSecrets(storage),
            networks=Networks(storage),
            health=Health(storage),
            open_studies=open_studies,
            open_links=OpenLinks(storage),
            public_pages=PublicPages(storage),
            boards=FrozenBoards(storage),
            uploads=Uploads(storage, UploadLimits.of(settings)),
            dead_links=DeadLinks(open_studies),
            platforms=platforms,
            arrivals=arrivals,
            judging=Judging(open_studies, vault, arrivals),
            live=Live(open_studies),
            overviews=Overviews(open_studies, vault),
            judge_limits=Limiter(settings.judge_rate),
            file_limits=Limiter(settings.file_rate),
            strangers=Limiter(settings.address_rate),
            claimants=Limiter(settings.address_rate),
            wrong=wrong,
            starts=Limiter(settings.address_rate),
            models=ModelRuns(open_studies, allowed_models(settings.judges)),
            retention=Retention(open_studies, vault),
        )

    def link(self, request: Request | None, secret: str) -> str:
        """The address that a judge opens."""
        return f"{self.address(request)}/j/{secret}"

    def open_link(self, request: Request | None, code: str) -> str:
        """The address that everybody opens."""
        return f"{self.address(request)}/s/{code}"

    def address(self, request: Request | None) -> str:
        """The server's own address as others see it."""
        if self.settings.url or request is None:
            return (self.settings.url or f"http://{self.settings.host}:{self.settings.port}").rstrip("/")
        return str(request.base_url).rstrip("/")


def context_of(request: Request) -> Context:
    return cast(Context, request.app.state.context)

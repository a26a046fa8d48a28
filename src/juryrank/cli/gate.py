"""What a build takes from `juryrank rank`: the exit code, `--summary` and `--junit`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from juryrank.errors import BadInput
from juryrank.types import Ranking


@dataclass(frozen=True, slots=True)
class GateFiles:
    """Files that say how a ranking ended; `priced`: its cost is money, not a number of questions."""

    summary: Path | None = None
    junit: Path | None = None
    title: str = ""
    priced: bool = False

    def write(self, result: Ranking, problem: str | None) -> int:
        """Write the files, and say the exit code."""
        from juryrank.report import gate

        how: dict[str, Any] = {"problem": problem, "title": self.title, "cost": self._cost(result)}
        try:
            if self.summary is not None:
                with self.summary.open("a", encoding="utf-8", errors="replace") as file:
                    file.write(gate.summary(result, **how) + "\n")
            if self.junit is not None:
                self.junit.write_text(gate.junit(result, **how), encoding="utf-8", errors="replace")
        except OSError as failed:
            raise BadInput(f"{failed.filename} could not be written: {failed.strerror}") from None
        return int(gate.outcome_of(result, problem))

    def _cost(self, result: Ranking) -> float | None:
        known = [did["cost"] for did in result.details.models.values()]
        return result.cost if self.priced or (known and None not in known) else None

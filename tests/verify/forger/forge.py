"""One mutant per seed, and whether it passes although it must not."""

import random
import time
from collections import Counter
from dataclasses import dataclass, field

from juryrank.errors import BadInput
from tests.verify.forger import fields, log, result
from tests.verify.forger.documents import honest, pick
from tests.verify.forger.oracle import (
    changes_the_result,
    claims_something,
    ranker_agrees,
    redrawn,
    verdict,
)
from tests.verify.logs import reforge


@dataclass
class Tally:
    """What became of many mutants; `passed` are those that must not have."""

    seen: Counter = field(default_factory=Counter)
    passed: list = field(default_factory=list)

    @property
    def mutants(self):
        return self.seen["result"] + self.seen["kept"] + self.seen["redrawn"]

    def forge(self, seeds):
        for seed in seeds:
            rng = random.Random(f"forger {seed}")
            name = pick(rng)
            (self.forge_result if rng.random() < 0.4 else self.forge_log)(rng, name, seed)
        return self

    def forge_result(self, rng, name, seed):
        """Something else is claimed on the same log: nothing of it is true."""
        forged, true = honest(name), honest(name)
        alter = rng.choice(result.ALTERATIONS)
        alter(rng, forged)
        if not changes_the_result(forged, true):
            return self.forge_result(rng, name, seed)
        self.seen["result"] += 1
        report = verdict(forged)
        if report is not None and report.true:
            self.passed.append((seed, name, alter.__name__))
        return None

    def forge_log(self, rng, name, seed):
        """The log is another one; the forger keeps the old result, or has our own program draw up a new one."""
        forged = honest(name)
        names = []
        for _ in range(rng.choice([1, 1, 2, 3])):
            alter = rng.choice(log.ALTERATIONS)
            names.append(alter.__name__)
            try:
                alter(rng, forged)
            except (IndexError, ValueError, KeyError, TypeError, StopIteration):
                continue  # an earlier alteration left nothing to alter
        reforge(forged)
        for what, mutant in (("kept", forged), ("redrawn", redrawn(forged))):
            report = None if mutant is None else verdict(mutant)
            self.seen[what] += 1
            if report is not None and claims_something(report):
                self.seen[f"{what}, still claims"] += 1
                if not ranker_agrees(mutant, report):
                    self.passed.append((seed, name, what, names))


@dataclass
class FieldTally:
    """What became of documents made from the table of fields: none may claim too much, crash or take long."""

    seen: Counter = field(default_factory=Counter)
    passed: list = field(default_factory=list)
    crashed: list = field(default_factory=list)
    slowest: tuple = (0.0,)

    def forge(self, seeds):
        for seed in seeds:
            rng = random.Random(f"fields {seed}")
            name = pick(rng)
            forged = honest(name)
            done = fields.adversarial(rng, forged)
            self.seen.update({kind for kind, _ in done})
            try:
                reforge(forged)
            except BadInput:
                self.seen["no JSON"] += 1
                continue
            for what in ("kept", "redrawn"):
                self._try(seed, name, what, forged, done)
        return self

    def _try(self, seed, name, what, forged, done):
        began = time.process_time()
        try:
            mutant = forged if what == "kept" else redrawn(forged)
            report = None if mutant is None else verdict(mutant)
        except Exception as problem:
            self.crashed.append((seed, name, what, done, repr(problem)))
            return
        self.slowest = max(self.slowest, (time.process_time() - began, seed, name, what, done))
        self.seen["documents"] += 1
        self.seen["refused" if report is None else "true" if report.true else "false"] += 1
        if report is not None and claims_something(report):
            self.seen["still claims"] += 1
            if not ranker_agrees(mutant, report):
                self.passed.append((seed, name, what, done))

"""Rankings that last: a study is a log of events, and everything else is folded from it.

create_study(items, *, name, judges=(), ranker=None, error=0.05, storage="sqlite:///juryrank.db",
             load_if_exists=False, fresh=None, seed=None, budget=None, money=None, prices=None,
             lease=600.0, sitting_lease=3600.0, options=None, settings=None) -> Study
open_study(name, *, storage=...) -> Study          list_studies(*, storage=...) -> [StudyRow]
delete_study(name, *, storage=...)                 storage: a URL, or a Storage already open
restore_study(log, *, name, storage=...) -> Study  the same study from its raw log: a back-up, or a move

study.ask(judge=None, *, lease=..., again=False) -> Question | None     None: see study.status(judge)
study.tell(question, answer, *, side=None, judge=None, response_time=None, source=None, comment=None)
     -> Receipt(question, judge, answer, late, repeated, .notice)       on disk when it returns
study.tell_and_ask(question, *, side, judge) -> (Receipt, Question | None)   both in one write to disk
study.undo(judge)       study.undo(question=7, post_hoc=True)             study.open_questions(judge=None)
study.status(judge=None) -> Status       study.progress() -> StudyProgress       study.ranking() -> Ranking
study.certificate() -> dict              study.events(after=0) -> Event, Event, ...
study.add_judge(name, *, address=None, price=1.0, person=False) -> id
study.judge(id).pause(), resume(), remove(discard_answers=False), seat(), receipt(), set_person(name), erase(),
     put_aside(...), note_probe(...)              study.people() -> {id: Person(name, address)}
study.add_items(items, *, rows=None)     study.withdraw_items(items)
study.edit(**settings)                   study.close(reopen=False)
study.log.head() -> SignedHead, past_heads(), find_receipt(code), check(), history(), watch(), refold(ranker=...),
     seq, withdrawn, active_judges(), left_early(), gold, counts_models, expire_due(), has_overdue()
study.run(judges, concurrency=8, budget=None, ...) -> RunReport           programs answer until it is done
study.name, id, created_at, created, settings, items, judges, closed, done, storage
"""

from juryrank.storage import Person, StudyRow
from juryrank.study.archive import restore_study
from juryrank.study.catalogue import create_study, delete_study, list_studies, open_study
from juryrank.study.members import Seat
from juryrank.study.reading import JudgeRow, Receipt, StudyProgress
from juryrank.study.study import Study

__all__ = [
    "JudgeRow",
    "Person",
    "Receipt",
    "Seat",
    "Study",
    "StudyProgress",
    "StudyRow",
    "create_study",
    "delete_study",
    "list_studies",
    "open_study",
    "restore_study",
]

"""Things that answer: a judge is any callable `(left, right) -> left | right | TIE | SKIP`, sync or async.

function        your own, sync or async: needs nothing from here
CommandJudge    a program: the pair as JSON on its standard input, one word back
python_judge    `module:function`, found by its name
replayed        recorded votes, replayed
table           a recorded table: answers from a file, by the names of systems and cases
simulated       judges of known accuracy about a known order
openai, anthropic, from_file    language models (the extra `models`)
judge_named     one of these from a word such as `cmd:./ask.sh` (the command line's --judge)
"""

from juryrank.judges.command import CommandJudge
from juryrank.judges.models import ModelJudge, anthropic, from_file, openai
from juryrank.judges.named import judge_named, python_judge
from juryrank.judges.recorded import TableJudge, replayed, table
from juryrank.judges.simulated import SimulatedJudge, simulated

__all__ = [
    "CommandJudge",
    "ModelJudge",
    "SimulatedJudge",
    "TableJudge",
    "anthropic",
    "from_file",
    "judge_named",
    "openai",
    "python_judge",
    "replayed",
    "simulated",
    "table",
]

"""Systems compared on cases: a judge is shown each system's output for the case, never a name.

`case` is one case and how lists of them are read, `outputs` what the systems gave for them (a mapping, a folder, a
file), `catalogue` shows both to judges, reads their answers, and is kept by a study.
"""

from juryrank.run.cases.case import Case, read_cases
from juryrank.run.cases.catalogue import CaseCatalogue, case_catalogue
from juryrank.run.cases.outputs import Outputs, read_outputs

__all__ = ["Case", "CaseCatalogue", "Outputs", "case_catalogue", "read_cases", "read_outputs"]

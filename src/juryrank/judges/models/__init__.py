"""Language models as judges, at any endpoint that speaks one of two wire formats.

`settings` is how a judge is set up (arguments or a TOML file); `prompts` what the model is shown and how
its answer is read; `wire` the two formats, `client` one call with its retries, `money` its limits,
`cache` what was paid for before. `judge` puts them together. `probe` tries a judge out; `gold` tests it on
pairs whose better item is known.
"""

from juryrank.judges.models.judge import ModelJudge
from juryrank.judges.models.settings import ModelSettings, Price, Rate, anthropic, from_file, openai

__all__ = ["ModelJudge", "ModelSettings", "Price", "Rate", "anthropic", "from_file", "openai"]

"""Did a run stop because an AI tool's quota is used up? Read from the run's own output and exit status."""

from jobs.runtime.detect.judge import Judgement, judge
from jobs.runtime.detect.rows import ALIASES, TOOLS, cheap_words

__all__ = ["ALIASES", "TOOLS", "Judgement", "cheap_words", "judge"]

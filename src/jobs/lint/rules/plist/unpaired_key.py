"""P006: a value without a key, or a key without a value."""

from __future__ import annotations

from jobs.diagnostics import Severity
from jobs.lint.plist_job import on_faults
from jobs.lint.rule import Rule
from jobs.lint.sample import AGENT_PATH, job, times

_TWO = "<dict><key>Hour</key><integer>{}</integer><key>Minute</key><integer>0</integer></dict>"

RULE = Rule(
    code="P006",
    name="unpaired-key",
    title="Keys and values of a dictionary do not pair up",
    subject="plist",
    severity=Severity.ERROR,
    why=(
        "A dictionary holds a key and a value in turn. Two times written one after another without an array are the usual "
        "form: readers refuse the file, or take the first time only."
    ),
    bad=job(trigger=f"<key>StartCalendarInterval</key>{_TWO.format(8)}{_TWO.format(13)}"),
    good=(job(trigger=times("Hour=8 Minute=0", "Hour=13 Minute=0")),),
    check=on_faults("value-without-key", "key-without-value"),
    sources=("PropertyList-1.0.dtd, element dict", "launchd.plist(5), StartCalendarInterval"),
    example_path=AGENT_PATH,
)

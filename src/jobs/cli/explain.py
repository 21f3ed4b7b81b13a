"""`jobs explain CODE`: why a rule is there, with a bad and a good example, and a proof on this machine."""

from __future__ import annotations

import sys

import typer

from jobs.errors import Exit, UsageError

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EPILOG = """\b
Examples:
  jobsctl explain L001            what is wrong with `mkdir -p` as a lock, and what is right
  jobsctl explain L001 --prove    start it 100 times at once, here, and count
"""


@app.command(epilog=EPILOG, help="Explain a rule; --prove shows the fault of a lock with real processes.")
def explain(
    code: str = typer.Argument(..., help="A rule's code or name: L001, mkdir-p-as-lock."),
    prove: bool = typer.Option(False, "--prove", help="Show the fault on this machine (rules on locks)."),
    as_json: bool = typer.Option(False, "--json", help="Report as JSON."),
) -> int:
    """The exit status."""
    from jobs.lint.docs import page
    from jobs.lint.rules import codes, rule

    found = next((each for each in codes() if each == code.upper() or rule(each).name == code), None)
    if found is None:
        from difflib import get_close_matches

        near = get_close_matches(code.upper(), codes(), n=1)
        hint = f"did you mean {near[0]}?" if near else "`jobsctl rules` lists them"
        raise UsageError(f"there is no rule {code!r}: {hint}")
    of = rule(found)
    if prove:
        from jobs.lint.proofs import PROOFS, run

        if found not in PROOFS:
            raise UsageError(f"{found} has no proof; these have one: {', '.join(sorted(PROOFS))}")
        result = run(found)
        if as_json:
            import json

            print(json.dumps({"code": found, "shown": result.shown, "text": result.text}, ensure_ascii=False))
        else:
            sys.stdout.write(result.text)
        return Exit.OK if result.shown else Exit.FINDINGS
    if as_json:
        import json

        row = {
            "code": of.code,
            "name": of.name,
            "title": of.title,
            "severity": of.severity.word,
            "why": of.why,
        }
        print(json.dumps(row | {"bad": of.bad, "good": list(of.good)}, ensure_ascii=False, indent=2))
    else:
        sys.stdout.write(page(of))
    return Exit.OK

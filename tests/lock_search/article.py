"""The lock that this project's is compared with: a folder made by mkdir, with a file `pid` in it.

The loser reads the pid and asks `kill -0`; a dead owner's folder is removed and made anew; a folder without a pid is
believed dead when it is old.
"""

from __future__ import annotations

from tests.lock_search.automaton import Phases, Steps, end
from tests.lock_search.folder import Request


def starter(me: str, *, ownerless_is_old: bool) -> Phases:
    """One start. Time is not searched: a folder without a pid is either always old enough, or never."""
    return Phases(me, (acquire, (me, ownerless_is_old)))


def acquire(me: str, ownerless_is_old: bool) -> Steps:
    if (yield Request("link", "lock")):
        return own, (me,)
    pid = yield Request("read", "lock/pid")
    if pid is None:
        if not ownerless_is_old:
            return end, ("lost",)
    elif (yield Request("lives", pid)):
        return end, ("lost",)
    # rm -rf: what is in the folder, then the folder.
    yield Request("remove", "lock/pid")
    yield Request("rmdir", "lock")
    if (yield Request("link", "lock")):
        return own, (me,)
    return end, ("lost",)


def own(me: str) -> Steps:
    yield Request("write", "lock/pid", me)
    yield Request("hold")
    yield Request("remove", "lock/pid")
    yield Request("rmdir", "lock")
    return end, ("done",)

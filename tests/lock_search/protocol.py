"""The lock of templates/lib/lock.sh as a program for the search, whole or with a known fault in it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from tests.lock_search.automaton import Phase, Phases, Steps, end
from tests.lock_search.folder import Request


@dataclass(frozen=True, slots=True)
class Fault:
    """What a mutation of the protocol does otherwise."""

    no_second_walk: bool = False
    release_last_first: bool = False
    remove_dead_link: bool = False
    believes_living_dead: bool = False
    keeps_link_in_the_air: bool = False
    successor_not_exclusive: bool = False
    undo_while_holding: bool = False


SOUND = Fault()


def starter(me: str, *, fault: Fault = SOUND, waits: int = 0) -> Phases:
    """One start: take the lock (trying again `waits` times), hold it, give it back."""
    return Phases(me, (attempt, (me, fault, waits)))


def attempt(me: str, fault: Fault, waits: int) -> Steps:
    """One turn of the loop of l_try."""
    again: Phase = (attempt, (me, fault, waits))
    if (yield Request("link", "owner", me)):
        return hold, (me, fault)
    if not (yield Request("exists", "owner")):
        return probe, (me, fault, waits)
    chain = yield from walk()
    if chain is None:
        return again
    last = chain[-1]
    if (yield Request("lives", last)) and not fault.believes_living_dead:
        if waits > 0:
            yield Request("sleep")
            return attempt, (me, fault, waits - 1)
        return end, ("lost",)
    if fault.remove_dead_link:
        yield Request("remove", "owner")
        return again
    if fault.successor_not_exclusive:
        yield Request("write", f"after.{last}", me)
    elif not (yield Request("link", f"after.{last}", me)):
        return again
    if fault.no_second_walk:
        return hold, (me, fault)
    chain = yield from walk()
    if chain is not None and chain[-1] == me:
        if fault.undo_while_holding:
            yield Request("remove", f"after.{last}")
        return hold, (me, fault)
    if not fault.keeps_link_in_the_air:
        yield Request("remove", f"after.{last}")
    return again


def probe(me: str, fault: Fault, waits: int) -> Steps:
    """l_can_link: the owner's link was given back at this moment, or no links can be made."""
    if (yield Request("link", f"probe.{me}", "probe")):
        yield Request("remove", f"probe.{me}")
    elif not (yield Request("exists", "owner")):
        return end, ("refused",)
    return attempt, (me, fault, waits)


def walk() -> Generator[Request, Any, tuple[str, ...] | None]:
    """The IDs of the chain from `owner` on, or None without one."""
    last = yield Request("read", "owner")
    if last is None:
        return None
    chain = [last]
    while (last := (yield Request("read", f"after.{last}"))) is not None:
        chain.append(last)
    return tuple(chain)


def hold(me: str, fault: Fault) -> Steps:
    """The job runs; then l_give_back."""
    yield Request("hold")
    names = yield Request("list")
    for name in names or ("after.*",):  # a pattern that fits nothing stays as it is
        if (yield Request("exists", name)):
            break
    else:
        yield Request("remove", "owner")
        return end, ("done",)
    chain = yield from walk()
    if chain is None or chain[-1] != me:
        return end, ("done",)
    return give_back, (("owner", *(f"after.{link}" for link in chain[:-1])), fault)


def give_back(files: tuple[str, ...], fault: Fault) -> Steps:
    """The links of one's own chain, `owner` first."""
    for file in reversed(files) if fault.release_last_first else files:
        yield Request("remove", file)
    return end, ("done",)

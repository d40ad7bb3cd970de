"""The benchmarks' visitors keep the messages that a browser keeps: the server refers to them."""

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.message_cache import MessageCache
from benchmarks.upload import VisitError

PAGE, PART = "", "part"


def large(name: str, part: str = PAGE) -> ForwardMsg:
    message = ForwardMsg(hash=name)
    message.metadata.cacheable = True
    message.delta.new_element.markdown.body = name
    if part:
        message.delta.fragment_id = part
    return message


def ended(part: str = PAGE, status: int = ForwardMsg.FINISHED_SUCCESSFULLY) -> ForwardMsg:
    message = ForwardMsg(script_finished=status)  # type: ignore[arg-type] # an enumeration's number
    message.metadata.run.script_run_id = "run"
    message.metadata.run.fragment_ids.extend([part] if part else [])
    return message


def kept(*ends: ForwardMsg) -> set[str]:
    """Of a message of the page and one of a part of it, after these runs."""
    cache = MessageCache()
    for message in (large("page"), large("part", PART)):
        cache.whole(message)
    for end in ends:
        cache.end_run(end)
    return set(cache.hashes)


def test_what_no_run_needed_for_long_is_forgotten() -> None:
    assert kept(ended(), ended()) == {"page", "part"}
    assert kept(ended(), ended(), ended()) == set()


def test_runs_of_a_part_age_what_belongs_to_it_alone() -> None:
    assert kept(*[ended(PART)] * 9) == {"page"}
    assert kept(*[ended("another")] * 9) == {"page", "part"}


def test_a_run_that_was_broken_off_ages_nothing() -> None:
    assert kept(*[ended(status=ForwardMsg.FINISHED_EARLY_FOR_RERUN)] * 9) == {"page", "part"}


def test_what_is_referred_to_is_needed_and_a_miss_is_the_visitor_s_error() -> None:
    cache = MessageCache()
    cache.whole(large("page"))
    for _ in range(9):
        assert cache.whole(ForwardMsg(ref_hash="page")) == large("page")
        cache.end_run(ended())
    with pytest.raises(VisitError, match="does not have"):
        cache.whole(ForwardMsg(ref_hash="other"))

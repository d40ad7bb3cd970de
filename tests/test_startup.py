"""What a server does once, before the first visitor comes."""

from threadpoolctl import threadpool_info, threadpool_limits

from pages.shared import startup


def test_linear_algebra_keeps_to_one_thread() -> None:
    pools = threadpool_info()
    assert pools, "no library of linear algebra is loaded: nothing is tested"
    try:
        threadpool_limits(2)
        assert {pool["num_threads"] for pool in threadpool_info()} == {2}
        startup.one_thread()
        assert {pool["num_threads"] for pool in threadpool_info()} == {1}
    finally:
        threadpool_limits(1)  # as the tests have it

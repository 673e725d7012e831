"""How many threads work on a call, unless it says so itself."""

import os

from . import _arrays


def processors():
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _checked(count):
    return _arrays.integer(count, "threads", 1, 1024)


_default = None


def set_threads(count):
    """Sets how many threads calls use that do not say so themselves.

    None: the environment's SIGHTLINE_THREADS, or else the processors that this process may use.  No answer
    depends on the number.  Calls about fewer than some thousands of items stay on the calling thread.

    >>> import sightline_bvh as sightline
    >>> sightline.set_threads(2)
    >>> sightline.get_threads()
    2
    >>> sightline.set_threads(None)
    """
    global _default
    _default = None if count is None else _checked(count)


def get_threads():
    """How many threads calls use that do not say so themselves."""
    global _default
    if _default is None:
        given = os.environ.get("SIGHTLINE_THREADS") or min(processors(), 1024)
        _default = _checked(int(given) if str(given).isdecimal() else given)
    return _default


def of(threads, count=1 << 62, least=4096):
    """The threads of a call about count items."""
    if count <= least:
        if threads is not None:
            _checked(threads)
        return 1
    return get_threads() if threads is None else _checked(threads)

# SPDX-License-Identifier: Apache-2.0
"""Regions of libcollector.h for Python. Without a collector the calls do nothing.

    from libcollector import region

    with region("load"):
        ...

    @region("solve")
    def solve(): ...
"""
import contextlib
import ctypes


def _find(name, *argtypes, restype=None):
    try:
        function = getattr(ctypes.PyDLL(None), name)
    except (AttributeError, OSError):
        return None
    function.argtypes = argtypes
    function.restype = restype
    return function


_begin = _find("collector_region_begin", ctypes.c_char_p)
_next = _find("collector_region_next", ctypes.c_char_p)
_end = _find("collector_region_end")
_number = _find("collector_region_number", ctypes.c_longlong)
_text = _find("collector_region_text", ctypes.c_char_p)
_interval_begin = _find(
    "collector_interval_begin", ctypes.c_char_p, restype=ctypes.c_ulonglong
)
_interval_end = _find("collector_interval_end", ctypes.c_ulonglong)
_pause = _find("collector_pause")
_resume = _find("collector_resume")


def _bytes(name):
    return name if isinstance(name, bytes) else str(name).encode("utf-8", "replace")


def region_begin(name):
    """What this thread does up to region_end() is a region of that name."""
    if _begin:
        _begin(_bytes(name))


def region_next(name):
    """End the innermost region, and begin another one in its place."""
    if _next:
        _next(_bytes(name))


def region_end():
    if _end:
        _end()


def region_number(number):
    """Say a number of the innermost region."""
    if _number:
        _number(number)


def region_text(text):
    """Say a text of the innermost region."""
    if _text:
        _text(_bytes(text))


def interval_begin(name):
    """An interval nests in nothing; returns what interval_end() needs."""
    return _interval_begin(_bytes(name)) if _interval_begin else 0


def interval_end(interval):
    if _interval_end:
        _interval_end(interval)


def pause():
    if _pause:
        _pause()


def resume():
    if _resume:
        _resume()


class region(contextlib.ContextDecorator):
    """A region as a context, or as a decorator of a function."""

    def __init__(self, name):
        self._name = _bytes(name)

    def __enter__(self):
        region_begin(self._name)
        return self

    def __exit__(self, *exception):
        region_end()
        return False

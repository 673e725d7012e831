"""Errors: what went wrong and where."""

import re


class SightlineError(Exception):
    """What went wrong and where.

    code     the name of the library's result, such as "SL_BAD_DATA"
    message  what was found and what was expected, without the place
    file     as it was named, or None
    line     1 is the first, or None
    byte     offset from the start of the file, or None
    index    of the triangle, instance or row that is at fault, counted from 0, or None
    """

    code = "SL_INVALID_ARGUMENT"
    message = ""
    file = None
    line = None
    byte = None
    index = None

    def __init__(self, message="", *, file=None, line=None, byte=None, index=None):
        place = str(file) if file else ""
        if line:
            place += f":{line}"
        elif byte is not None and file:
            place += f", byte {byte}"
        super().__init__(f"{place}: {message}" if place else message)
        self.message = message
        self.file = file
        self.line = line
        self.byte = byte
        self.index = index

    def __str__(self):
        return str(self.args[0]) if self.args else ""

    def __reduce__(self):
        return _restore, (type(self), self.message, self.file, self.line, self.byte, self.index)


def _restore(kind, message, file, line, byte, index):
    return kind(message, file=file, line=line, byte=byte, index=index)


class InvalidArgument(SightlineError, ValueError):
    """An argument or option is not usable: its shape, dtype, value or name."""


class OutOfMemory(SightlineError, MemoryError):
    """Out of memory."""

    code = "SL_OUT_OF_MEMORY"


class NotFound(SightlineError, FileNotFoundError):
    """There is no such file."""

    code = "SL_NOT_FOUND"


class IOFailed(SightlineError, OSError):
    """Reading or writing failed."""

    code = "SL_IO"


class BadData(SightlineError, ValueError):
    """The data does not follow its format."""

    code = "SL_BAD_DATA"


class BadIndex(SightlineError, IndexError):
    """An index points outside of what it indexes."""

    code = "SL_BAD_INDEX"


class NotFinite(SightlineError, ValueError):
    """A coordinate is NaN, infinite or beyond the range of a float."""

    code = "SL_NOT_FINITE"


class Unsupported(SightlineError, NotImplementedError):
    """The format, or a feature of it, is not supported, or not by this build."""

    code = "SL_UNSUPPORTED"


class TooLarge(SightlineError, ValueError):
    """More than the documented limits allow."""

    code = "SL_TOO_LARGE"


class Cancelled(SightlineError):
    """progress returned False."""

    code = "SL_CANCELLED"


class NoThreadsLeft(SightlineError, RuntimeError):
    """A thread could not be created."""

    code = "SL_NO_THREADS_LEFT"


class MeshWarning(UserWarning):
    """A file has what the mesh has not: Mesh.notes."""


_kinds = {
    kind.code: kind
    for kind in (
        InvalidArgument, OutOfMemory, NotFound, IOFailed, BadData, BadIndex, NotFinite, Unsupported, TooLarge,
        Cancelled, NoThreadsLeft,
    )
}  # fmt: skip

# The library's messages name what is at fault as "triangle 7, ..." or "instance 3 ...".
_index = re.compile(r"\b(?:triangle|instance|vertex|range|face) (\d+)")


# It names its own functions and fields where an argument of Python's is meant.
_names = {
    r"set sl_mesh_def\.formats to sl_io_formats\(\), or ": "",
    r"\bsl_\w+_def\.": "",
    r"\bSL_BAD_LEAVE_OUT\b": "'leave_out'",
    r"\bsl_bvh_load\b": "Tree.load()",
    r"\b(near|far)_distance\b": r"\1",
}


def from_library(code, message, file, line, byte):
    """The exception for an error of the library; called by sightline_bvh._core."""
    for name, here in _names.items():
        message = re.sub(name, here, message)
    kind = _kinds.get(code, SightlineError)
    found = _index.search(message)
    return kind(
        message,
        file=file or None,
        line=line if line > 0 else None,
        byte=byte if byte >= 0 else None,
        index=int(found.group(1)) if found else None,
    )

"""Answers on disk, chunk by chunk: .npy or Zarr, with a journal of the chunks that are there.

PATH.partial is written to, PATH.journal tells what it is and which chunks are in it.  When all are, they
become PATH and PATH.done.
"""

import contextlib
import json
import math
import os
import shutil
import time
from typing import NamedTuple

import numpy as np

from ._errors import InvalidArgument, IOFailed, NotFound

try:
    import fcntl
except ImportError:  # Windows: that a second run writes to the same file is not noticed
    fcntl = None


class Stored(NamedTuple):
    """What store() has done."""

    path: str
    chunks: int
    computed: int  # of them by this call; the others were there


def _cuts(chunks):
    """Where chunks begin, briefly, as it travels with every task: (length, end) of an axis that is cut evenly."""
    cuts = []
    for lengths in chunks:
        even = all(n == lengths[0] for n in lengths[:-1]) and lengths[-1] <= lengths[0]
        cuts.append((lengths[0], sum(lengths)) if even else np.cumsum((0, *lengths)))
    return cuts


def _place(cuts, index):
    """The slices of a chunk."""
    place = []
    for cut, i in zip(cuts, index, strict=True):
        if isinstance(cut, tuple):
            length, end = cut
            place.append(slice(i * length, min((i + 1) * length, end)))
        else:
            place.append(slice(int(cut[i]), int(cut[i + 1])))
    return tuple(place)


class Npy:
    """An array in a .npy file."""

    def __init__(self, path, array):
        self.path = path
        self.shape = array.shape
        self.dtype = array.dtype
        self.cuts = _cuts(array.chunks)
        self.start = 0

    def create(self):
        """Makes the file, of its full size; the disk has room for it when this returns, where it can tell."""
        if math.prod(self.shape):
            np.lib.format.open_memmap(self.path, "w+", dtype=self.dtype, shape=self.shape)
            size = os.path.getsize(self.path)
            with open(self.path, "r+b") as file, contextlib.suppress(AttributeError):
                os.posix_fallocate(file.fileno(), 0, size)
        else:
            with open(self.path, "wb") as file:
                np.save(file, np.empty(self.shape, self.dtype))
        self.resume()

    def resume(self):
        """Goes on with a file that is there."""
        self.start = os.path.getsize(self.path) - math.prod(self.shape) * self.dtype.itemsize

    def write(self, index, block):
        """Writes a chunk: as runs of bytes, since two machines that map one page would lose what the other writes."""
        block = np.ascontiguousarray(block, self.dtype)
        if not block.size:
            return
        place = _place(self.cuts, index)
        # The axes before `whole` have to be gone through; from there on the chunk is one run.
        whole = len(self.shape)
        while whole > 0 and block.shape[whole - 1] == self.shape[whole - 1]:
            whole -= 1
        whole = max(whole - 1, 0)
        rows = block.reshape(*block.shape[:whole], -1)
        strides = [math.prod(self.shape[axis + 1 :]) for axis in range(len(self.shape))]
        base = sum(s.start * stride for s, stride in zip(place, strides, strict=True))
        try:
            file = os.open(self.path, os.O_WRONLY)
        except FileNotFoundError:
            raise NotFound(
                "a worker does not see this file: say shared=False where machines do not share a file system",
                file=self.path,
            ) from None
        try:
            for row in np.ndindex(block.shape[:whole]):
                at = base + sum(i * stride for i, stride in zip(row, strides, strict=False))
                _write(file, rows[row], self.start + at * self.dtype.itemsize)
            os.fsync(file)
        finally:
            os.close(file)

    def finish(self, path):
        """All chunks are there."""
        os.replace(self.path, path)


def _write(file, run, offset):
    left = memoryview(np.ascontiguousarray(run).view(np.uint8))
    while len(left):
        done = os.pwrite(file, left, offset)
        left, offset = left[done:], offset + done


class Zarr:
    """An array in a Zarr store; records become a group, with an array for each field."""

    def __init__(self, path, array):
        self.path = path
        self.shape = array.shape
        self.dtype = array.dtype
        self.cuts = _cuts(array.chunks)
        self.chunks = tuple(max(1, lengths[0]) for lengths in array.chunks)
        for lengths in array.chunks:
            if any(n != lengths[0] for n in lengths[:-1]) or lengths[-1] > lengths[0]:
                raise InvalidArgument(
                    f"the chunks of a Zarr array are of one size, but for the last: {lengths[:8]} are not; "
                    "rechunk() the answers"
                )

    def create(self):
        """Makes the arrays, empty."""
        zarr = _zarr()
        shutil.rmtree(self.path, ignore_errors=True)
        made = {"chunks": self.chunks, "shape": self.shape}
        if self.dtype.names is None:
            zarr.create_array(store=self.path, dtype=self.dtype, **made)
            return
        group = zarr.open_group(self.path, mode="w")
        for name in self.dtype.names:
            field = self.dtype[name]
            group.create_array(
                name, shape=made["shape"] + field.shape, chunks=made["chunks"] + field.shape, dtype=field.base
            )

    def resume(self):
        """Goes on with a store that is there."""
        _zarr()

    def write(self, index, block):
        """Writes a chunk."""
        try:
            out = _zarr().open(self.path, mode="r+")
        except FileNotFoundError:
            raise NotFound(
                "a worker does not see this store: say shared=False where machines do not share a file system",
                file=self.path,
            ) from None
        place = _place(self.cuts, index)
        if self.dtype.names is None:
            out[place] = block
            return
        for name in self.dtype.names:
            out[name][place] = block[name]

    def finish(self, path):
        """All chunks are there."""
        os.replace(self.path, path)


def _zarr():
    try:
        import zarr
    except ImportError:
        raise ImportError("a path that ends in .zarr wants Zarr 3: pip install 'zarr>=3'") from None
    if int(zarr.__version__.split(".")[0]) < 3:
        raise ImportError(f"a path that ends in .zarr wants Zarr 3, not {zarr.__version__}: pip install 'zarr>=3'")
    return zarr


# ---- The journal ----


class Journal:
    """Which chunks are there: a line that says of what, then the number of each."""

    def __init__(self, path, what):
        self.path = path
        self.done = set()
        head = json.dumps(what, sort_keys=True) + "\n"
        self.head = len(head)
        try:
            self.file = open(path, "a+", encoding="ascii", newline="\n")  # noqa: SIM115 - it stays open
        except OSError as fault:
            raise IOFailed(f"it cannot be written: {fault.strerror}", file=os.fspath(path)) from None
        try:
            self._lock()
            self.file.seek(0)
            text = self.file.read()
            lines = text.splitlines(keepends=True)
            if lines and lines[-1][-1] != "\n":  # what a kill has left
                self.file.truncate(len(text) - len(lines[-1]))
                lines.pop()
            if lines and lines[0] != head:
                self._refuse(json.loads(lines[0]), what)
            self.fresh = not lines
            if self.fresh:
                self.file.write(head)
                self.file.flush()
            self.done.update(int(line) for line in lines[1:])
            self.synced = time.monotonic()
        except BaseException:
            self.file.close()
            raise

    def _lock(self):
        if fcntl is None:
            return
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise IOFailed("another run writes these answers", file=self.path) from None
        except OSError:
            pass  # a file system without locks

    def _refuse(self, was, what):
        differs = [key for key in what if was.get(key) != what[key]]
        key = differs[0] if differs else "head"
        raise InvalidArgument(
            f"it is of other answers than these: {key} is {was.get(key)!r} there and {what.get(key)!r} here; go on with "
            "those, or start anew with overwrite=True",
            file=self.path,
        )

    def add(self, number):
        """Notes a chunk, which is on disk."""
        self.file.write(f"{number}\n")
        self.file.flush()
        self.done.add(number)
        if time.monotonic() - self.synced > 1:
            os.fsync(self.file.fileno())
            self.synced = time.monotonic()

    def restart(self):
        """Notes no chunk, as there are none."""
        self.file.truncate(self.head)
        self.done.clear()

    def finish(self, path):
        """All chunks are there: the journal keeps what they are of, under another name."""
        os.fsync(self.file.fileno())
        os.replace(self.path, path)

    def close(self):
        """Lets another run go on."""
        self.file.close()


def remove(path):
    """Removes a file or a folder, if it is there."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)

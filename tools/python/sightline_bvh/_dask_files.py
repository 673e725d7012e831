"""Tree files on the machines of a cluster: found by their path, or fetched once and kept by their hash.

A file that is shipped goes from the client to the scheduler, in pieces, and from there to each machine when
a task on it asks for the tree first.  It appears under its name, the SHA-256 of its bytes, when it is
complete, and its bytes are compared with that name by each process that opens it.  Processes of a machine
take turns, so that one of them fetches.
"""

import collections
import contextlib
import hashlib
import os
import pathlib
import threading
import time
import uuid
from typing import NamedTuple

from ._errors import BadData, IOFailed, NotFound
from ._tree import Tree

try:
    import fcntl
except ImportError:  # Windows: processes do not take turns, and each may fetch the file
    fcntl = None

PIECE = 8 << 20  # bytes that are on the way at once
_STALE = 86400  # seconds after which an upload that was left is removed
_KEPT = 8  # trees that a process keeps open


class TreeFile(NamedTuple):
    """What a task has to know of a tree."""

    sha256: str
    size: int
    triangles: int
    path: str | None  # on every machine; None: the file is shipped
    folder: str | None  # where files that are shipped are kept; None: see cache_folder()


def hash_of(path):
    """The SHA-256 of a file, and its size."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest(), os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        raise NotFound("no such file; check the name", file=os.fspath(path)) from None
    except OSError as fault:
        raise IOFailed(f"reading it failed: {fault.strerror}", file=os.fspath(path)) from None


def cache_folder(given=None):
    """Where this machine keeps files that were shipped: made if it is not there."""
    folder = given or os.environ.get("SIGHTLINE_CACHE")
    if folder:
        folder = pathlib.Path(folder)
    else:
        folder = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "sightline"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _kept(file):
    return cache_folder(file.folder) / f"{file.sha256}.slt"


def is_whole(file, path):
    """Whether a file has the bytes that it is known for."""
    try:
        return os.path.getsize(path) == file.size and hash_of(path) == (file.sha256, file.size)
    except (NotFound, FileNotFoundError):
        return False


# ---- On the scheduler ----


def wants(file):
    """Whether the scheduler's machine has to be sent the file; uploads that were left are removed."""
    for left in cache_folder(file.folder).glob("*.upload"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > _STALE:
                left.unlink()
    return not is_whole(file, _kept(file))


def put(file, upload, offset, piece):
    """Takes a piece of an upload; the last one makes it a file."""
    kept = _kept(file)
    path = kept.with_suffix(f".{upload}.upload")
    with open(path, "r+b" if offset else "wb") as out:
        out.seek(offset)
        out.write(piece)
    if offset + len(piece) == file.size:
        if not is_whole(file, path):
            path.unlink()
            raise BadData(f"what arrived is not the file with the SHA-256 {file.sha256}: ship it again")
        os.replace(path, kept)


def get(file, offset):
    """A piece of a file that was shipped."""
    try:
        with open(_kept(file), "rb") as kept:
            kept.seek(offset)
            return kept.read(PIECE)
    except FileNotFoundError:
        return None


def upload(client, file, path):
    """Sends a file to the scheduler, unless its machine has it."""
    if not client.run_on_scheduler(wants, file):
        return
    name = uuid.uuid4().hex
    with open(path, "rb") as data:
        for offset in range(0, file.size, PIECE):
            client.run_on_scheduler(put, file, name, offset, data.read(PIECE))


# ---- On the workers ----


@contextlib.contextmanager
def _turn(path):
    """One process of the machine at a time; a process that is killed gives its turn back."""
    if fcntl is None:
        yield
        return
    with open(path, "ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _fetch(file, kept):
    """Gets a file from the scheduler, piece by piece."""
    from distributed import get_client

    client = get_client()
    for left in kept.parent.glob(f"{file.sha256}.*.part"):
        if fcntl is not None:  # it is of a process that was killed
            left.unlink(missing_ok=True)
    path = kept.with_suffix(f".{uuid.uuid4().hex}.part")
    try:
        with open(path, "wb") as out:
            while out.tell() < file.size:
                piece = client.run_on_scheduler(get, file, out.tell())
                if not piece:
                    raise NotFound("the scheduler does not have this tree any more: ship it again", file=kept.name)
                out.write(piece)
        if not is_whole(file, path):
            raise BadData("what arrived from the scheduler is not this tree: ship it again", file=kept.name)
        os.replace(path, kept)
    finally:
        path.unlink(missing_ok=True)


def _local(file):
    """The path of the file on this machine; its bytes are those that are wanted."""
    if file.path is None:
        kept = _kept(file)
        with _turn(kept.with_suffix(".lock")):
            if not is_whole(file, kept):
                _fetch(file, kept)
        return kept
    found, size = hash_of(file.path)
    if (found, size) != (file.sha256, file.size):
        raise BadData(
            f"this machine has another file by this name: {size} bytes with the SHA-256 {found[:16]}..., where the "
            f"client has {file.size} with {file.sha256[:16]}...; put the same file on all machines, or ship the tree",
            file=file.path,
        )
    return file.path


_trees = collections.OrderedDict()
_opening = threading.Lock()


def opened(file):
    """The tree, mapped: once in each process, with pages that all processes of the machine share."""
    with _opening:
        tree = _trees.get(file.sha256)
        if tree is None:
            # The client has proven the tree, and these are its bytes.
            tree = Tree.map(_local(file), trusted=True)
            _trees[file.sha256] = tree
            while len(_trees) > _KEPT:
                _trees.popitem(last=False)
        _trees.move_to_end(file.sha256)
        return tree


def forget(file):
    """Removes a file that was shipped from this machine; processes that have mapped it keep it until they end."""
    with _opening:
        _trees.pop(file.sha256, None)
    _kept(file).unlink(missing_ok=True)

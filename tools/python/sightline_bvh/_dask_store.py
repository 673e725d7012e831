"""Answers of a cluster to disk, a few chunks at a time, and where a run was stopped on from there."""

import contextlib
import itertools
import os
import uuid

import dask
import dask.array as da
import dask.optimization
import distributed
import numpy as np

from . import _dask_sinks, _progress
from ._dask_sinks import Stored
from ._errors import Cancelled, InvalidArgument

try:
    from dask._task_spec import Alias
except ImportError:  # Dask before the end of 2024 makes none
    Alias = ()


def _write(block, *, sink, block_id):
    """A chunk becomes a note that it is written."""
    sink.write(block_id, block)
    return np.ones((1,) * block.ndim, np.uint8)


def _itself(block):
    return block


def _sink(path, partial, array):
    if path.endswith(".npy"):
        return _dask_sinks.Npy(partial, array)
    if path.endswith(".zarr"):
        return _dask_sinks.Zarr(partial, array)
    raise InvalidArgument("a path that ends in .npy or .zarr is wanted", file=path)


def _tasks(array, sink, shared):
    """The graph of what is computed, and the key of each chunk in it.

    Blocks that follow one another are one task.  The name that Dask gives to its result would be a task of its
    own for each chunk, as dear as the first one; it is passed over.

    Keys are this call's own: those of an earlier one may still be being cancelled, and would be cancelled here, too.
    """
    name = f"store-{uuid.uuid4().hex}"
    if shared:
        ones = tuple((1,) * len(lengths) for lengths in array.chunks)
        array = array.map_blocks(
            _write, sink=sink, chunks=ones, dtype=np.uint8, meta=np.empty((0,) * array.ndim, np.uint8), name=name
        )
    else:
        array = array.map_blocks(_itself, dtype=array.dtype, meta=array._meta, name=name)
    (array,) = dask.optimize(array)
    graph = dict(array.__dask_graph__())
    keys = list(dask.core.flatten(array.__dask_keys__()))
    for i, key in enumerate(keys):
        while isinstance(graph[keys[i]], Alias):
            keys[i] = graph[keys[i]].target
    return graph, keys


def _in_turn(client, tasks, todo, ahead, retries, wanted):
    """(number, what came) of each chunk, as they are done; no more than `ahead` are on the way at once.

    wanted  what came is fetched; else it is None, as a worker's word that the chunk is done is enough
    """
    graph, keys = tasks
    asked, left = {}, iter(todo)  # futures and numbers, by key
    done = distributed.as_completed(with_results=wanted)

    def submit(count):
        more = list(itertools.islice(left, count))
        if not more:
            return
        names = [keys[number] for number in more]
        part, _ = dask.optimization.cull(graph, names)
        futures = client.get(part, names, sync=False, retries=retries)
        asked.update((future.key, (future, number)) for future, number in zip(futures, more, strict=True))
        done.update(futures)

    try:
        submit(ahead)
        while asked:
            future, result = next(done) if wanted else (next(done), None)
            if not wanted and future.status != "finished":
                future.result()  # raises what the task has raised
            yield asked[future.key][1], result
            del asked[future.key], future, result
            if len(asked) <= ahead // 2:
                submit(ahead - len(asked))
    finally:
        # Also one that has failed: the cluster would remember that it has, and not try it again.
        client.cancel([future for future, _ in asked.values()])


def _finished(path, what, count):
    """Whether an earlier run has written all of this; other answers there are an error."""
    if not os.path.exists(path):
        return False
    if os.path.exists(path + ".done"):
        _dask_sinks.Journal(path + ".done", what).close()
        return True
    if os.path.exists(path + ".journal") and not os.path.exists(path + ".partial"):
        # A run was killed between its two last steps.
        with contextlib.closing(_dask_sinks.Journal(path + ".journal", what)) as journal:
            if len(journal.done) == count:
                journal.finish(path + ".done")
                return True
    raise InvalidArgument("it exists, and no .done beside it says what it is: overwrite=True replaces it", file=path)


def store(
    array, path, *, client=None, shared=True, identity=None, overwrite=False, ahead=None, retries=2, progress=None
):
    """Computes a dask array chunk by chunk into PATH, which ends in .npy or .zarr: Stored.

    shared    workers see PATH by this name and write to it; False: chunks come to the client, which writes them
    identity  a string that says what is computed; None: the name of the array, which Dask makes of all that the
              array depends on, where it can.  A run that was stopped is gone on with by one of equal identity
    overwrite replaces what is there, instead of going on with it
    ahead     chunks on the way at once; None: 1024, or twice the threads of the cluster where the client writes
    retries   how often a chunk whose task raised is tried again; those of lost workers are in any case
    progress  a function of (phase, fraction), a tqdm bar, or True

    PATH appears when it is complete.  Until then there are PATH.partial and PATH.journal, which says what it is
    and which chunks are there: call store() again after whatever has stopped it, and only the others are computed.
    PATH.done stays, so that a run that is started again knows that nothing is left to do.

    .npy is the whole array in one file, of which chunks along the first axis are one write each.  .zarr has a
    chunk for each of the array's; records become a group with an array for each field, as Zarr then needs to
    know nothing of records.  Memory: the chunks that are being computed, wherever they are.

    Raises InvalidArgument where PATH or its journal is of other answers; IOFailed while another run writes; and
    what tasks raise.
    """
    path = os.path.abspath(os.fsdecode(path))
    if not isinstance(array, da.Array):
        raise InvalidArgument(f"store() takes a dask array, not {type(array).__name__}")
    if any(np.isnan(n) for n in array.shape):
        raise InvalidArgument("the array has chunks of unknown size: call its compute_chunk_sizes() first")
    client = client or distributed.get_client()
    sink = _sink(path, path + ".partial", array)
    what = {
        "identity": array.name if identity is None else str(identity),
        "shape": list(array.shape),
        "dtype": str(array.dtype.descr if array.dtype.names else array.dtype.str),
        "chunks": dask.base.tokenize(array.chunks),
    }
    if overwrite:
        for ending in ("", ".done", ".partial", ".journal"):
            _dask_sinks.remove(path + ending)
    count = int(np.prod(array.numblocks))
    if _finished(path, what, count):
        return Stored(path, count, 0)
    journal = _dask_sinks.Journal(path + ".journal", what)
    with contextlib.closing(journal):
        if journal.fresh or not os.path.exists(sink.path):
            journal.restart()
            sink.create()
        else:
            sink.resume()
        todo = [number for number in range(count) if number not in journal.done]
        if ahead is None:
            ahead = 1024 if shared else 2 * sum(client.nthreads().values())
        _progress.run(
            progress,
            count,
            lambda report: _run(client, array, sink, shared, journal, todo, max(1, ahead), retries, report),
        )
        sink.finish(path)
        journal.finish(path + ".done")
    return Stored(path, count, len(todo))


def _run(client, array, sink, shared, journal, todo, ahead, retries, report):
    tasks = _tasks(array, sink, shared)
    with contextlib.closing(_in_turn(client, tasks, todo, ahead, retries, not shared)) as results:
        for number, result in results:
            if not shared:
                sink.write(np.unravel_index(number, array.numblocks), result)
            journal.add(number)
            if report is not None and report("store", len(journal.done) / len(tasks[1])) is False:
                raise Cancelled("progress returned False")

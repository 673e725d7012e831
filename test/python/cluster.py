#!/usr/bin/env python3
"""cluster.py: a Dask cluster on two machines that are network namespaces, one of whose workers is killed.

    python3 cluster.py [--rays N] [--scaling N] [--houses N] [--chunk N] [--folder FOLDER] [--plain]

A scheduler and two workers run in one namespace, two workers in the other, each with a folder of its own for trees,
so that each "machine" fetches the tree; results go to a file that all of them see.  Namespaces want root and
iproute2; without them, or with --plain, they are processes of this machine, with the same two folders.
Prints

  * rays a second of 1, 2 and 4 workers, on --scaling rays
  * the same with --rays rays on 4 workers, of which one is killed (SIGKILL) in the middle
  * whether the answers have the bytes of one process that was asked without Dask: 1 is returned if not
  * the most memory that each process has taken

With --memory one process asks --rays rays, and prints the most memory that it has taken.

Rays are made by the tasks, from their numbers.  Nothing leaves the machine; namespaces are removed in the end.
"""

import argparse
import hashlib
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import numpy as np

import sightline_bvh as sightline

ADDRESSES = ("192.0.2.1", "192.0.2.2")  # TEST-NET-1: for documentation and tests


# ---- The town and its rays ----


def town(houses):
    """Boxes on a ground: 12 triangles each, in blocks with streets between them, of different heights."""
    side = max(1, int(np.ceil(np.sqrt(houses))))
    random = np.random.default_rng(17)
    at = np.stack(np.divmod(np.arange(houses), side), axis=1) * 20.0
    low = np.concatenate([at + random.uniform(2, 5, (houses, 2)), np.zeros((houses, 1))], axis=1)
    high = np.concatenate([at + random.uniform(12, 18, (houses, 2)), random.gamma(3, 5, (houses, 1)) + 3], axis=1)
    corner = np.array([[i & 1, i >> 1 & 1, i >> 2] for i in range(8)], bool)
    vertices = np.where(corner[None], high[:, None], low[:, None]).reshape(-1, 3)
    sides = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    box = np.array([t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))])
    faces = (8 * np.arange(houses)[:, None, None] + box).reshape(-1, 3)
    edge = 20.0 * side
    ground = np.array([[0, 0, 0], [edge, 0, 0], [edge, edge, 0], [0, edge, 0]])
    faces = np.concatenate([faces, len(vertices) + np.array([[0, 1, 2], [0, 2, 3]])])
    return sightline.Mesh(np.concatenate([vertices, ground]), faces), edge


def rays(first, count, edge):
    """Rays `first` and those that follow: between the roofs, in all directions that a lidar or a window looks."""
    bits = np.random.PCG64(17).advance(2 * first).random_raw(2 * count).reshape(count, 2)
    out = np.empty((count, 6), np.float32)
    low, most = np.array([0, 0, 0.5]), np.array([edge, edge, 60.0])
    for axis in range(3):
        part = bits >> np.uint64(21 * axis) & np.uint64((1 << 21) - 1)
        unit = part.astype(np.float64) / (1 << 21)
        out[:, axis] = low[axis] + unit[:, 0] * (most[axis] - low[axis])
        out[:, 3 + axis] = unit[:, 1] - 0.5
    return out


def chunk_of_rays(edge, block_info):
    """The rays of a chunk."""
    first, end = block_info[None]["array-location"][0]
    return rays(first, end - first, edge)


# ---- Processes and namespaces ----


def ip(*words, check=True):
    return subprocess.run(["ip", *words], check=check, capture_output=True, text=True)


def impossible():
    """Why this cannot run here; None: it can."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return "network namespaces want root"
    if shutil.which("ip") is None:
        return "network namespaces want `ip`, of iproute2"
    name = f"sl-try-{os.getpid()}"
    made = ip("netns", "add", name, check=False)
    if made.returncode != 0:
        return f"this kernel or container makes no network namespaces: {made.stderr.strip()}"
    ip("netns", "del", name)
    return None


class Machines:
    """Two namespaces, with a cable between them."""

    def __init__(self):
        self.addresses = ADDRESSES
        self.port = 8786
        self.names = [f"sl-{os.getpid()}-{i}" for i in range(2)]
        try:
            for name in self.names:
                ip("netns", "add", name)
            ends = [f"slv{os.getpid() % 100000}{i}" for i in "ab"]
            ip("link", "add", ends[0], "netns", self.names[0], "type", "veth", "peer", ends[1], "netns", self.names[1])
            for name, end, address in zip(self.names, ends, ADDRESSES, strict=True):
                ip("-n", name, "addr", "add", f"{address}/24", "dev", end)
                ip("-n", name, "link", "set", end, "up")
                ip("-n", name, "link", "set", "lo", "up")
        except BaseException:
            self.remove()
            raise

    def remove(self):
        for name in self.names:
            ip("netns", "del", name, check=False)


class NoMachines:
    """Processes of this machine, instead."""

    def __init__(self):
        self.addresses = ("127.0.0.1", "127.0.0.1")
        self.names = None
        with socket.socket() as free:
            free.bind((self.addresses[0], 0))
            self.port = free.getsockname()[1]

    def remove(self):
        pass


class Processes:
    """What runs in the namespaces, by name."""

    def __init__(self, machines, folder):
        self.machines = machines
        self.folder = folder
        self.running = {}

    def start(self, name, machine, *words):
        cache = self.folder / f"machine{machine + 1}"
        environment = {**os.environ, "SIGHTLINE_CACHE": str(cache), "SIGHTLINE_THREADS": "1", "OMP_NUM_THREADS": "1"}
        names = self.machines.names
        command = [*(["ip", "netns", "exec", names[machine]] if names else []), sys.executable, *words]
        with open(self.folder / f"{name}.log", "w") as log:
            self.running[name] = subprocess.Popen(
                command, env=environment, stdout=log, stderr=subprocess.STDOUT, cwd=self.folder
            )
        return self.running[name]

    def scheduler(self):
        words = ["--host", self.machines.addresses[0], "--port", str(self.machines.port), "--no-dashboard", "--no-show"]
        self.start("scheduler", 0, "-m", "distributed.cli.dask_scheduler", *words)

    def worker(self, number):
        machine = number % 2
        words = ["--host", self.machines.addresses[machine], "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        words += ["--name", f"worker{number}", "--local-directory", str(self.folder / f"scratch{number}")]
        self.start(f"worker{number}", machine, "-m", "distributed.cli.dask_worker", self.address(), *words)

    def address(self):
        return f"tcp://{self.machines.addresses[0]}:{self.machines.port}"

    def stop(self, *names):
        for name in names or list(self.running):
            process = self.running.pop(name)
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def peak_of(pid):
    """The most memory that a process has taken, in MB: all of it, and without what is mapped from files."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    now = {key: int(fields[key].split()[0]) / 1024 for key in ("VmHWM", "RssFile") if key in fields}
    return f"{now['VmHWM']:.0f} MB ({now['RssFile']:.0f} MB of them pages of files)"


# ---- The client, in the first namespace ----


def client_main(options):
    import dask.array as da
    import distributed

    import sightline_bvh.dask

    folder = options.folder
    client = distributed.Client(options.client, timeout=60)
    client.wait_for_workers(options.workers, timeout=120)
    tree = sightline.dask.Tree.ship(folder / "town.slt", client=client)
    chunks = da.core.normalize_chunks((options.chunk, -1), (options.rays, 6))
    asked = da.map_blocks(
        chunk_of_rays, options.edge, chunks=chunks, dtype=np.float32, meta=np.empty((0, 0), np.float32)
    )
    # What comes once, loading libraries and fetching the tree, is not measured.
    everywhere = client.scheduler_info(n_workers=-1)["workers"]
    client.gather([client.submit(triangles_of, tree.file, workers=[w], pure=False) for w in everywhere])
    killed = []

    def watch(phase, share):
        if options.kill and share >= 0.5 and not killed:
            killed.append(options.kill)
            os.kill(options.kill, 9)
            print(f"at {share:.0%} worker3 is killed", flush=True)

    begin = time.perf_counter()
    stored = sightline.dask.store(tree.closest(asked), folder / options.out, client=client, progress=watch)
    seconds = time.perf_counter() - begin
    print(f"{options.workers} workers: {options.rays / seconds / 1e6:.3f} million rays/s ({seconds:.1f} s)", flush=True)
    print(f"    {stored.computed} chunks; client: {peak_of('self')}", flush=True)
    client.close()


def triangles_of(file):
    """Loads what tasks need on a worker, and opens a tree."""
    import sightline_bvh.dask
    from sightline_bvh import _dask_files

    return len(_dask_files.opened(file))


# ---- The same without Dask ----


def serial(tree, count, edge, step, told=()):
    """The SHA-256 of all answers, with one thread and in constant memory, and how long it took.

    told  after how many rays the most memory so far is printed
    """
    digest = hashlib.sha256()
    begin = time.perf_counter()
    for first in range(0, count, step):
        if first in told:
            print(f"    after {first} rays: {peak_of('self')}", flush=True)
        hits = tree.closest(rays(first, min(step, count - first), edge), threads=1)
        digest.update(hits.array.data.cast("B") if hits.array.dtype.names is None else hits.array.view(np.uint8).data)
    return digest.hexdigest(), time.perf_counter() - begin


def hash_of_npy(path, count):
    """The SHA-256 of the answers in a file."""
    with open(path, "rb") as file:
        file.seek(os.fstat(file.fileno()).st_size - count * sightline.HIT.itemsize)
        return hashlib.file_digest(file, "sha256").hexdigest()


# ---- All of it ----


def ask_cluster(processes, options, workers, count, out, kill=None):
    words = ["--client", processes.address(), "--workers", str(workers), "--rays", str(count), "--chunk", str(options.chunk)]
    words += ["--edge", repr(options.edge), "--folder", str(options.folder), "--out", out]
    if kill is not None:
        words += ["--kill", str(kill)]
    client = processes.start("client", 0, os.path.abspath(__file__), *words)
    status = client.wait()
    processes.running.pop("client")
    print((options.folder / "client.log").read_text(), end="", flush=True)
    if status != 0:
        sys.exit(f"the client failed; logs are in {options.folder}")


def compare(options, tree, count, *files):
    """Whether files have the bytes of one process; says so, and removes them."""
    wanted, seconds = serial(tree, count, options.edge, options.chunk)
    print(f"without Dask: {count / seconds / 1e6:.3f} million rays/s ({seconds:.1f} s), one thread, hashing included")
    print(f"    SHA-256 of {count} answers: {wanted[:16]}...; this process: {peak_of('self')}", flush=True)
    same = True
    for file in files:
        found = hash_of_npy(options.folder / file, count)
        print(f"    {file}: {found[:16]}..., {'the same' if found == wanted else 'NOT THE SAME'}", flush=True)
        same = same and found == wanted
        os.unlink(options.folder / file)
    return same


def memory(options):
    """Asks all rays in one process, chunk by chunk, and says how much memory that takes."""
    mesh, edge = town(options.houses)
    tree = sightline.Tree(mesh, keep_mesh=False)
    del mesh
    print(f"{len(tree)} triangles, chunks of {options.chunk} rays; before the first: {peak_of('self')}", flush=True)
    told = [options.chunk * n for n in (1, 10, 100)]
    digest, seconds = serial(tree, options.rays, edge, options.chunk, told)
    print(f"    after {options.rays} rays: {peak_of('self')}; {options.rays / seconds / 1e6:.2f} million rays/s")
    print(f"    SHA-256 of the answers: {digest[:16]}...")


def run(options):
    reason = "--plain" if options.plain else impossible()
    if reason is not None:
        print(f"without network namespaces: {reason}", flush=True)
    machines = Machines() if reason is None else NoMachines()
    processes = Processes(machines, options.folder)
    try:
        mesh, options.edge = town(options.houses)
        tree = sightline.Tree(mesh, keep_mesh=False)
        tree.save(options.folder / "town.slt")
        print(
            f"{len(tree)} triangles, a tree file of {(options.folder / 'town.slt').stat().st_size / 1e6:.1f} MB",
            flush=True,
        )
        processes.scheduler()
        started = 0
        for workers in (1, 2, 4):
            while started < workers:
                processes.worker(started)
                started += 1
            ask_cluster(processes, options, workers, options.scaling, f"scaling{workers}.npy")
        same = compare(options, tree, options.scaling, *(f"scaling{workers}.npy" for workers in (1, 2, 4)))
        ask_cluster(processes, options, 4, options.rays, "hits.npy", kill=processes.running["worker3"].pid)
        processes.running.pop("worker3").wait()
        for name, process in processes.running.items():
            print(f"    {name}: {peak_of(process.pid)}")
        processes.stop()
        for machine in (1, 2):
            held = sorted(p.name[:12] for p in (options.folder / f"machine{machine}").glob("*.slt"))
            print(f"    machine {machine} has the tree as {held}", flush=True)
        return compare(options, tree, options.rays, "hits.npy") and same
    finally:
        processes.stop()
        machines.remove()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rays", type=int, default=4_000_000)
    parser.add_argument("--scaling", type=int, default=2_000_000)
    parser.add_argument("--houses", type=int, default=20_000)
    parser.add_argument("--chunk", type=int, default=250_000)
    parser.add_argument("--memory", action="store_true", help="no cluster: one process, chunk by chunk, and its memory")
    parser.add_argument("--plain", action="store_true", help="no namespaces: processes of this machine")
    parser.add_argument("--folder", type=pathlib.Path, help="for the tree, the answers and logs; a temporary one")
    for name, kind in (("client", str), ("workers", int), ("edge", float), ("out", str), ("kill", int)):
        parser.add_argument(f"--{name}", help=argparse.SUPPRESS, type=kind)
    options = parser.parse_args()
    if options.client:
        client_main(options)
        return 0
    if options.memory:
        memory(options)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        options.folder = (options.folder or pathlib.Path(folder)).absolute()
        options.folder.mkdir(exist_ok=True)
        return 0 if run(options) else 1


if __name__ == "__main__":
    sys.exit(main())

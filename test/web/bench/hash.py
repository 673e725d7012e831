"""The hashes of hash.mjs by the Python package: see there."""

import hashlib
import pathlib
import sys

import numpy as np
import sightline_bvh as sightline

folder, *files = map(pathlib.Path, sys.argv[1:])
for file in files:

    def read(part, dtype):
        return np.fromfile(folder / f"{file.stem}.{part}", dtype).reshape(-1, 3)

    tree = sightline.Tree(read("position", np.float32), read("index", np.uint32))
    hits = tree.closest(read("origins", np.float32), read("dirs", np.float32))
    rows = np.asarray(hits)

    def hash_of(*arrays):
        return hashlib.sha256(b"".join(arrays)).hexdigest()[:16]

    answers = hash_of(*(rows[name].tobytes() for name in ("t", "u", "v", "prim", "flags")))
    found = np.count_nonzero(rows["prim"] != 0xFFFFFFFF)
    print(f"{file.name} native {len(rows)} rays, {found} hits: {answers}, tree {hash_of(tree.to_bytes())}")

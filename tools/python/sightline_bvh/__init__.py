"""sightline_bvh: what rays hit, what is nearest, what is inside, on triangle meshes, exactly.

Hit or miss, which triangle and how many are what exact arithmetic says about the numbers; t, u and v are exact,
rounded once.  Arrays of any leading shape go in, and arrays of that shape come out.

>>> import numpy as np, sightline_bvh as sightline
>>> tree = sightline.Tree(sightline.sphere(32))
>>> hits = tree.closest(np.zeros((2, 3), np.float32), np.array([[0, 0, 1], [1, 0, 0]], np.float32))
>>> hits.t
array([1., 1.], dtype=float32)

float32 is traced in floats; everything else in doubles, so that nothing is rounded on the way.
"""

from . import _core
from ._camera import Camera
from ._contact import RELATIONS, Curves, Solids
from ._errors import (
    BadData, BadIndex, Cancelled, InvalidArgument, IOFailed, MeshWarning, NotFinite, NotFound, NoThreadsLeft,
    OutOfMemory, SightlineError, TooLarge, Unsupported,
)  # fmt: skip
from ._image import colour_map, write_png
from ._mesh import Attribute, Mesh, Note, Part, Report, Welded, grid, load, loads, soup, sphere, torus
from ._records import (
    ATTRIBUTES, CLASH, CONTACT, DISTANCE, FAULT, FAULT_KINDS, HIT, HIT_BACK, HIT_D, HIT_EDGE, HIT_VERTEX, INSIDE, NEAREST, NEAREST_D, NONE,
    NOTE_KINDS, PAIR, RAY, RAY_D, REF, SURFACE, SURFACE_D, Clashes, Contacts, Distances, Hits, Inside, Nearest, Pairs,
    Ragged, Records, Surface,
)  # fmt: skip
from ._scene import Instance, Scene
from ._threads import get_threads, set_threads
from ._tree import Tree, TreeInfo

__version__ = _core.VERSION


def features():
    """What this build has: "gltf" and "gzip" (it was made with libjansson and zlib) and "free_threaded".

    >>> import sightline_bvh as sightline
    >>> sorted(sightline.features())
    ['free_threaded', 'gltf', 'gzip']
    """
    return {"gltf": bool(_core.IO), "gzip": bool(_core.IO), "free_threaded": bool(_core.FREE_THREADED)}


__all__ = [
    "ATTRIBUTES", "CLASH", "CONTACT", "DISTANCE", "FAULT", "FAULT_KINDS", "HIT", "HIT_BACK", "HIT_D", "HIT_EDGE", "HIT_VERTEX", "INSIDE", "NEAREST",
    "NEAREST_D", "NONE", "NOTE_KINDS", "PAIR", "RAY", "RAY_D", "REF", "RELATIONS", "SURFACE", "SURFACE_D", "Attribute", "BadData",
    "BadIndex", "Camera", "Cancelled", "Clashes", "Contacts", "Curves", "Distances", "Hits", "IOFailed", "Inside", "Instance", "InvalidArgument", "Mesh",
    "MeshWarning", "Nearest", "NoThreadsLeft", "NotFinite", "NotFound", "Note", "OutOfMemory", "Pairs", "Part", "Ragged", "Records", "Report", "Scene", "SightlineError", "Solids",
    "Surface", "TooLarge", "Tree", "TreeInfo", "Unsupported", "Welded", "colour_map", "features", "get_threads",
    "grid", "load", "loads", "set_threads", "soup", "sphere", "torus", "write_png",
]  # fmt: skip

# The public names are those of this package, in messages, pickles and documentation.
for _name in __all__:
    if hasattr(globals()[_name], "__module__"):
        globals()[_name].__module__ = "sightline_bvh"
del _name

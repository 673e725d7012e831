"""Meshes, hits, misses and distances as colours, drawn by matplotlib or pyvista, whichever is named.

Every function draws on `on`, what a function before it returned, or on something new, and returns it: the 3D axes of
matplotlib, or pyvista's Plotter.  backend names what is drawn with, and is looked at where on is None.

    import sightline_bvh as sightline, sightline_bvh.plot as plot
    tree = sightline.Tree(sightline.sphere(16))
    axes = plot.mesh(tree, values=tree.bake("ao"))
    plot.rays(tree, origins, directions, on=axes)
    axes.figure.savefig("rays.png")

matplotlib sorts triangles by their distance and not by pixels, so it is for some ten thousand triangles; Tree.render
and pyvista are for more.  Errors: ImportError where the backend is not installed, which says what to install;
InvalidArgument for shapes and names.
"""

import numpy as np

from . import _arrays
from ._errors import InvalidArgument
from ._image import colour_map
from ._mesh import Mesh
from ._records import NONE
from ._scene import Scene

__all__ = ["distances", "mesh", "rays"]

BACKENDS = ("matplotlib", "pyvista")
_CLAY = (200, 172, 148)
_HIT, _MISS = (222, 74, 60), (120, 130, 145)


def _new(backend):
    if backend == "matplotlib":
        try:
            from matplotlib.figure import Figure
        except ImportError as fault:
            raise ImportError("sightline_bvh.plot draws with matplotlib: pip install matplotlib") from fault
        axes = Figure(figsize=(8, 6)).add_axes((0, 0, 1, 1), projection="3d")
        axes.set_axis_off()
        return axes
    if backend == "pyvista":
        try:
            import pyvista
        except ImportError as fault:
            raise ImportError("sightline_bvh.plot with backend 'pyvista' draws with it: pip install pyvista") from fault
        return pyvista.Plotter(off_screen=True)
    raise InvalidArgument(f"backend is one of {', '.join(BACKENDS)}, not {backend!r}")


def _canvas(on, backend):
    """What is drawn on, and whether it is of matplotlib."""
    on = _new(backend) if on is None else on
    return on, hasattr(on, "add_collection3d")


def _fit(axes, points):
    """The axes show what they have and the points, without distortion."""
    points = points[np.isfinite(points).all(axis=1)]
    if not len(points):
        return
    if axes.has_data() and hasattr(axes, "_sightline"):
        points = np.concatenate([points, axes._sightline])
    low, high = points.min(axis=0), points.max(axis=0)
    axes._sightline = np.stack([low, high])
    for set_limits, a, b in zip((axes.set_xlim, axes.set_ylim, axes.set_zlim), low, high, strict=True):
        set_limits(a, b if b > a else a + 1e-6)
    axes.set_box_aspect(np.maximum(high - low, 1e-3 * (high - low).max() or 1.0), zoom=1.25)


def _mesh_of(what):
    if isinstance(what, Mesh):
        return what
    if hasattr(what, "to_mesh"):
        return _mesh_of(what.to_mesh())
    return what.flatten()[0] if isinstance(what, Scene) else Mesh(what)


def _triangle_colours(values, faces, vertex_count, low, high):
    """(T, 3) uint8."""
    if values is None:
        return np.broadcast_to(np.array(_CLAY, np.uint8), (len(faces), 3))
    values = _arrays.floats(values, "values")
    if values.shape == (vertex_count,) and vertex_count != len(faces):
        values = values[faces].mean(axis=1)
    elif values.shape != (len(faces),):
        raise InvalidArgument(
            f"values are one for each of {vertex_count} vertices or of {len(faces)} triangles, not {values.shape}"
        )
    return colour_map(values, low, high)


def mesh(what, values=None, *, low=None, high=None, alpha=1.0, on=None, backend="matplotlib"):
    """Draws a Mesh, Tree or Scene, or a mesh of another package.

    values  (V,), a number for each vertex, or (T,), for each triangle: colours of sightline.colour_map between low and
            high (None: their own range; NaN is magenta).  None: one colour, shaded
    alpha   0 to 1: how opaque it is
    """
    shape = _mesh_of(what)
    kept = shape.faces[:, 0] != NONE
    faces = shape.faces[kept].astype(np.int64)
    colours = values
    if values is not None and np.shape(values) == (len(shape),):
        colours = _arrays.floats(values, "values")[kept]
    colours = _triangle_colours(colours, faces, len(shape.vertices), low, high)
    canvas, is_axes = _canvas(on, backend)
    if is_axes:
        from mpl_toolkits.mplot3d.art3d import Poly3DCollection

        corners = shape.vertices[faces].astype(np.float64)
        rgba = np.concatenate([colours / 255, np.full((len(colours), 1), float(alpha))], axis=1)
        if values is None:
            normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            with np.errstate(all="ignore"):
                light = np.nan_to_num(normals @ (0.4, -0.5, 0.77) / np.linalg.norm(normals, axis=1))
            rgba[:, :3] *= (0.65 + 0.35 * light)[:, None]
        canvas.add_collection3d(Poly3DCollection(corners, facecolors=rgba))
        _fit(canvas, corners.reshape(-1, 3))
    else:
        import pyvista

        table = np.concatenate([np.full((len(faces), 1), 3), faces], axis=1)
        data = pyvista.PolyData(np.array(shape.vertices), table.ravel())
        data.cell_data["colours"] = np.array(colours)
        canvas.add_mesh(data, scalars="colours", rgb=True, opacity=float(alpha), lighting=values is None)
    return canvas


def _lines(canvas, is_axes, p, q, colour):
    if not len(p):
        return
    rgb = np.array(colour) / 255
    if is_axes:
        from mpl_toolkits.mplot3d.art3d import Line3DCollection

        canvas.add_collection3d(Line3DCollection(np.stack([p, q], axis=1), colors=[rgb], linewidths=0.8))
        _fit(canvas, np.concatenate([p, q]))
    else:
        canvas.add_lines(np.stack([p, q], axis=1).reshape(-1, 3), color=rgb, width=2)


def _dots(canvas, is_axes, points, colours, size):
    if not len(points):
        return
    if is_axes:
        canvas.scatter(*points.T, c=np.asarray(colours) / 255, s=size, depthshade=False)
        _fit(canvas, points)
    else:
        import pyvista

        data = pyvista.PolyData(np.array(points))
        data["colours"] = np.array(colours, np.uint8)
        canvas.add_mesh(data, scalars="colours", rgb=True, point_size=size)


def rays(what, origins, directions, *, hits=None, length=None, on=None, backend="matplotlib"):
    """Draws rays, origins (..., 3) and directions (..., 3): red up to where they hit, with a dot there; grey where
    they miss.

    what    the Tree or Scene that is asked where they hit
    hits    Hits of these rays, where they are known
    length  how far a miss is drawn, in units of its direction; None: as far as the longest hit, or 1
    """
    origins, directions = _arrays.rows(origins, "origins"), _arrays.rows(directions, "directions")
    lead = _arrays.lead_of(origins.shape[:-1], directions.shape[:-1])
    if hits is None:
        hits = what.closest(origins, directions)
    array = _arrays.given(hits, "hits")
    if array.shape != lead:
        raise InvalidArgument(f"hits have the shape {array.shape}; that of these rays is {lead}")
    origins = np.broadcast_to(origins, (*lead, 3)).reshape(-1, 3).astype(np.float64)
    directions = np.broadcast_to(directions, (*lead, 3)).reshape(-1, 3).astype(np.float64)
    array = array.reshape(-1)
    met = (array["prim"] != NONE) & np.isfinite(array["t"])
    ends = origins[met] + array["t"][met].astype(np.float64)[:, None] * directions[met]
    if length is None:
        length = float(array["t"][met].max()) if met.any() else 1.0
    canvas, is_axes = _canvas(on, backend)
    _lines(canvas, is_axes, origins[~met], origins[~met] + length * directions[~met], _MISS)
    _lines(canvas, is_axes, origins[met], ends, _HIT)
    _dots(canvas, is_axes, ends, np.broadcast_to(np.array(_HIT, np.uint8), (len(ends), 3)), 8)
    return canvas


def distances(points, values, *, low=None, high=None, size=10, on=None, backend="matplotlib"):
    """Draws points (..., 3) in the colours of numbers (...), such as Nearest.distance.

    low, high  None: the range of the numbers; size: of dots
    """
    points, values = _arrays.rows(points, "points"), _arrays.floats(values, "values")
    if values.shape != points.shape[:-1]:
        raise InvalidArgument(f"values have the shape {values.shape}; that of the points is {points.shape[:-1]}")
    canvas, is_axes = _canvas(on, backend)
    colours = colour_map(values, low, high).reshape(-1, 3)
    _dots(canvas, is_axes, points.reshape(-1, 3).astype(np.float64), colours, size)
    return canvas

"""Pictures as arrays: colours for numbers, and PNG."""

import os
import struct
import tempfile
import zlib

import numpy as np

from . import _arrays
from ._errors import InvalidArgument

# Corners of the map, evenly spaced: night blue, violet, red, orange, cream; each is lighter than the one before.
_CORNERS = np.array(
    [(8, 10, 38), (46, 16, 96), (98, 22, 124), (152, 38, 116), (204, 62, 88), (240, 100, 58), (252, 150, 48),
     (252, 202, 86), (253, 248, 200)],
    np.float32,
)  # fmt: skip


def colour_map(values, low=None, high=None):
    """Colours for numbers (...): (..., 3) uint8, from dark at low to light at high; NaN is magenta.

    low and high: None: the least and the largest finite value.

    >>> import sightline_bvh as sightline
    >>> sightline.colour_map([0.0, 1.0])
    array([[  8,  10,  38],
           [253, 248, 200]], dtype=uint8)
    """
    values = _arrays.floats(values, "values").astype(np.float64, copy=False)
    finite = values[np.isfinite(values)]
    low = (finite.min() if finite.size else 0.0) if low is None else _arrays.number(low, "low")
    high = (finite.max() if finite.size else 1.0) if high is None else _arrays.number(high, "high")
    with np.errstate(invalid="ignore"):
        x = (values - low) / (high - low if high > low else 1.0)
    none = np.isnan(x)
    x = np.clip(np.where(none, 0, x), 0, 1)
    place = x * (len(_CORNERS) - 1)
    step = np.minimum(place.astype(np.intp), len(_CORNERS) - 2)
    part = (place - step)[..., None]
    colours = (_CORNERS[step] + part * (_CORNERS[step + 1] - _CORNERS[step]) + 0.5).astype(np.uint8)
    colours[none] = (255, 0, 255)
    return colours


def colour_ids(ids):
    """Colours for numbers that identify something, (...) to (..., 3) uint8: consecutive ones differ clearly."""
    ids = np.asarray(ids).astype(np.uint32)
    turn = (ids * np.uint32(2654435769)).astype(np.uint64) * np.uint64(6)
    sixth = (turn >> np.uint64(32)).astype(np.intp)
    part = ((turn >> np.uint64(24)) & np.uint64(0xFF)).astype(np.int64)
    top = np.array([240, 200, 168])[ids % 3]
    low = top * 3 // 10
    rising = low + (top - low) * part // 255
    falling = low + top - rising
    levels = np.stack([top, rising, low, falling], axis=-1)
    wheel = np.array([(0, 1, 2), (3, 0, 2), (2, 0, 1), (2, 3, 0), (1, 2, 0), (0, 2, 3)])
    return np.take_along_axis(levels, wheel[sixth], axis=-1).astype(np.uint8)


def write_png(path, image):
    """Writes a picture (H, W, 3) or (H, W) of uint8 as PNG; the file appears only when it is complete.

    >>> import numpy as np, os, sightline_bvh as sightline, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sightline.write_png(os.path.join(folder, "grey.png"), np.zeros((2, 3), np.uint8))
    ...     os.listdir(folder)
    ['grey.png']
    """
    image = _arrays.given(image, "image")
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] != 3):
        raise InvalidArgument(f"a picture is (H, W, 3) or (H, W) of uint8, not {image.shape} of {image.dtype}")
    height, width = image.shape[:2]
    if not height or not width:
        raise InvalidArgument("a picture has pixels")
    rows = np.zeros((height, 1 + image[0].size), np.uint8)  # a filter of 0 before each row
    rows[:, 1:] = image.reshape(height, -1)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2 if image.ndim == 3 else 0, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 6))
    data += chunk(b"IEND", b"")
    path = os.fsdecode(path)
    handle, name = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".png-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise

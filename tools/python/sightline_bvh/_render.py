"""Pictures of trees and scenes, by the queries that everyone can ask."""

import numpy as np

from . import _arrays, _progress
from ._camera import Camera
from ._errors import InvalidArgument
from ._image import colour_ids, colour_map
from ._records import NONE

_SHOWS = ("shade", "depth", "normal", "prim", "instance")
_CLAY = np.array([0.78, 0.66, 0.55], np.float32)
_SKY, _GROUND = np.array([0.34, 0.41, 0.52], np.float32), np.array([0.13, 0.10, 0.08], np.float32)
_KEY = np.array([1.05, 0.99, 0.90], np.float32)
_ROWS = 1 << 18  # rays at a time


def _unit(vectors):
    with np.errstate(invalid="ignore", divide="ignore"):
        return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def _around(normals, count, first):
    """count directions around each of (N, 3) unit normals, denser along them: (N, count, 3).

    A spiral on the disc (Vogel 1979), turned by another angle for each normal, the first of which is number `first`,
    and lifted to the hemisphere.
    """
    k = np.arange(count) + 0.5
    turn = (np.arange(first, first + len(normals)) * 2654435769 % 2**32) / 2**32
    angle = 2 * np.pi * (k * 0.6180339887498949 + turn[:, None])
    radius = np.sqrt(k / count)
    x, y = radius * np.cos(angle), radius * np.sin(angle)
    z = np.sqrt(np.maximum(0, 1 - radius * radius))
    n = normals
    sign = np.where(n[:, 2] < 0, -1.0, 1.0)
    a = -1 / (sign + n[:, 2])
    b = n[:, 0] * n[:, 1] * a
    first = np.stack([1 + sign * n[:, 0] ** 2 * a, sign * b, -sign * n[:, 0]], axis=-1)
    second = np.stack([b, sign + n[:, 1] ** 2 * a, -n[:, 1]], axis=-1)
    return x[..., None] * first[:, None] + y[..., None] * second[:, None] + z[..., None] * n[:, None]


class _Painter:
    """Colours of one picture."""

    def __init__(self, target, camera, ao, ao_distance, threads):
        self.target = target
        self.ao = ao
        self.threads = threads
        axes = camera.view[:3, :3]
        self.right, self.up, self.back = axes
        self.key = _unit(self.back + 0.9 * self.up - 0.8 * self.right).astype(np.float32)
        low, high = np.asarray(target.bounds, np.float64)
        diagonal = float(np.linalg.norm(np.maximum(high - low, 0)))
        self.distance = diagonal / 4 if ao_distance is None else _arrays.number(ao_distance, "ao_distance", 0)

    def shade(self, rays, hits):
        """Light, (N, 3), of rays that hit."""
        surface = self.target.surface(hits)
        normal = surface.normal
        away = (normal * rays["dir"]).sum(axis=-1) > 0
        normal = np.where(away[:, None], -normal, normal)
        lambert = np.maximum(0, normal @ self.key)
        open_ = self.openness(surface, normal, away) if self.ao else np.ones(len(normal), np.float32)
        up = normal @ self.up.astype(np.float32)
        ambient = _GROUND + (_SKY - _GROUND) * (0.5 + 0.5 * up)[:, None]
        direct = _KEY * (lambert * (0.5 + 0.5 * open_))[:, None]
        return _CLAY * (ambient * open_[:, None] + direct)

    def openness(self, surface, normal, away):
        origin = np.where(away[:, None], surface.back_origin, surface.front_origin)
        open_ = np.empty(len(normal), np.float32)
        step = max(1, _ROWS // self.ao)
        for i in range(0, len(normal), step):
            dirs = _around(normal[i : i + step].astype(np.float64), self.ao, i).astype(origin.dtype)
            met = self.target.any(origin[i : i + step, None], dirs, tmax=self.distance, threads=self.threads)
            open_[i : i + step] = 1 - met.mean(axis=1, dtype=np.float32)
        return open_


def _depth(rays, hits, camera):
    """Along the axis of view, from the eye."""
    points = rays["origin"] + hits.t[..., None] * rays["dir"]
    return -(points @ camera.view[2, :3] + camera.view[2, 3])


def _light(colours):
    """Bytes to light; what is mixed is light."""
    return (colours.astype(np.float32) / 255) ** 2


def render(target, camera, width, height, show, samples, ao, ao_distance, background, threads, progress):
    """What Tree.render and Scene.render do."""
    if show not in _SHOWS:
        raise InvalidArgument(f"show is one of {', '.join(_SHOWS)}, not {show!r}")
    samples, ao = _arrays.integer(samples, "samples", 1, 8), _arrays.integer(ao, "ao", 0, 65536)
    colour = _arrays.floats(background, "background")
    if colour.shape != (3,) or not ((colour >= 0) & (colour <= 255)).all():
        raise InvalidArgument(f"background is three numbers from 0 to 255, not {background!r}")
    if camera is None:
        target = target._near()[0] if target._is_scene else target  # cameras are of float32
        camera = Camera.fit(target, width=width, height=height)
    elif not isinstance(camera, Camera):
        raise InvalidArgument(f"camera is a Camera, not {camera!r}")
    rays = camera.rays(samples).reshape(camera.height, -1)
    light = np.empty((*rays.shape, 3), np.float32)
    light[...] = _light(colour.astype(np.uint8))
    values = np.full(rays.shape, np.nan, np.float32) if show == "depth" else None
    painter = _Painter(target, camera, ao, ao_distance, threads)
    step = max(1, _ROWS // rays.shape[1] // max(1, ao))

    def paint(report):
        for first in range(0, len(rays), step):
            part = rays[first : first + step]
            hits = target.closest(part, threads=threads)
            met = hits.prim != NONE
            here, found = part[met], hits[met]
            if show == "shade":
                light[first : first + step][met] = painter.shade(here, found)
            elif show == "depth":
                values[first : first + step][met] = _depth(here, found, camera)
            elif show == "normal":
                light[first : first + step][met] = ((target.surface(found).normal + 1) / 2) ** 2
            else:
                light[first : first + step][met] = _light(colour_ids(found.array[show]))
            if report is not None and report("render", min(1.0, (first + step) / len(rays))) is False:
                from ._errors import Cancelled

                raise Cancelled("progress returned False")

    _progress.run(progress, camera.height, paint)
    if values is not None and not np.isnan(values).all():
        known = ~np.isnan(values)
        light[known] = _light(colour_map(-values[known]))
    mean = light.reshape(camera.height, camera.width, samples * samples, 3).mean(axis=2)
    return (np.sqrt(np.clip(mean, 0, 1)) * 255 + 0.5).astype(np.uint8)

// Asks a tree or a scene for a raycaster, and makes the intersections that three.js would make.
import { BackSide, FrontSide, Matrix3, Matrix4, Triangle, Vector2, Vector3 } from 'three';

const HIT_BACK = 1;
const inverse = new Matrix4();
const linear = new Matrix3();
const origin = new Vector3();
const direction = new Vector3();
const facing = new Vector3();
const corners = [new Vector3(), new Vector3(), new Vector3()];

const CULLS = new Map([
  [FrontSide, 'back'],
  [BackSide, 'front'],
]);

const isSeen = (side, flags) => !CULLS.has(side) || (side === BackSide) === ((flags & HIT_BACK) !== 0);

// The runs of corners that are drawn, and the material of each.
function rangesOf({ material, geometry, isBatchedMesh }) {
  const { drawRange, groups } = geometry;
  const all = isBatchedMesh ? { start: 0, count: Infinity } : drawRange;
  const range = (start, end, materialIndex, side) => ({ start: Math.max(0, start), end, materialIndex, side });
  if (!Array.isArray(material)) return [range(all.start, all.start + all.count, 0, material.side)];
  if (isBatchedMesh) return [];
  return groups
    .filter((group) => material[group.materialIndex])
    .map(({ start, count, materialIndex }) => {
      const end = Math.min(start + count, all.start + all.count);
      return range(Math.max(start, all.start), end, materialIndex, material[materialIndex].side);
    });
}

// The ranges in which a hit is seen: several where groups overlap.
const seenIn = (ranges, prim, flags) =>
  ranges.filter(({ start, end, side }) => 3 * prim >= start && 3 * prim < end && isSeen(side, flags));

function optionsOf(entry, ranges, corners) {
  const sides = new Set(ranges.map(({ side }) => side));
  const whole = ranges.length === 1 && ranges[0].start === 0 && ranges[0].end >= corners;
  const cull = sides.size === 1 ? CULLS.get([...sides][0]) : undefined;
  if (whole && entry.shows === undefined) return { cull };
  const shows = (hit) => entry.shows?.(hit.instance) ?? true;
  return { cull, filter: (hit) => shows(hit) && seenIn(ranges, entry.primOf(hit), hit.flags).length > 0 };
}

function interpolated(attribute, vertices, weights, to) {
  return Triangle.getInterpolatedAttribute(attribute, ...vertices, weights, to);
}

// The ray's direction as the vertices of a hit's instance see it.
function directionAt(object, instance) {
  if (!object.isInstancedMesh && !object.isBatchedMesh) return direction;
  object.getMatrixAt(instance, inverse);
  return facing.copy(direction).applyMatrix3(linear.setFromMatrix4(inverse.invert()));
}

function intersectionOf(entry, object, { origin, direction: worldDirection }, hit, prim, materialIndex) {
  const { index, attributes } = entry.geometry;
  const vertices = [0, 1, 2].map((k) => (index === null ? 3 * prim + k : index.getX(3 * prim + k)));
  const weights = new Vector3(1 - hit.u - hit.v, hit.u, hit.v);
  const point = worldDirection.clone().multiplyScalar(hit.t).add(origin);
  const found = { distance: hit.t * worldDirection.length(), point, object };
  for (const name of ['uv', 'uv1']) {
    if (attributes[name]) found[name] = interpolated(attributes[name], vertices, weights, new Vector2());
  }
  if (attributes.normal) {
    found.normal = interpolated(attributes.normal, vertices, weights, new Vector3());
    if (found.normal.dot(directionAt(object, hit.instance)) > 0) found.normal.negate();
  }
  const [a, b, c] = vertices;
  vertices.forEach((vertex, k) => entry.cornerAt(object, vertex, corners[k]));
  found.face = { a, b, c, normal: Triangle.getNormal(...corners, new Vector3()), materialIndex };
  found.barycoord = weights;
  found.faceIndex = prim;
  entry.mark(found, hit);
  return found;
}

// The ray in the space of the object.  Its direction keeps the length that this gives it, so t is the same in the world.
function putRay({ ray }, object) {
  inverse.copy(object.matrixWorld).invert();
  origin.copy(ray.origin).applyMatrix4(inverse);
  direction.copy(ray.direction).applyMatrix3(linear.setFromMatrix4(inverse));
}

/** Adds what an object's raycast would; false where only three.js can say. */
export function answer(entry, object, raycaster, intersects) {
  if (object.material === undefined) return true;
  if (object.isBatchedMesh && object._instanceInfo === undefined) return false;
  const ranges = rangesOf(object);
  if (ranges.some(({ start, end }) => start < end && start % 3 !== 0)) return false;
  entry.refresh();
  const { index, attributes } = entry.geometry;
  const options = optionsOf(entry, ranges, (index ?? attributes.position).count);
  putRay(raycaster, object);
  const { near, far, ray } = raycaster;
  const length = ray.direction.length();
  Object.assign(options, { tmin: near / length, tmax: far / length });
  const first = raycaster.firstHitOnly === true;
  const hits = first ? [entry.target.closest(origin, direction, options)] : entry.target.all(origin, direction, options);
  for (const hit of hits) {
    if (hit === null) continue;
    const prim = entry.primOf(hit);
    const seen = seenIn(ranges, prim, hit.flags);
    for (const { materialIndex } of first ? seen.slice(0, 1) : seen) {
      intersects.push(intersectionOf(entry, object, ray, hit, prim, materialIndex));
    }
  }
  return true;
}

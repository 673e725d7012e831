// Points: what is nearest to them, what is near them, and what they are inside of.
import { refuse } from './errors.js';
import { sl_nearest_d, sl_nearests, sl_points } from './layouts.js';
import { c, f32, f64, place, u32 } from './memory.js';
import { number, putVec3, record, typedArray, whole } from './numbers.js';
import { OF_PLACE, putOptions } from './options.js';
import { beginOn, pointerOf } from './lifetime.js';
import { answerCounts, answerEach, answerLists, input, NEARESTS, objectsOf } from './rows.js';

const NONE = 0xffffffff;
const NEAREST = sl_nearest_d.at;
const point = place(24);
const points = place(sl_points.size);
const nearests = place(sl_nearests.size);
const nearest = place(sl_nearest_d.size);

// What C is given, packed and by value.
function putPoints(p, count, isDouble) {
  const { i } = points;
  const { at } = sl_points;
  u32[i + (at.xyz >> 2)] = p;
  u32[i + (at.xyz >> 2) + 1] = u32[i + (at.xyz >> 2) + 2] = 0;
  u32[i + (at.stride >> 2)] = 0;
  u32[i + (at.count >> 2)] = count;
  u32[i + (at.number >> 2)] = isDouble;
}

function putNearests(p, isDouble) {
  u32[nearests.i + (sl_nearests.at.first >> 2)] = p;
  u32[nearests.i + (sl_nearests.at.stride >> 2)] = 0;
  u32[nearests.i + (sl_nearests.at.number >> 2)] = isDouble;
  return nearests.p;
}

const aPoint = { count: 1, isDouble: 1, bytes: 1, put: () => putPoints(point.p, 1, 1) };

function pointItems(given) {
  const array = typedArray(given, 'points', 'Float32Array', 'Float64Array');
  if (array.length % 3 !== 0) refuse(`points: ${array.length} numbers, which is no multiple of 3`);
  const isDouble = array instanceof Float64Array ? 1 : 0;
  const put = (first, count) => {
    if (isDouble) f64.set(array.subarray(3 * first, 3 * (first + count)), input.d);
    else f32.set(array.subarray(3 * first, 3 * (first + count)), input.i);
    putPoints(input.p, count, isDouble);
  };
  return { count: array.length / 3, isDouble, bytes: 24, put };
}

const limit = (value) => number(value ?? Infinity, 'maxDistance');

const listNearest = (target, items, k, most, options) =>
  answerLists(items, NEARESTS[items.isDouble], Math.min(k, Math.max(1, target.triangleCount)), () => k, (at, found, n) =>
    c.sl_bvh_nearest_k_many(pointerOf(target), points.p, most, options, putNearests(at, items.isDouble), n, found, 0, 0),
  );

const listWithin = (target, items, capacity, radius, options) =>
  answerLists(items, NEARESTS[items.isDouble], capacity, (total) => total, (at, totals, k) =>
    c.sl_bvh_within_many(pointerOf(target), points.p, radius, options, putNearests(at, items.isDouble), k, totals, 0, 0),
  );

function countInside(target, items, options) {
  return answerCounts(items, (at) => c.sl_bvh_inside_many(pointerOf(target), points.p, options, 0, 0, at, 0, 0));
}

/** The questions about points, as methods of a target. */
export const questions = {
  nearest(at, maxDistance, options, given) {
    beginOn(this);
    putVec3(point.d, at, 'point');
    const most = limit(maxDistance);
    const chosen = putOptions(options, OF_PLACE);
    if (c.sl_bvh_nearest_d(pointerOf(this), point.p, most, chosen, nearest.p) === 0) return null;
    const { p } = nearest;
    const out = record(given ?? { distance: 0, u: 0, v: 0, prim: 0, instance: 0 }, 'out');
    out.point ??= [0, 0, 0];
    if (!Array.isArray(out.point) && !ArrayBuffer.isView(out.point)) refuse('out.point is no array');
    out.distance = f32[(p + NEAREST.distance) >> 2];
    out.u = f32[(p + NEAREST.u) >> 2];
    out.v = f32[(p + NEAREST.v) >> 2];
    out.prim = u32[(p + NEAREST.prim) >> 2];
    out.instance = u32[(p + NEAREST.instance) >> 2];
    for (let axis = 0; axis < 3; axis++) out.point[axis] = f64[((p + NEAREST.point) >> 3) + axis];
    return out;
  },

  nearestK(at, k, maxDistance, options) {
    beginOn(this);
    putVec3(point.d, at, 'point');
    whole(k, 'k', 1);
    return objectsOf(listNearest(this, aPoint, k, limit(maxDistance), putOptions(options, OF_PLACE)), NEARESTS[1]);
  },

  within(at, radius, options) {
    beginOn(this);
    putVec3(point.d, at, 'point');
    return objectsOf(listWithin(this, aPoint, NONE, number(radius, 'radius'), putOptions(options, OF_PLACE)), NEARESTS[1]);
  },

  inside(at, options) {
    beginOn(this);
    putVec3(point.d, at, 'point');
    return countInside(this, aPoint, putOptions(options, OF_PLACE))[0] > 0;
  },

  nearestMany(given, maxDistance, options, out) {
    beginOn(this);
    const items = pointItems(given);
    const most = limit(maxDistance);
    const chosen = putOptions(options, OF_PLACE);
    return answerEach(items, NEARESTS[items.isDouble], out, (at) =>
      c.sl_bvh_nearest_many(pointerOf(this), points.p, most, chosen, putNearests(at, items.isDouble), 0, 0),
    );
  },

  nearestKMany(given, k, maxDistance, options) {
    beginOn(this);
    const items = pointItems(given);
    whole(k, 'k', 1);
    return listNearest(this, items, k, limit(maxDistance), putOptions(options, OF_PLACE));
  },

  withinMany(given, radius, capacity, options) {
    beginOn(this);
    return listWithin(this, pointItems(given), capacity, number(radius, 'radius'), putOptions(options, OF_PLACE));
  },

  insideMany(given, options) {
    beginOn(this);
    return Uint8Array.from(countInside(this, pointItems(given), putOptions(options, OF_PLACE)), (count) => (count > 0 ? 1 : 0));
  },
};

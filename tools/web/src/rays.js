// Rays and segments: what they hit.  Single calls are asked in doubles, in places that are made once.
import { settle } from './callbacks.js';
import { refuse } from './errors.js';
import { sl_hit_d, sl_hits, sl_ray_d, sl_rays } from './layouts.js';
import { c, f32, f64, place, u32, u8 } from './memory.js';
import { number, putVec3, record, typedArray, whole } from './numbers.js';
import { OF_RAY, putOptions } from './options.js';
import { beginOn, pointerOf } from './lifetime.js';
import { answerBytes, answerCounts, answerEach, answerLists, HITS, input, objectsOf, output } from './rows.js';

const NONE = 0xffffffff;
const SAME = 0xffffffff; // a stride: one for all
const HIT = sl_hit_d.at;
const RAY = sl_ray_d.at;

const ray = place(sl_ray_d.size);
const rays = place(sl_rays.size);
const hits = place(sl_hits.size);
const hit = place(sl_hit_d.size);

// ---- What C is given: sl_rays and sl_hits.  They are passed by value, so that C may write to them: each call has them anew.

const RAYS = sl_rays.at;

function putRays(count, number, segments, origin, dir, tmin, tmax, originStride, dirStride, tminStride, tmaxStride) {
  const { i, p } = rays;
  u32[i + (RAYS.origin >> 2)] = origin;
  u32[i + (RAYS.origin >> 2) + 1] = u32[i + (RAYS.origin >> 2) + 2] = 0;
  u32[i + (RAYS.dir >> 2)] = dir;
  u32[i + (RAYS.dir >> 2) + 1] = u32[i + (RAYS.dir >> 2) + 2] = 0;
  u32[i + (RAYS.tmin >> 2)] = tmin;
  u32[i + (RAYS.tmax >> 2)] = tmax;
  u32[i + (RAYS.origin_stride >> 2)] = originStride;
  u32[i + (RAYS.dir_stride >> 2)] = dirStride;
  u32[i + (RAYS.tmin_stride >> 2)] = tminStride;
  u32[i + (RAYS.tmax_stride >> 2)] = tmaxStride;
  u32[i + (RAYS.count >> 2)] = count;
  u32[i + (RAYS.number >> 2)] = number;
  u8[p + RAYS.segments] = segments ? 1 : 0;
  return p;
}

/** An array of sl_hit or sl_hit_d; 0: none is wanted. */
export function putHits(p, isDouble) {
  const type = HITS[isDouble];
  for (const { key, at } of type.columns) u32[hits.i + (sl_hits.at[key] >> 2)] = p === 0 ? 0 : p + at;
  u32[hits.i + (sl_hits.at.stride >> 2)] = type.size;
  u32[hits.i + (sl_hits.at.number >> 2)] = isDouble;
  return hits.p;
}

// ---- One ray, or one segment

function putRay(origin, dir, options) {
  putVec3(ray.d + (RAY.origin >> 3), origin, 'origin');
  putVec3(ray.d + (RAY.dir >> 3), dir, 'dir');
  f64[ray.d + (RAY.tmin >> 3)] = number(options?.tmin ?? 0, 'tmin');
  f64[ray.d + (RAY.tmax >> 3)] = number(options?.tmax ?? Infinity, 'tmax');
}

function putSegment(p, q) {
  putVec3(ray.d + (RAY.origin >> 3), p, 'p');
  putVec3(ray.d + (RAY.dir >> 3), q, 'q');
}

// Limits are those of the ray; segments have none.
const oneRay = () => putRays(1, 1, false, ray.p + RAY.origin, ray.p + RAY.dir, ray.p + RAY.tmin, ray.p + RAY.tmax, 0, 0, 0, 0);
const oneSegment = () => putRays(1, 1, true, ray.p + RAY.origin, ray.p + RAY.dir, 0, 0, 0, 0, 0, 0);

function hitAt(p, given = { t: 0, u: 0, v: 0, prim: 0, instance: 0, flags: 0 }) {
  const out = record(given, 'out');
  out.t = f64[(p + HIT.t) >> 3];
  out.u = f32[(p + HIT.u) >> 2];
  out.v = f32[(p + HIT.v) >> 2];
  out.prim = u32[(p + HIT.prim) >> 2];
  out.instance = u32[(p + HIT.instance) >> 2];
  out.flags = u32[(p + HIT.flags) >> 2];
  return out;
}

function hitOrNull(out) {
  settle();
  return u32[hit.i + (HIT.prim >> 2)] === NONE ? null : hitAt(hit.p, out);
}

// ---- Arrays

// A column of the caller's: three numbers an item, or three that all share; or one number an item.
function column(value, what, width) {
  const array = typedArray(value, what, 'Float32Array', 'Float64Array');
  const shared = width === 3 && array.length === 3;
  if (array.length % width !== 0) refuse(`${what}: ${array.length} numbers, which is no multiple of ${width}`);
  return { array, what, width, shared, count: array.length / width };
}

function limit(value, what, like) {
  if (typeof value !== 'number') return column(value, what, 1);
  return { array: like.of(value), what, width: 1, shared: true, count: 1 };
}

const COLUMNS = ['origins', 'dirs', 'targets', 'tmin', 'tmax'];

/** Rays of the caller's as items of a batch (rows.js). */
export function rayItems(given) {
  const { origins, dirs, targets, tmin, tmax } = record(given, 'rays', COLUMNS);
  if ((dirs === undefined) === (targets === undefined)) refuse('rays have dirs, or else targets');
  const segments = targets !== undefined;
  if (segments && (tmin !== undefined || tmax !== undefined)) refuse('segments have no tmin and no tmax');
  const columns = [column(origins, 'origins', 3), column(dirs ?? targets, segments ? 'targets' : 'dirs', 3)];
  const like = columns[0].array.constructor;
  columns.push(tmin === undefined ? null : limit(tmin, 'tmin', like), tmax === undefined ? null : limit(tmax, 'tmax', like));
  const own = columns.filter((one) => one !== null && !one.shared);
  const count = own.length > 0 ? own[0].count : 1;
  for (const one of columns) {
    if (one === null) continue;
    if (one.array.constructor !== like) refuse(`${one.what} are of another number type than origins`);
    if (!one.shared && one.count !== count) refuse(`${one.what} are ${one.count}, and ${own[0].what} are ${count}`);
  }
  const isDouble = like === Float64Array ? 1 : 0;
  return { count, isDouble, bytes: 8 * 8, put: (first, n) => putBlock(columns, isDouble, segments, first, n) };
}

// Copies items first .. first + count - 1 of each column into the block, one column behind the other.
function putBlock(columns, isDouble, segments, first, count) {
  const view = isDouble ? f64 : f32;
  const size = isDouble ? 8 : 4;
  let p = input.p;
  const places = columns.map((one) => {
    if (one === null) return { p: 0, stride: 0 };
    const { array, width, shared } = one;
    const at = p;
    const part = shared ? array : array.subarray(first * width, (first + count) * width);
    view.set(part, at / size);
    p += (part.length * size + 7) & ~7;
    return { p: at, stride: shared ? SAME : 0 };
  });
  const [origin, dir, tmin, tmax] = places;
  putRays(count, isDouble, segments, origin.p, dir.p, tmin.p, tmax.p, origin.stride, dir.stride, tmin.stride, tmax.stride);
}

// A single ray or segment as a batch of one.
const aRay = { count: 1, isDouble: 1, bytes: 1, put: oneRay };
const ALL = 0xffffffff;

const listHits = (target, items, capacity, options) =>
  answerLists(items, HITS[items.isDouble], capacity, (total) => total, (at, totals, k) =>
    c.sl_bvh_all_many(pointerOf(target), rays.p, options, putHits(at, items.isDouble), k, totals, 0, 0),
  );

const countHits = (target, items, options) =>
  answerCounts(items, (at) => c.sl_bvh_all_many(pointerOf(target), rays.p, options, putHits(0, items.isDouble), 0, at, 0, 0));

/** The questions about rays and segments, as methods of a target. */
export const questions = {
  closest(origin, dir, options, out) {
    beginOn(this);
    putRay(origin, dir, options);
    const chosen = putOptions(options, OF_RAY);
    c.sl_bvh_closest_d(pointerOf(this), ray.p, chosen, hit.p);
    return hitOrNull(out);
  },

  closestOf(p, q, options, out) {
    beginOn(this);
    putSegment(p, q);
    const chosen = putOptions(options);
    c.sl_bvh_closest_many(pointerOf(this), oneSegment(), chosen, putHits(hit.p, 1), 0, 0);
    return hitOrNull(out);
  },

  any(origin, dir, options) {
    beginOn(this);
    putRay(origin, dir, options);
    const chosen = putOptions(options, OF_RAY);
    c.sl_bvh_any_many(pointerOf(this), oneRay(), chosen, output.p, 0, 0, 0);
    settle();
    return u8[output.p] !== 0;
  },

  occluded(p, q, options) {
    beginOn(this);
    putSegment(p, q);
    const chosen = putOptions(options);
    const is = c.sl_bvh_occluded_d(pointerOf(this), ray.p + RAY.origin, ray.p + RAY.dir, chosen);
    settle();
    return is !== 0;
  },

  all(origin, dir, options) {
    beginOn(this);
    putRay(origin, dir, options);
    return objectsOf(listHits(this, aRay, ALL, putOptions(options, OF_RAY)), HITS[1]);
  },

  count(origin, dir, options) {
    beginOn(this);
    putRay(origin, dir, options);
    return countHits(this, aRay, putOptions(options, OF_RAY))[0];
  },

  nextHit(origin, dir, previous, options, out) {
    if (previous === null || previous === undefined) return this.closest(origin, dir, options, out);
    beginOn(this);
    const { t, prim, instance } = record(previous, 'previous');
    putRay(origin, dir, options);
    const chosen = putOptions(options, OF_RAY);
    f64[(hit.p + HIT.t) >> 3] = number(t, 'previous.t');
    u32[(hit.p + HIT.prim) >> 2] = whole(prim, 'previous.prim');
    u32[(hit.p + HIT.instance) >> 2] = whole(instance, 'previous.instance');
    c.sl_bvh_next_many(pointerOf(this), oneRay(), chosen, putHits(hit.p, 1), 0, 0);
    return hitOrNull(out);
  },

  closestMany(given, options, out) {
    beginOn(this);
    const items = rayItems(given);
    const chosen = putOptions(options);
    return answerEach(items, HITS[items.isDouble], out, (at) =>
      c.sl_bvh_closest_many(pointerOf(this), rays.p, chosen, putHits(at, items.isDouble), 0, 0),
    );
  },

  anyMany(given, options, out) {
    beginOn(this);
    const items = rayItems(given);
    const chosen = putOptions(options);
    return answerBytes(items, out, (at) => c.sl_bvh_any_many(pointerOf(this), rays.p, chosen, at, 0, 0, 0));
  },

  allMany(given, capacity, options) {
    beginOn(this);
    const items = rayItems(given);
    return listHits(this, items, capacity, putOptions(options));
  },

  countMany(given, options) {
    beginOn(this);
    const items = rayItems(given);
    return countHits(this, items, putOptions(options));
  },
};

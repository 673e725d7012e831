// Mesh against mesh: whether and where two targets meet, and how far they are apart.
import { check, error } from './check.js';
import { sl_clash, sl_clash_pair, sl_curves, sl_distance } from './layouts.js';
import { beginOn, pointerOf } from './lifetime.js';
import { c, f32, f64, place, u32, u8, writeStruct } from './memory.js';
import { flag, mat4, number, putTransform, record, whole } from './numbers.js';
import { listAll, referenceAt } from './volumes.js';

const RELATIONS = ['apart', 'touching', 'coplanar-same', 'coplanar-opposite', 'crossing'];
const HARD = (1 << 2) | (1 << 4); // coplanar-same and crossing, as in clashes.h

const clash = place(sl_clash.size);
const distance = place(sl_distance.size);
const transform = place(96);
const answer = place(8);

// Without touching only clashes count behind which there is material of both.
function putClash({ margin = 0, touching }) {
  const relations = flag(touching, 'touching', true) ? 0 : HARD;
  writeStruct(sl_clash, clash.p, { margin: number(margin, 'margin'), relations });
  return clash.p;
}

const otherOf = (other) => pointerOf(other, 'other');

function pairAt(p) {
  const { at } = sl_clash_pair;
  const relation = RELATIONS[u32[(p + at.relation) >>> 2]];
  return { a: referenceAt(p + at.a), b: referenceAt(p + at.b), relation, distance: f32[(p + at.distance) >>> 2] };
}

const doublesAt = (p, count) => f64.slice(p >>> 3, (p >>> 3) + count);

export const questions = {
  clash(other, given) {
    beginOn(this);
    const { at, ...rest } = record(given, 'def', ['margin', 'touching', 'at']);
    const chosen = putClash(rest);
    if (at === undefined) return c.sl_bvh_clash_any(pointerOf(this), otherOf(other), chosen) !== 0;
    putTransform(transform.d, mat4(at, 'at'), 0, 'at');
    c.sl_bvh_clash_any_many(pointerOf(this), otherOf(other), transform.p, 1, chosen, answer.p, 0, 0);
    return u8[answer.p] !== 0;
  },

  clashPairs(other, given) {
    beginOn(this);
    const { capacity = Infinity, ...rest } = record(given, 'def', ['margin', 'touching', 'capacity']);
    if (capacity !== Infinity) whole(capacity, 'capacity');
    const chosen = putClash(rest);
    const ask = (p, room) => c.sl_bvh_clash_all(pointerOf(this), otherOf(other), chosen, p, room, 0, 0);
    return listAll(sl_clash_pair.size, ask, pairAt, 256, capacity);
  },

  clashCurves(other) {
    beginOn(this);
    check(c.sl_bvh_clash_curves(pointerOf(this), otherOf(other), 0, 0, answer.p, error.p));
    const curves = u32[answer.i];
    const word = (name) => u32[(curves + sl_curves.at[name]) >>> 2];
    const starts = word('starts') >>> 2;
    const made = { points: doublesAt(word('points'), 3 * word('point_count')), starts: u32.slice(starts, starts + word('curve_count') + 1) };
    c.sl_curves_destroy(curves);
    return made;
  },

  distance(other, maxDistance = Infinity) {
    beginOn(this);
    number(maxDistance, 'maxDistance');
    if (c.sl_bvh_distance(pointerOf(this), otherOf(other), maxDistance, 0, distance.p) === 0) return null;
    const { at } = sl_distance;
    const { p } = distance;
    return {
      distance: f32[(p + at.distance) >>> 2],
      pointA: doublesAt(p + at.point_a, 3),
      pointB: doublesAt(p + at.point_b, 3),
      a: referenceAt(p + at.a),
      b: referenceAt(p + at.b),
    };
  },
};

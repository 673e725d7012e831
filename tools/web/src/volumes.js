// Volumes: what they touch, and what they meet when they move.
import { settle } from './callbacks.js';
import { refuse } from './errors.js';
import { sl_contact, sl_sweep_d, sl_triangle_ref, sl_volume_d, sl_volumes } from './layouts.js';
import { beginOn, pointerOf } from './lifetime.js';
import { c, f64, place, readStruct, u32, u8, withRoom } from './memory.js';
import { number, putVec3, record } from './numbers.js';
import { OF_PLACE, putOptions } from './options.js';

const volumes = place(sl_volumes.size);
const sweep = place(sl_sweep_d.size);
const contact = place(sl_contact.size);
const answer = place(8);
const SHAPE = sl_volume_d.at;

// Of each kind of volume its number in C, and what writes it, given the double that a field of the shape begins at.
const KINDS = {
  box: [0, ({ min, max }, to) => {
    putVec3(to('aabb_min'), min, 'box.min');
    putVec3(to('aabb_max'), max, 'box.max');
  }],
  sphere: [1, (given, to) => {
    const { centre, radius } = record(given, 'sphere', ['centre', 'radius']);
    putVec3(to('sphere_centre'), centre, 'sphere.centre');
    f64[to('sphere_radius')] = number(radius, 'sphere.radius');
  }],
  obb: [2, (given, to) => {
    const { centre, axes } = record(given, 'obb', ['centre', 'axes']);
    putVec3(to('obb_centre'), centre, 'obb.centre');
    for (let k = 0; k < 3; k++) putVec3(to('obb_axis') + 3 * k, axes?.[k], `obb.axes[${k}]`);
    putVec3(to('obb_half'), [1, 1, 1]);
  }],
  capsule: [3, ({ a, b, radius }, to) => {
    putVec3(to('capsule_p'), a, 'capsule.a');
    putVec3(to('capsule_q'), b, 'capsule.b');
    f64[to('capsule_radius')] = number(radius, 'capsule.radius');
  }],
  triangle: [5, (corners, to) => {
    for (let k = 0; k < 3; k++) putVec3(to('triangle_v') + 3 * k, corners[k], `triangle[${k}]`);
  }],
};

// A sweep begins with its volume, so one place serves both.
function putVolume(volume) {
  const kinds = Object.keys(record(volume, 'volume', Object.keys(KINDS)));
  if (kinds.length !== 1) refuse(`a volume is one of ${Object.keys(KINDS).join(', ')}`);
  const [kind, put] = KINDS[kinds[0]];
  u8.fill(0, sweep.p, sweep.p + sl_sweep_d.size);
  put(record(volume[kinds[0]], kinds[0]), (field) => (sweep.p + SHAPE[`shape_${field}`]) >>> 3);
  u32[(sweep.p + SHAPE.kind) >>> 2] = kind;
}

function oneVolume() {
  u32[(volumes.p + sl_volumes.at.first) >>> 2] = sweep.p;
  u32[(volumes.p + sl_volumes.at.stride) >>> 2] = 0;
  u32[(volumes.p + sl_volumes.at.count) >>> 2] = 1;
  u32[(volumes.p + sl_volumes.at.number) >>> 2] = 1;
  return volumes.p;
}

/** A pair of words at an address as a reference to a triangle. */
export const referenceAt = (p) => ({ instance: u32[p >>> 2], prim: u32[(p >>> 2) + 1] });

/** All rows of a list that C writes: ask(p, capacity) says how many there are, and read(p) makes one of a row. */
export function listAll(size, ask, read, capacity = 256, most = Infinity) {
  const room = Math.min(capacity, most);
  const [count, list] = withRoom(Math.max(8, room * size), (p) => {
    const found = ask(p, room) >>> 0;
    settle();
    return [found, found > room && room < most ? null : Array.from({ length: Math.min(found, room) }, (_, i) => read(p + i * size))];
  });
  return list ?? listAll(size, ask, read, count, most);
}

const STARTS = ['apart', 'touching-closing', 'touching-receding', 'overlapping'];
const CONTACT = ['t', 'prim', 'instance', 'flags', 'point', 'normal'];

export const questions = {
  overlap(volume, options) {
    beginOn(this);
    putVolume(volume);
    const chosen = putOptions(options, OF_PLACE);
    c.sl_bvh_overlap_any_many(pointerOf(this), oneVolume(), chosen, answer.p, 0, 0);
    return u8[answer.p] !== 0;
  },

  overlapAll(volume, options) {
    beginOn(this);
    putVolume(volume);
    const chosen = putOptions(options, OF_PLACE);
    const ask = (p, capacity) => {
      c.sl_bvh_overlap_all_many(pointerOf(this), oneVolume(), chosen, p, capacity, answer.p, 0, 0);
      return u32[answer.i];
    };
    return listAll(sl_triangle_ref.size, ask, referenceAt);
  },

  sweep(volume, dir, options) {
    beginOn(this);
    putVolume(volume);
    putVec3((sweep.p + sl_sweep_d.at.dir) >>> 3, dir, 'dir');
    const chosen = putOptions(options);
    const met = c.sl_bvh_sweep_d(pointerOf(this), sweep.p, chosen, contact.p);
    settle();
    if (met === 0) return null;
    const { at } = sl_contact;
    const tSafe = f64[(contact.p + at.t_safe) >>> 3];
    return { ...readStruct(sl_contact, contact.p, CONTACT), tSafe, start: STARTS[u32[(contact.p + at.start) >>> 2]] };
  },
};

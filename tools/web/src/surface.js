// Where a hit lies, and the corners of a triangle.
import { refuse } from './errors.js';
import { sl_surface, sl_triangle_ref } from './layouts.js';
import { beginOn, pointerOf } from './lifetime.js';
import { c, f64, place, u32 } from './memory.js';
import { number, record, whole } from './numbers.js';

const reference = place(sl_triangle_ref.size);
const surface = place(sl_surface.size);
const corners = place(72);

function putReference(prim, instance) {
  whole(prim, 'prim');
  whole(instance, 'instance');
  u32[reference.i + (sl_triangle_ref.at.instance >> 2)] = instance;
  u32[reference.i + (sl_triangle_ref.at.prim >> 2)] = prim;
  return reference.p;
}

const doublesAt = (p, count) => f64.slice(p >> 3, (p >> 3) + count);

export const questions = {
  surface(hit) {
    beginOn(this);
    const { prim, instance = 0, u, v } = record(hit, 'hit');
    number(u, 'u');
    number(v, 'v');
    const p = putReference(prim, instance);
    if (c.sl_bvh_surface(pointerOf(this), p, u, v, 1, surface.p) === 0) {
      refuse(`there is no surface at triangle ${prim} of instance ${instance}`, 'BAD_INDEX');
    }
    const { at } = sl_surface;
    return {
      point: doublesAt(surface.p + at.point, 3),
      normal: doublesAt(surface.p + at.normal, 3),
      frontOrigin: doublesAt(surface.p + at.front_origin, 3),
      backOrigin: doublesAt(surface.p + at.back_origin, 3),
    };
  },

  triangle(prim, instance = 0) {
    beginOn(this);
    const p = putReference(prim, instance);
    if (c.sl_bvh_triangle(pointerOf(this), p, corners.p) === 0) {
      refuse(`there is no triangle ${prim} of instance ${instance}`, 'BAD_INDEX');
    }
    return doublesAt(corners.p, 9);
  },
};

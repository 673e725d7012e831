// What can be asked: a tree or a scene.  The questions are in rooms of their own, and become methods here.
import { sl_aabb_d, sl_bvh_info } from './layouts.js';
import { Owner, ownedBy, pointerOf } from './lifetime.js';
import { begin, c, f64, place, textAt, u32, u64 } from './memory.js';
import { questions as contact } from './contact.js';
import { questions as pick } from './pick.js';
import { questions as points } from './points.js';
import { questions as rays } from './rays.js';
import { questions as select } from './select.js';
import { questions as snap } from './snap.js';
import { questions as surface } from './surface.js';
import { questions as volumes } from './volumes.js';

const information = place(sl_bvh_info.size);
const box = place(sl_aabb_d.size);
const INFO = sl_bvh_info.at;

let living = 0;
export const livingTargets = () => living;

/** What C says about a tree. */
export function infoOf(pointer) {
  begin();
  c.sl_bvh_get_info(information.p, pointer);
  const word = (at) => u32[(information.p + at) >> 2];
  return {
    triangleCount: Number(u64[(information.p + INFO.triangle_count) >> 3]),
    primCount: word(INFO.prim_count),
    instanceCount: word(INFO.instance_count),
    memory: word(INFO.bytes),
    kernel: textAt(word(INFO.kernel)),
  };
}

export class Target extends Owner {
  constructor(key, pointer, uses) {
    super(key, pointer, destroy, uses);
    living++;
  }

  get bounds() {
    const pointer = pointerOf(this);
    begin();
    c.sl_bvh_bounds(box.p, pointer);
    const [min, max] = [f64.slice(box.d, box.d + 3), f64.slice(box.d + 3, box.d + 6)];
    return min.every((low, axis) => low <= max[axis]) ? { min, max } : null;
  }

  get triangleCount() {
    return infoOf(pointerOf(this)).triangleCount;
  }

  get memory() {
    return infoOf(pointerOf(this)).memory;
  }
}

function destroy(pointer) {
  living--;
  c.sl_bvh_destroy(pointer);
}

/** The old memory of a target is that of another one now: it has none any more, and counts as disposed. */
export function takeOver(target) {
  ownedBy(target).pointer = 0;
  living--;
  target.dispose();
}

for (const questions of [rays, points, volumes, contact, surface, pick, snap, select]) {
  for (const [name, value] of Object.entries(questions)) {
    Object.defineProperty(Target.prototype, name, { value, writable: true, configurable: true });
  }
}

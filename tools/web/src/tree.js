// A tree over triangles: built, refitted, kept as bytes.
import { settle, useProgress } from './callbacks.js';
import { check, error } from './check.js';
import { refuse } from './errors.js';
import { arraysOf, meshOfArrays, withArrays } from './geometry.js';
import { sl_build_def, sl_refit_def } from './layouts.js';
import { beginOn, KEY, ownedBy, pointerOf } from './lifetime.js';
import { begin, c, place, u32, u8, withRoom, writeStruct } from './memory.js';
import { Mesh } from './mesh.js';
import { bytesIn, record, typedArray, word } from './numbers.js';
import { infoOf, Target } from './target.js';
import { featureAngleOf, topologyOf } from './topology.js';

const QUALITIES = ['default', 'fast', 'high'];
const DEF = ['quality', 'bad', 'masks', 'progress'];
const def = place(sl_build_def.size);
const refitDef = place(sl_refit_def.size);
const made = place(8);

function masksIn(masks, count) {
  const list = typedArray(masks, 'masks', 'Uint32Array');
  if (list.length !== count) refuse(`masks: ${list.length} numbers for ${count} triangles`);
  return list;
}

// Runs with masks in memory of C's; without any, with 0.
function withMasks(masks, count, run) {
  if (masks === undefined) return run(0);
  const list = masksIn(masks, count);
  return withRoom(4 * count + 4, (p) => {
    u32.set(list, p >>> 2);
    return run(p);
  });
}

function buildOver(mesh, count, { quality, masks, progress }) {
  const level = word(quality, 'quality', QUALITIES);
  return withMasks(masks, count, (p) => {
    writeStruct(sl_build_def, def.p, { quality: level, masks: p, hooks_progress_report: useProgress(progress) });
    const result = c.sl_bvh_build(mesh, def.p, made.p, error.p);
    settle();
    check(result);
    return u32[made.i];
  });
}

/** A tree over nothing, which tells what the engine is. */
export function emptyTree() {
  begin();
  const mesh = meshOfArrays({ position: [], index: null });
  try {
    return buildOver(mesh, 0, {});
  } finally {
    c.sl_mesh_destroy(mesh);
  }
}

const trianglesOf = ({ position, index }) => Math.floor(index === null ? position.length / 9 : index.length / 3);

export class Tree extends Target {
  // What the tree was built from: arrays of the caller's or a Mesh; null where it came from a file.
  #source;

  constructor(key, pointer, source) {
    super(key, pointer, []);
    this.#source = source;
  }

  static build(mesh, given) {
    begin();
    const chosen = { ...record(given, 'def', DEF) };
    if (mesh instanceof Mesh) return new Tree(KEY, buildOver(pointerOf(mesh, 'mesh'), mesh.triangleCount, chosen), mesh);
    const arrays = arraysOf(mesh);
    const copy = meshOfArrays(arrays, chosen.bad);
    try {
      return new Tree(KEY, buildOver(copy, trianglesOf(arrays), chosen), arrays);
    } finally {
      c.sl_mesh_destroy(copy);
    }
  }

  static fromBytes(bytes) {
    begin();
    const list = bytesIn(bytes, 'bytes');
    return withRoom(Math.max(1, list.length), (p) => {
      u8.set(list, p);
      check(c.sl_bvh_load_memory(p, list.length, 0, made.p, error.p));
      return new Tree(KEY, u32[made.i], null);
    });
  }

  toBytes() {
    beginOn(this);
    const pointer = pointerOf(this);
    const size = c.sl_bvh_save_memory(pointer, 0);
    return withRoom(size, (p) => {
      c.sl_bvh_save_memory(pointer, p);
      return u8.slice(p, p + size);
    });
  }

  // A tree that is changed where it stands may have no other user.
  #alone() {
    const owned = ownedBy(this);
    if (owned.users > 1) refuse('a scene or a marquee has the tree: dispose that first, also one that was forgotten, or build another tree');
    return owned;
  }

  refit(positions) {
    beginOn(this);
    const arrays = this.#moved(arraysOf(Array.isArray(positions) || ArrayBuffer.isView(positions) ? { position: positions } : positions).position);
    const owned = this.#alone();
    withArrays(arrays, (xyz, vertices, indices, triangles) => {
      writeStruct(sl_refit_def, refitDef.p, { recycle: owned.pointer });
      check(c.sl_bvh_refit(owned.pointer, xyz, vertices, indices, triangles, refitDef.p, made.p, error.p));
    });
    owned.pointer = u32[made.i];
    this.#source = arrays;
  }

  // The same triangles at new positions.
  #moved(position) {
    const source = this.#source instanceof Mesh ? { index: this.#source.faces } : this.#source ?? { index: null };
    return { ...source, position };
  }

  get drift() {
    beginOn(this);
    return c.sl_bvh_drift(pointerOf(this));
  }

  setMasks(masks) {
    beginOn(this);
    const owned = this.#alone();
    const count = infoOf(owned.pointer).primCount;
    withMasks(masks ?? new Uint32Array(count), count, (p) => {
      writeStruct(sl_refit_def, refitDef.p, { recycle: owned.pointer, masks: p });
      check(c.sl_bvh_set_masks(owned.pointer, count, refitDef.p, made.p, error.p));
    });
    owned.pointer = u32[made.i];
  }

  get hash() {
    beginOn(this);
    return BigInt.asUintN(64, c.sl_bvh_mesh_hash(pointerOf(this)));
  }

  topology(given) {
    const angle = featureAngleOf(given);
    beginOn(this);
    if (this.#source instanceof Mesh) return topologyOf(pointerOf(this.#source, 'the mesh that the tree was built from'), angle);
    const mesh = meshOfArrays(this.#source ?? this.#corners(), 'leave-out');
    try {
      return topologyOf(mesh, angle);
    } finally {
      c.sl_mesh_destroy(mesh);
    }
  }

  // The corners of all triangles; those that were left out are none.
  #corners() {
    const count = infoOf(pointerOf(this)).primCount;
    const position = new Float32Array(9 * count).fill(NaN);
    for (let prim = 0; prim < count; prim++) {
      try {
        position.set(this.triangle(prim), 9 * prim);
      } catch (thrown) {
        if (thrown.code !== 'BAD_INDEX') throw thrown;
      }
    }
    return { position, index: null };
  }

  check() {
    beginOn(this);
    if (c.sl_bvh_check(pointerOf(this), 0, error.p) === 0) check(5);
  }
}

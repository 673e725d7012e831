// A tree over instances: trees under transforms, shared and nested, and its later versions.
import { check, error } from './check.js';
import { refuse } from './errors.js';
import { sl_instance, sl_instances_def, sl_path_step } from './layouts.js';
import { beginOn, KEY, ownedBy, pointerOf } from './lifetime.js';
import { begin, c, f64, place, u32, u8, withRoom, writeStruct } from './memory.js';
import { mat4, number, putTransform, record, typedArray, whole, word } from './numbers.js';
import { infoOf, takeOver, Target } from './target.js';
import { Topology } from './topology.js';

const BAD = ['refuse', 'leave-out'];
const QUALITIES = ['default', 'fast'];
const NONE = 0xffffffff;
const ROW = sl_instance.size;
const AT = sl_instance.at;

const def = place(sl_instances_def.size);
const made = place(8);
const PLACED = ['tree', 'matrix', 'mask', 'id', 'grid', 'topology'];
const DEF = ['bad', 'quality', 'recycle', 'staticMemory'];
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

function putInstance(p, pointer, grid, id, mask) {
  u32[(p + AT.bvh) >>> 2] = pointer;
  f64[(p + AT.grid) >>> 3] = grid;
  u32[(p + AT.id) >>> 2] = id;
  u32[(p + AT.mask) >>> 2] = mask;
}

// An instance of the caller's, looked at before anything changes.
function placedOf(given, i) {
  const { tree, matrix = IDENTITY, mask = 0, id = 0, grid = 0, topology = null } = record(given, `instance ${i}`, PLACED);
  if (given === undefined) refuse(`instance ${i} is undefined, and not null`);
  const owned = ownedOf(tree, i);
  if (topology !== null && !(topology instanceof Topology)) refuse(`the topology of instance ${i} is none`);
  const elements = mat4(matrix, `the matrix of instance ${i}`);
  return { owned, elements, mask: whole(mask, `the mask of instance ${i}`), id: whole(id, `the id of instance ${i}`), grid: number(grid, `the grid of instance ${i}`), topology: topologiesOf(tree, topology) };
}

function putPlaced(p, one, i) {
  putTransform((p + AT.transform) >>> 3, one.elements, 0, `the matrix of instance ${i}`);
  putInstance(p, one.owned.pointer, one.grid, one.id, one.mask);
}

function listed(instances, count) {
  if (!Array.isArray(instances)) refuse('instances are no array');
  if (count !== undefined && instances.length !== count) refuse(`next() takes all ${count} instances, not ${instances.length}; Scene.build() makes a scene of others`);
  return instances.map((one, i) => (one === null ? null : placedOf(one, i)));
}

function ownedOf(tree, i) {
  if (!(tree instanceof Target)) refuse(`the tree of instance ${i} is no Tree and no Scene`);
  return ownedBy(tree, `the tree of instance ${i}`);
}

// Instances by their transforms: write(p) writes those of count rows.
function transformsOf(transforms, count) {
  const list = typedArray(transforms, 'transforms', 'Float32Array', 'Float64Array');
  const each = list instanceof Float64Array ? 12 : 16;
  if (list.length % each !== 0) refuse(`transforms: ${list.length} numbers, which is no multiple of ${each}: a Float64Array has 12 for each, a Float32Array 16`);
  if (count !== undefined && list.length !== count * each) refuse(`next() takes ${count} transforms, not ${list.length / each}; Scene.of() makes a scene of others`);
  const write = (p) => {
    for (let i = 0, to = (p + AT.transform) >>> 3; i < list.length / each; i++, to += ROW >>> 3) {
      if (each === 16) putTransform(to, list, 16 * i, `transform ${i}`);
      else for (let k = 0; k < 12; k++) f64[to + k] = list[12 * i + k];
    }
  };
  return { count: list.length / each, write };
}

// The topology of an instance; of one that is a scene, one for each number that it has.
function topologiesOf(tree, topology) {
  return tree instanceof Scene ? (tree.topologies ?? new Array(tree.instanceCount).fill(null)) : topology;
}

// The topologies of all numbers; of versions that have the same, one array.
const flat = (tops) => (tops.flat().every((one) => one === null) ? null : tops.flat());

export class Scene extends Target {
  #rows; // the instances as C has them, which next() goes on with
  #tops; // of each instance its topology, or those of a nested scene
  #topologies;

  constructor(key, pointer, owned, { rows, tops, topologies } = {}) {
    super(key, pointer, owned);
    this.#rows = rows;
    this.#tops = tops;
    this.#topologies = topologies;
  }

  static build(instances, given) {
    begin();
    const placed = listed(instances);
    const tops = placed.map((one) => one?.topology ?? null);
    const write = (p) => {
      u8.fill(0, p, p + placed.length * ROW);
      placed.forEach((one, i) => one !== null && putPlaced(p + i * ROW, one, i));
    };
    const owned = placed.flatMap((one) => one?.owned ?? []);
    return make({ count: placed.length, owned, write, tops, topologies: flat(tops) }, null, given);
  }

  static of(tree, transforms, given) {
    begin();
    const owned = ownedOf(tree, 0);
    const { count, write } = transformsOf(transforms);
    const writeAll = (p) => {
      for (let i = 0; i < count; i++) putInstance(p + i * ROW, owned.pointer, 0, 0, 0);
      write(p);
    };
    const tops = new Array(count).fill(topologiesOf(tree, null));
    return make({ count, owned: [owned], write: writeAll, tops, topologies: flat(tops) }, null, given);
  }

  get instanceCount() {
    return infoOf(pointerOf(this)).instanceCount;
  }

  /** The topologies that its instances were given, one for each number, or null. */
  get topologies() {
    return this.#topologies;
  }

  next(moved, given) {
    beginOn(this);
    const count = this.#rows.length / ROW;
    const { uses } = ownedBy(this);
    const old = { count, owned: uses, tops: this.#tops, topologies: this.#topologies };
    const write = (p) => u8.set(this.#rows, p);
    if (!Array.isArray(moved)) {
      const { write: writeMoved } = transformsOf(moved, count);
      return make({ ...old, write: (p) => (write(p), writeMoved(p)) }, this, given);
    }
    const placed = listed(moved, count);
    const owned = [...uses, ...placed.flatMap((one) => one?.owned ?? [])];
    const changed = placed.some((one, i) => one !== null && one.topology !== this.#tops[i]);
    const tops = changed ? this.#tops.map((top, i) => (placed[i] === null ? top : placed[i].topology)) : this.#tops;
    const writeAll = (p) => {
      write(p);
      placed.forEach((one, i) => one !== null && putPlaced(p + i * ROW, one, i));
    };
    return make({ count, owned, write: writeAll, tops, topologies: changed ? flat(tops) : this.#topologies }, this, given);
  }

  path(instance) {
    beginOn(this);
    const pointer = pointerOf(this);
    whole(instance, 'instance');
    const most = 17; // scenes are nested 16 deep
    return withRoom(most * sl_path_step.size, (p) => {
      if (c.sl_bvh_path(pointer, instance, p, most, made.p) === 0) refuse(`there is no instance ${instance}`, 'BAD_INDEX');
      return Array.from({ length: u32[made.i] }, (_, i) => {
        const step = (p + i * sl_path_step.size) >>> 2;
        return { index: u32[step], id: u32[step + 1] };
      });
    });
  }
}

// The trees of rows; most rows have the one of the row before.
function pointersOf(p, count) {
  const used = new Set();
  for (let i = 0, row = (p + AT.bvh) >>> 2, last = -1; i < count; i++, row += ROW >>> 2) {
    if (u32[row] !== last) used.add((last = u32[row]));
  }
  return used;
}

// The memory of a version that nothing else uses.
function recycled(recycle) {
  if (recycle === undefined || recycle === null) return null;
  if (!(recycle instanceof Scene)) refuse('recycle is no Scene');
  const owned = ownedBy(recycle, 'recycle');
  if (owned.users > 1) refuse('another scene or a marquee has recycle');
  return owned;
}

function make(version, previous, given) {
  const { bad, quality, recycle, staticMemory = 0 } = record(given, 'def', DEF);
  const old = recycled(recycle);
  if (version.owned.some(({ pointer }) => pointer === 0)) refuse('a tree of the scene has been disposed meanwhile', 'DISPOSED');
  const before = previous === null ? 0 : pointerOf(previous);
  const memory = staticMemory === Infinity ? NONE : whole(staticMemory, 'staticMemory');
  const chosen = { bad: word(bad, 'bad', BAD), quality: word(quality, 'quality', QUALITIES), static_memory: memory };
  return withRoom(Math.max(ROW, version.count * ROW), (p) => {
    version.write(p);
    writeStruct(sl_instances_def, def.p, { ...chosen, previous: before, recycle: old?.pointer ?? 0 });
    check(c.sl_bvh_build_instances(p, version.count, def.p, made.p, error.p));
    const used = pointersOf(p, version.count);
    const owned = [...new Set(version.owned)].filter(({ pointer }) => used.has(pointer));
    const rows = u8.slice(p, p + version.count * ROW);
    const scene = new Scene(KEY, u32[made.i], owned, { ...version, rows });
    if (old !== null) takeOver(recycle);
    return scene;
  });
}

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
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

function putInstance(p, pointer, grid, id, mask) {
  u32[(p + AT.bvh) >> 2] = pointer;
  f64[(p + AT.grid) >> 3] = grid;
  u32[(p + AT.id) >> 2] = id;
  u32[(p + AT.mask) >> 2] = mask;
}

// Instances as the caller lists them, looked at before anything changes: rows that put(p, i) writes.
function placedRows(instances) {
  if (!Array.isArray(instances)) refuse('instances are no array');
  const placed = instances.map((one, i) => {
    if (one === null) return null;
    const { tree, matrix = IDENTITY, mask = 0, id = 0, grid = 0, topology = null } = record(one, `instance ${i}`);
    const owned = ownedOf(tree, i);
    if (topology !== null && !(topology instanceof Topology)) refuse(`the topology of instance ${i} is none`);
    const elements = mat4(matrix, `the matrix of instance ${i}`);
    return { tree, owned, elements, mask: whole(mask, 'mask'), id: whole(id, 'id'), grid: number(grid, 'grid'), topology };
  });
  const put = (p, i) => {
    const one = placed[i];
    if (one === null) u8.fill(0, p, p + ROW);
    else {
      putTransform((p + AT.transform) >> 3, one.elements, 0, `the matrix of instance ${i}`);
      putInstance(p, one.owned.pointer, one.grid, one.id, one.mask);
    }
  };
  const owned = new Set(placed.filter((one) => one !== null).map((one) => one.owned));
  return { count: placed.length, owned: [...owned], put, topologies: topologiesOf(placed) };
}

function ownedOf(tree, i) {
  if (!(tree instanceof Target)) refuse(`the tree of instance ${i} is no Tree and no Scene`);
  return ownedBy(tree, `the tree of instance ${i}`);
}

// One for each number, of which a nested scene takes as many as it has; null where there are none.
function topologiesOf(placed) {
  if (placed.every((one) => one === null || (one.topology === null && !(one.tree instanceof Scene && one.tree.topologies !== null)))) return null;
  return placed.flatMap((one) => {
    if (one === null || !(one.tree instanceof Scene)) return [one?.topology ?? null];
    return one.tree.topologies ?? new Array(one.tree.instanceCount).fill(null);
  });
}

// Instances by their transforms: of one tree, or of the trees of an earlier version, of which rest is what stays.
function transformRows(transforms, count, { owned, topologies, rest, putRest }) {
  const list = typedArray(transforms, 'transforms', 'Float32Array', 'Float64Array');
  const each = list instanceof Float64Array ? 12 : 16;
  if (list.length % each !== 0) refuse(`transforms: ${list.length} numbers, which is no multiple of ${each}`);
  if (count !== null && list.length !== count * each) refuse(`transforms: ${list.length / each} for ${count} instances`);
  const put = (p, i) => {
    const to = (p + AT.transform) >> 3;
    if (each === 16) putTransform(to, list, 16 * i, `transform ${i}`);
    else for (let k = 0; k < 12; k++) f64[to + k] = list[12 * i + k];
    putRest(p, i);
  };
  return { count: list.length / each, owned, put, topologies, rest };
}

export class Scene extends Target {
  #rest; // pointer, grid, id and mask of each instance, which next() goes on with
  #topologies;

  constructor(key, pointer, owned, rest, topologies) {
    super(key, pointer, owned);
    this.#rest = rest;
    this.#topologies = topologies;
  }

  static build(instances, given) {
    begin();
    return make(placedRows(instances), null, given);
  }

  static of(tree, transforms, given) {
    begin();
    const owned = ownedOf(tree, 0);
    const putRest = (p) => putInstance(p, owned.pointer, 0, 0, 0);
    return make(transformRows(transforms, null, { owned: [owned], topologies: null, putRest }), null, given);
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
    const owned = ownedBy(this);
    if (Array.isArray(moved)) return make(placedRows(moved), this, given);
    const rest = this.#rest;
    const putRest = (p, i) => {
      putInstance(p, rest[4 * i], rest[4 * i + 1], rest[4 * i + 2], rest[4 * i + 3]);
      if (rest[4 * i] === 0) u8.fill(0, p, p + ROW);
    };
    const same = { owned: owned.uses, topologies: this.#topologies, rest, putRest };
    return make(transformRows(moved, rest.length / 4, same), this, given);
  }

  path(instance) {
    beginOn(this);
    const pointer = pointerOf(this);
    whole(instance, 'instance');
    const most = 17; // scenes are nested 16 deep
    return withRoom(most * sl_path_step.size, (p) => {
      if (c.sl_bvh_path(pointer, instance, p, most, made.p) === 0) refuse(`there is no instance ${instance}`, 'BAD_INDEX');
      return Array.from({ length: u32[made.i] }, (_, i) => {
        const step = (p + i * sl_path_step.size) >> 2;
        return { index: u32[step], id: u32[step + 1] };
      });
    });
  }
}

// What next() needs of each row, besides transforms.
function restOf(p, count) {
  const rest = new Float64Array(4 * count);
  for (let i = 0, row = p; i < count; i++, row += ROW) {
    rest[4 * i] = u32[(row + AT.bvh) >> 2];
    rest[4 * i + 1] = f64[(row + AT.grid) >> 3];
    rest[4 * i + 2] = u32[(row + AT.id) >> 2];
    rest[4 * i + 3] = u32[(row + AT.mask) >> 2];
  }
  return rest;
}

// The memory of a version that nothing else uses.
function recycled(recycle) {
  if (recycle === undefined || recycle === null) return null;
  if (!(recycle instanceof Scene)) refuse('recycle is no Scene');
  const owned = ownedBy(recycle, 'recycle');
  if (owned.users > 1) refuse('recycle is in another scene');
  return owned;
}

function make(rows, previous, given) {
  const { bad, quality, recycle, staticMemory = 0 } = record(given, 'def');
  const old = recycled(recycle);
  const before = previous === null ? 0 : pointerOf(previous);
  const memory = staticMemory === Infinity ? NONE : whole(staticMemory, 'staticMemory');
  const chosen = { bad: word(bad, 'bad', BAD), quality: word(quality, 'quality', QUALITIES), static_memory: memory };
  return withRoom(Math.max(ROW, rows.count * ROW), (p) => {
    for (let i = 0; i < rows.count; i++) rows.put(p + i * ROW, i);
    writeStruct(sl_instances_def, def.p, { ...chosen, previous: before, recycle: old?.pointer ?? 0 });
    check(c.sl_bvh_build_instances(p, rows.count, def.p, made.p, error.p));
    const pointer = u32[made.i];
    const scene = new Scene(KEY, pointer, rows.owned, rows.rest ?? restOf(p, rows.count), rows.topologies);
    if (old !== null) takeOver(recycle);
    return scene;
  });
}

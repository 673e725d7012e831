// Trees of geometries, and of objects whose vertices a pose moves.
import { Vector3 } from 'three';

const moved = new Vector3();

/** Positions as plain floats. */
function positionsOf(attribute) {
  const { array, itemSize, count } = attribute;
  const plain = array instanceof Float32Array && itemSize === 3 && !attribute.isInterleavedBufferAttribute;
  if (plain) return array.length === 3 * count ? array : array.subarray(0, 3 * count);
  return filled(count, (i, to) => to.fromBufferAttribute(attribute, i));
}

function filled(count, put) {
  const list = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    put(i, moved);
    moved.toArray(list, 3 * i);
  }
  return list;
}

const versionOf = (attribute) => attribute?.data?.version ?? attribute?.version ?? -1;

/** What changes when an attribute gets needsUpdate, or another takes its place. */
export class Seen {
  #last = [];

  /** Whether it changed since this was asked last. */
  changed(...attributes) {
    const now = attributes.flatMap((attribute) => [attribute, versionOf(attribute)]);
    const same = now.every((one, i) => one === this.#last[i]);
    this.#last = now;
    return !same;
  }
}

const cornersOf = ({ index }) => (index === null ? null : index.array.subarray(0, index.count));

/** Whether the vertices of an object are elsewhere than its geometry says. */
export function isPosed(object) {
  const morphs = object.geometry?.morphAttributes?.position !== undefined;
  return object.isSkinnedMesh === true || (morphs && (object.morphTargetInfluences ?? []).some((influence) => influence !== 0));
}

/** The tree of a geometry, whole: also of triangles that are outside of its draw range now. */
export class TreeEntry {
  #engine;
  #def;
  #positions = new Seen();
  #index = new Seen();

  constructor(engine, geometry, def) {
    this.#engine = engine;
    this.#def = { bad: 'leave-out', ...def };
    this.geometry = geometry;
    this.users = new Set(); // scenes, which end before the tree changes
    this.target = null;
  }

  /** Takes over what got needsUpdate. */
  refresh() {
    const { index, attributes } = this.geometry;
    const others = this.#index.changed(index);
    if (this.#positions.changed(attributes.position) || others) this.renew(others);
  }

  /** Takes over all that may have changed. */
  update() {
    this.renew(true);
  }

  positions() {
    return positionsOf(this.geometry.attributes.position);
  }

  /** The same triangles are refitted, until that has made the tree worse by half. */
  renew(others) {
    for (const user of this.users) user.release();
    if (!others && this.#refitted()) return;
    this.target?.dispose();
    this.target = null;
    this.target = this.#engine.Tree.build({ position: this.positions(), index: cornersOf(this.geometry) }, this.#def);
  }

  #refitted() {
    if (this.target === null) return false;
    try {
      this.target.refit(this.positions());
    } catch (error) {
      if (error.code === 'OUT_OF_MEMORY') throw error;
      return false; // triangles that cannot be had any more: only a build leaves them out
    }
    return this.target.drift < 1.5;
  }

  /** The parts of a hit: its triangle, and what a corner's place is. */
  primOf(hit) {
    return hit.prim;
  }

  cornerAt(object, vertex, to) {
    return to.fromBufferAttribute(this.geometry.attributes.position, vertex);
  }

  mark() {}

  dispose() {
    for (const user of this.users) user.release();
    this.target?.dispose();
    this.target = null;
  }
}

/** The tree of an object whose vertices are posed; update() takes over a pose. */
export class PosedEntry extends TreeEntry {
  #object;
  #index = new Seen();

  constructor(engine, object, def) {
    super(engine, object.geometry, def);
    this.#object = object;
  }

  // Positions are left as they are until update(): three.js has no mark of bones that have moved.
  refresh() {
    if (this.#index.changed(this.geometry.index) || this.target === null) this.renew(true);
  }

  update() {
    this.renew(this.#index.changed(this.geometry.index));
  }

  positions() {
    const object = this.#object;
    return filled(this.geometry.attributes.position.count, (i, to) => object.getVertexPosition(i, to));
  }

  cornerAt(object, vertex, to) {
    return object.getVertexPosition(vertex, to);
  }
}

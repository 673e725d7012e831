// Scenes over the instances of an InstancedMesh or a BatchedMesh.
import { Matrix4 } from 'three';
import { Seen, TreeEntry } from './trees.js';

const matrix = new Matrix4();
const BAD = { bad: 'leave-out' }; // an instance scaled to nothing is not there

/** The scene of an InstancedMesh over its geometry's tree. */
export class InstancesEntry {
  #engine;
  #tree;
  #matrices = new Seen();

  constructor(engine, object, tree) {
    this.#engine = engine;
    this.#tree = tree;
    this.object = object;
    this.geometry = object.geometry;
    this.target = null;
    tree.users.add(this);
  }

  refresh() {
    this.#tree.refresh();
    const changed = this.#matrices.changed(this.object.instanceMatrix);
    const { count, instanceMatrix } = this.object;
    if (this.target !== null && !changed && this.target.instanceCount === count) return;
    const transforms = instanceMatrix.array.subarray(0, 16 * count);
    const before = this.target;
    const next = before !== null && before.instanceCount === count ? before.next(transforms, BAD) : null;
    this.target = next ?? this.#engine.Scene.of(this.#tree.target, transforms, BAD);
    before?.dispose();
  }

  update() {
    this.release();
  }

  primOf(hit) {
    return hit.prim;
  }

  cornerAt(object, vertex, to) {
    return this.#tree.cornerAt(object, vertex, to);
  }

  mark(intersection, hit) {
    intersection.instanceId = hit.instance;
  }

  release() {
    this.target?.dispose();
    this.target = null;
  }

  dispose() {
    this.release();
    this.#tree.users.delete(this);
  }
}

/** The scene of a BatchedMesh over a tree for each of its geometries. */
export class BatchEntry {
  #engine;
  #def;
  #arrays = new Seen();
  #matrices = new Seen();
  #trees = new Map(); // by the number of the geometry
  #placed = []; // the geometry of each instance in the scene

  constructor(engine, object, def) {
    this.#engine = engine;
    this.#def = def;
    this.object = object;
    this.geometry = object.geometry;
    this.target = null;
  }

  refresh() {
    const { index, attributes } = this.object.geometry;
    const otherArrays = this.#arrays.changed(index, attributes.position);
    if (otherArrays || this.geometry !== this.object.geometry) this.#forget();
    this.geometry = this.object.geometry;
    const otherPlaces = this.#matrices.changed(this.object._matricesTexture);
    const infos = this.object._instanceInfo;
    const same = infos.length === this.#placed.length && infos.every((info, i) => geometryOf(info) === this.#placed[i]);
    if (this.target !== null && same && !otherPlaces) return;
    this.#placed = infos.map(geometryOf);
    const before = this.target;
    this.target = this.#engine.Scene.build(this.#placed.map((id, i) => this.#instance(id, i)), BAD);
    before?.dispose();
  }

  update() {
    this.#forget();
  }

  #instance(id, i) {
    if (id < 0) return null;
    return { tree: this.#treeOf(id), matrix: this.object.getMatrixAt(i, matrix).clone() };
  }

  // The vertices and corners of one geometry, which lie in arrays with those of the others.
  #treeOf(id) {
    if (!this.#trees.has(id)) {
      const { vertexStart, vertexCount, start, count } = this.object.getGeometryRangeAt(id);
      const { index, attributes } = this.geometry;
      const part = {
        index: index && { array: index.array.subarray(start, start + count).map((vertex) => vertex - vertexStart), count },
        attributes: { position: partOf(attributes.position, vertexStart, vertexCount) },
      };
      const entry = new TreeEntry(this.#engine, part, this.#def);
      entry.refresh();
      this.#trees.set(id, entry);
    }
    return this.#trees.get(id).target;
  }

  /** Whether an instance is drawn. */
  shows(instance) {
    const { visible, active } = this.object._instanceInfo[instance];
    return visible && active;
  }

  primOf(hit) {
    return this.object.getGeometryRangeAt(this.#placed[hit.instance]).start / 3 + hit.prim;
  }

  cornerAt(object, vertex, to) {
    return to.fromBufferAttribute(this.geometry.attributes.position, vertex);
  }

  mark(intersection, hit) {
    intersection.batchId = hit.instance;
  }

  #forget() {
    this.target?.dispose();
    this.target = null;
    for (const tree of this.#trees.values()) tree.dispose();
    this.#trees.clear();
  }

  dispose() {
    this.#forget();
  }
}

const geometryOf = ({ active, geometryIndex }) => (active ? geometryIndex : -1);

function partOf(attribute, first, count) {
  const { itemSize, array } = attribute;
  const part = array.subarray(first * itemSize, (first + count) * itemSize);
  return new attribute.constructor(part, itemSize, attribute.normalized);
}

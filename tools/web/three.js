// sightline/three: raycasts of three.js answered by trees of sightline.
//
// An Accelerator knows one engine, and what was added to it.  An intersection is what three.js would make of the same hit.
// What an accelerator cannot answer exactly as three.js means it is left to three.js: objects that were not added, a vertex
// that a pose has moved where the object has no tree of its own, and ranges that do not begin at a triangle.
import { BatchedMesh, InstancedMesh, Mesh, SkinnedMesh } from 'three';
import { BatchEntry, InstancesEntry } from './three/instances.js';
import { isPosed, PosedEntry, TreeEntry } from './three/trees.js';
import { answer } from './three/answer.js';

const CLASSES = [SkinnedMesh, InstancedMesh, BatchedMesh, Mesh]; // the derived ones first
const OWN = CLASSES.map((one) => one.prototype.raycast);

export class Accelerator {
  #engine;
  #entries = new Map(); // of geometries and objects
  #methods = new Set(); // functions of ours that may stand where three.js has its own

  /** @param engine what has Tree and Scene: the module sightline or sightline/slim */
  constructor({ Tree, Scene }) {
    this.#engine = { Tree, Scene };
    this.raycastMethod = this.#method();
  }

  /** Builds what an object needs. */
  add(object, def) {
    const geometry = object.geometry ?? object;
    this.remove(object);
    if (object.isBatchedMesh) this.#entries.set(object, new BatchEntry(this.#engine, object, def));
    else if (object.isSkinnedMesh || (object.isMesh && !object.isInstancedMesh && geometry.morphAttributes.position)) {
      this.#entries.set(object, new PosedEntry(this.#engine, object, def));
    } else {
      if (!this.#entries.has(geometry)) this.#entries.set(geometry, new TreeEntry(this.#engine, geometry, def));
      if (object.isInstancedMesh) this.#entries.set(object, new InstancesEntry(this.#engine, object, this.#entries.get(geometry)));
    }
    return this;
  }

  /** Adds all meshes of a graph that have none. */
  addAll(root, def) {
    root.traverse((object) => {
      if (object.isMesh && this.#entryOf(object) === undefined) this.add(object, def);
    });
    return this;
  }

  /** Frees what is there for an object, or for a geometry, which several objects may use. */
  remove(object) {
    this.#entries.get(object)?.dispose();
    this.#entries.delete(object);
  }

  dispose() {
    // Scenes first: they use trees.
    for (const object of [...this.#entries.keys()].reverse()) this.remove(object);
  }

  /** Takes over the pose of a skinned or morphing mesh, and what was written into arrays without needsUpdate. */
  update(object) {
    this.#entries.get(object.geometry)?.update();
    this.#entries.get(object)?.update();
  }

  /** The tree or scene that answers for an object or a geometry; it belongs to the accelerator. */
  treeOf(object) {
    const entry = this.#entryOf(object);
    entry?.refresh();
    return entry?.target;
  }

  /** What object.raycast does. */
  raycast(object, raycaster, intersects = []) {
    const entry = this.#entryOf(object);
    const stop = entry !== undefined && answer(entry, object, raycaster, intersects) ? undefined : this.#own(object, raycaster, intersects);
    return stop === false ? false : intersects;
  }

  intersectObject(raycaster, object, recursive = true, intersects = []) {
    return this.intersectObjects(raycaster, [object], recursive, intersects);
  }

  intersectObjects(raycaster, objects, recursive = true, intersects = []) {
    for (const object of objects) this.#visit(raycaster, object, recursive, intersects);
    return intersects.sort((a, b) => a.distance - b.distance);
  }

  /** Lets every mesh of three.js ask this accelerator; returns what ends that. */
  patch() {
    const before = CLASSES.map((one) => one.prototype.raycast);
    CLASSES.forEach((one) => (one.prototype.raycast = this.raycastMethod));
    return () => CLASSES.forEach((one, i) => (one.prototype.raycast = before[i]));
  }

  #visit(raycaster, object, recursive, intersects) {
    const stops = object.layers.test(raycaster.layers) && this.raycast(object, raycaster, intersects) === false;
    if (stops || !recursive) return;
    for (const child of object.children) this.#visit(raycaster, child, true, intersects);
  }

  // The entry that an object may be answered by.
  #entryOf(object) {
    const own = this.#entries.get(object);
    if (object.isBatchedMesh) return own;
    if (own !== undefined && own.geometry === object.geometry) return own;
    return object.isInstancedMesh || isPosed(object) ? undefined : this.#entries.get(object.geometry);
  }

  // Asks the raycast that the object has of its own, or of its class in three.js, if ours stands in for that.
  #own(object, raycaster, intersects) {
    if (!this.#methods.has(object.raycast)) return object.raycast(raycaster, intersects);
    return OWN[CLASSES.findIndex((one) => object instanceof one)].call(object, raycaster, intersects);
  }

  #method() {
    const accelerator = this;
    function raycast(raycaster, intersects) {
      return accelerator.raycast(this, raycaster, intersects) === false ? false : undefined;
    }
    this.#methods.add(raycast);
    return raycast;
  }
}

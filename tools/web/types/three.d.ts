import type { BatchedMesh, BufferGeometry, Intersection, Mesh, Object3D, Raycaster } from 'three';
import type { BuildDef, Scene, Tree } from './index.js';

declare module 'three' {
  interface Raycaster {
    /** Read by sightline/three: only the closest intersection of each object is wanted. */
    firstHitOnly?: boolean;
  }
}

/** What `import * as sightline from 'sightline'` has; also `sightline/slim`. */
export interface Engine {
  Tree: typeof Tree;
  Scene: typeof Scene;
}

/**
 * Answers three.js's raycasts by trees. Nothing of three.js is changed, unless by `patch()`.
 *
 * An intersection is what three.js would make of the same hit, in the same order; whether there is one is decided exactly, so
 * the two may differ at edges. What was not added is answered by three.js. Attributes with `needsUpdate`, instances' matrices,
 * visibility and draw ranges are taken over at the next raycast; poses (bones, morph influences) and arrays that were
 * changed without `needsUpdate` by `update()`.
 */
export class Accelerator {
  /** @param engine one that has been started: `await init()` */
  constructor(engine: Engine);

  /**
   * Has an object answered: a geometry or a Mesh (one tree for all that share the geometry), an InstancedMesh (a scene over
   * that tree), a BatchedMesh (a scene over a tree for each of its geometries), a SkinnedMesh, and a Mesh with morph targets
   * (a tree of its own). Trees are built at the first raycast. Triangles that have no finite corners are left out, as `def.bad` says.
   */
  add(object: Mesh | BatchedMesh | BufferGeometry, def?: BuildDef): this;
  /** Adds all meshes of a graph that were not added. */
  addAll(root: Object3D, def?: BuildDef): this;
  /** Frees what an object, or a geometry, was given. */
  remove(object: Mesh | BatchedMesh | BufferGeometry): void;
  /** Frees everything. */
  dispose(): void;
  /** Takes over the pose of a skinned or morphing mesh, by a refit, and arrays that changed without `needsUpdate`. */
  update(object: Mesh | BatchedMesh): void;
  /** The tree or scene that answers for it, in the space of the object; it belongs to the accelerator. */
  treeOf(object: Mesh | BatchedMesh | BufferGeometry): Tree | Scene | undefined;

  /** What `object.raycast(raycaster, intersects)` does; false where the object ends the visit of its children. */
  raycast(object: Object3D, raycaster: Raycaster, intersects?: Intersection[]): Intersection[] | false;
  /** What `raycaster.intersectObject` does. */
  intersectObject(raycaster: Raycaster, object: Object3D, recursive?: boolean, intersects?: Intersection[]): Intersection[];
  /** What `raycaster.intersectObjects` does. */
  intersectObjects(raycaster: Raycaster, objects: Object3D[], recursive?: boolean, intersects?: Intersection[]): Intersection[];

  /** For one object: `mesh.raycast = accelerator.raycastMethod`. */
  readonly raycastMethod: (this: Object3D, raycaster: Raycaster, intersects: Intersection[]) => void;
  /** Puts that method into the classes of three.js; returns what takes it out. */
  patch(): () => void;
}

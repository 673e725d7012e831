// sightline in JavaScript: exact ray and proximity queries on triangle meshes.
//
//   import { init, Tree } from 'sightline';
//   await init();
//   const tree = Tree.build(geometry);           // { position, index }, or what looks like a BufferGeometry
//   const hit = tree.closest([0, 0, 5], [0, 0, -1]);
//
// Numbers   Single calls take doubles, as JavaScript's numbers are.  Batches take typed arrays: a Float32Array asks in floats,
//           a Float64Array in doubles.  Coordinates of meshes are floats; doubles are rounded to them.
// Exact     What is hit, touched or nearest is what exact arithmetic says about the numbers as given; t, u, v and distances
//           are exact values, rounded once.  docs/conventions.md says what each word means.
// Units     Those of your scene; t in units of the direction; angles in radians; pixels from the top left corner.
// Memory    Single calls allocate nothing in the engine and, with `out`, nothing in JavaScript.  Batches go through blocks of
//           fixed size.  Trees, scenes, meshes and topologies are freed by dispose(), or when they are forgotten.
// Errors    Everything throws a SightlineError, before anything has changed.  NaN and infinities are no errors in queries:
//           they find nothing.  A name that is unknown in options, a def or a region is refused.
// Arrays    A typed array that is a view of the engine's memory, or of a SharedArrayBuffer or a resizable ArrayBuffer, or
//           that is detached, is refused.

/** Compiles and starts the engine. A later call returns the same promise, whatever it is given; after a failure it may be
 * tried again. Nothing: the module of the package; else a URL, the bytes, a response, or a compiled module.
 * @throws {SightlineError} IO or NOT_FOUND where it cannot be fetched, BAD_DATA where it is no module that runs here. */
export function init(source?: string | URL | ArrayBuffer | Uint8Array | WebAssembly.Module | Response | Promise<Response>): Promise<void>;

/** The same at once, for workers, Node and builds that have the module in them. Browsers refuse it on a page's own thread. */
export function initSync(source?: ArrayBuffer | Uint8Array | WebAssembly.Module): void;

/** Whether the engine has started: a live binding. */
export const ready: boolean;

/** What runs: the version of the library, which kernel, the bytes of the engine's memory (which never shrinks), and how many
 * trees and scenes there are. */
export function info(): { version: string; kernel: 'simd128' | 'scalar'; memory: number; trees: number };

export type Numbers = Float32Array | Float64Array;

/** Three numbers: an array of exactly three, or an object such as a Vector3. */
export type Vec3 = ArrayLike<number> | { x: number; y: number; z: number };

/** Sixteen numbers, column by column: an array, or an object such as a Matrix4. */
export type Mat4 = ArrayLike<number> | { elements: ArrayLike<number> };

/** The number that stands for no triangle, no instance, no vertex. */
export const NONE: 0xffffffff;
/** Bit of Hit.flags: the back was hit. */
export const HIT_BACK: 1;
/** Bit of Hit.flags: on an edge of the triangle, vertices included. */
export const HIT_EDGE: 2;
/** Bit of Hit.flags: on a vertex. */
export const HIT_VERTEX: 4;

/** What goes wrong. The message says what was found and what was expected. */
export class SightlineError extends Error {
  readonly code: 'INVALID_ARGUMENT' | 'OUT_OF_MEMORY' | 'NOT_FOUND' | 'IO' | 'BAD_DATA' | 'BAD_INDEX' | 'NOT_FINITE' | 'UNSUPPORTED' | 'TOO_LARGE' | 'CANCELLED' | 'DISPOSED';
  /** The name that the file was given. */
  readonly file?: string;
  /** From 1 on, of a file that is text. */
  readonly line?: number;
  /** From the start of the file. */
  readonly byte?: number;
  /** Of the triangle, instance or corner at fault. */
  readonly index?: number;
}

/** Where a ray or a segment hits a triangle. */
export interface Hit {
  /** Along the ray, in units of its direction; of a segment 0 to 1. */
  t: number;
  /** Weights of vertices 1 and 2; vertex 0 has 1 - u - v. */
  u: number;
  v: number;
  /** The triangle, by its number in the mesh as it was given. */
  prim: number;
  /** The instance, by its number in the scene; 0 of a tree. */
  instance: number;
  /** HIT_BACK, HIT_EDGE, HIT_VERTEX. */
  flags: number;
}

/** The nearest point of a triangle. The distance is a float. */
export interface Nearest {
  distance: number;
  u: number;
  v: number;
  prim: number;
  instance: number;
  point: [number, number, number];
}

/** Hits as columns, one row an item; a miss has the prim NONE. t is of the number type of the rays. */
export interface Hits {
  t: Numbers;
  u: Float32Array;
  v: Float32Array;
  prim: Uint32Array;
  instance: Uint32Array;
  flags: Uint32Array;
}

/** Nearest points as columns; nothing found has the prim NONE. point has three numbers a row, of the points' type. */
export interface Nearests {
  distance: Float32Array;
  u: Float32Array;
  v: Float32Array;
  prim: Uint32Array;
  instance: Uint32Array;
  point: Numbers;
}

/** Lists, one behind another: that of item i is rows offsets[i] .. offsets[i + 1] - 1 of values. totals[i] is how many there
 * are, which may be more than the capacity that was asked for. */
export interface Lists<T> {
  values: T;
  offsets: Uint32Array;
  totals: Uint32Array;
}

/** Rays (dirs) or segments (targets), three numbers an item; an array of three is shared by all. All of one number type.
 * Limits of rays: a number for all, or one an item; tmin 0 and tmax Infinity where there are none. */
export type Rays = { origins: Numbers; dirs: Numbers; tmin?: Numbers | number; tmax?: Numbers | number } | { origins: Numbers; targets: Numbers };

/** Names a triangle; a Hit does so, too. instance: 0 where it is not said. */
export interface TriangleRef {
  instance?: number;
  prim: number;
}

/** What a question may vary. Nothing said: everything is there. */
export interface Options {
  /** Triangles and instances that share a bit with it; 0: all. */
  mask?: number;
  /** Which side of triangles does not count. */
  cull?: 'none' | 'back' | 'front';
  /** Triangles that are not there. Compared one by one: dozens are cheap. */
  skip?: readonly TriangleRef[];
  /** Instances that are not there, or ranges of them. */
  ignore?: readonly (number | { first: number; count: number })[];
  /** Surfaces crossed rather than triangles touched: a shared edge counts once. Of rays and segments. */
  crossings?: boolean;
  /** A hit at p, or at q, does not count. Of segments. */
  openStart?: boolean;
  openEnd?: boolean;
  /** Whether a hit exists. It must be pure: it may be called for any hit, in any order, more than once. It gets the same
   * object each time, with t rounded to a float, and the index of the item in a batch. It may not call the engine; what it
   * throws comes out of the call. Of rays, segments, sweeps, and of selections of what is seen. */
  filter?: (hit: Hit, index: number) => boolean;
}

/** Options of questions about points and volumes: what is there. */
export interface PlaceOptions {
  mask?: number;
  skip?: readonly TriangleRef[];
  ignore?: readonly (number | { first: number; count: number })[];
}

/** Options of a single ray. */
export interface RayOptions extends Options {
  /** Limits of t, both included: 0 and Infinity. */
  tmin?: number;
  tmax?: number;
}

/** A solid shape; touching counts. The axes of an obb are half as long as the box; they may be skew. Capsules overlap, too. */
export type Volume =
  | { box: { min: Vec3; max: Vec3 } }
  | { sphere: { centre: Vec3; radius: number } }
  | { capsule: { a: Vec3; b: Vec3; radius: number } }
  | { obb: { centre: Vec3; axes: readonly [Vec3, Vec3, Vec3] } }
  | { triangle: readonly [Vec3, Vec3, Vec3] };

/** What pairs of triangles count: those that meet, and with a margin those that are apart by no more. touching: false leaves
 * only those behind which there is material of both: that cross, or share area with their fronts on one side. */
export interface ClashDef {
  margin?: number;
  touching?: boolean;
}

/** Two triangles that meet. */
export interface ClashPair {
  a: TriangleRef;
  b: TriangleRef;
  relation: 'apart' | 'touching' | 'coplanar-same' | 'coplanar-opposite' | 'crossing';
  /** 0 unless they are apart. */
  distance: number;
}

/** The questions: a Tree and a Scene answer all of them. */
export abstract class Target {
  /** A box that holds all triangles; null where there are none. */
  readonly bounds: { min: Float64Array; max: Float64Array } | null;
  /** Of a scene each as often as it is there; those left out are not. */
  readonly triangleCount: number;
  /** Bytes; of a scene without its trees. */
  readonly memory: number;
  readonly disposed: boolean;
  /** Frees it; a tree that a scene has in it is freed with the last such scene. Twice is fine; what is asked after that
   * throws DISPOSED. */
  dispose(): void;
  [Symbol.dispose](): void;

  /** The first hit of a ray, by (t, instance, prim), or null: then out is as it was. */
  closest(origin: Vec3, dir: Vec3, options?: RayOptions, out?: Hit): Hit | null;
  /** The first hit of the segment from p to q; t is 0 at p and 1 at q. */
  closestOf(p: Vec3, q: Vec3, options?: Options, out?: Hit): Hit | null;
  /** Whether a ray hits anything. */
  any(origin: Vec3, dir: Vec3, options?: RayOptions): boolean;
  /** Whether anything is between p and q, both included. */
  occluded(p: Vec3, q: Vec3, options?: Options): boolean;
  /** All hits of a ray, sorted by (t, instance, prim). */
  all(origin: Vec3, dir: Vec3, options?: RayOptions): Hit[];
  /** How many hits there are. */
  count(origin: Vec3, dir: Vec3, options?: RayOptions): number;
  /** The first hit after another one; after null: the first. */
  nextHit(origin: Vec3, dir: Vec3, previous: Hit | null, options?: RayOptions, out?: Hit): Hit | null;
  /** The first hit of each. out: columns to fill, of the right types and exactly as long; others are made. */
  closestMany(rays: Rays, options?: Options, out?: Partial<Hits>): Hits;
  /** Whether each hits anything, as 1 or 0. */
  anyMany(rays: Rays, options?: Options, out?: Uint8Array): Uint8Array;
  /** The first capacity hits of each. */
  allMany(rays: Rays, capacity: number, options?: Options): Lists<Hits>;
  /** How many hits each has. */
  countMany(rays: Rays, options?: Options): Uint32Array;

  /** The nearest triangle within maxDistance (Infinity; rounded to a float), by (distance, instance, prim), or null. */
  nearest(point: Vec3, maxDistance?: number, options?: PlaceOptions, out?: Nearest): Nearest | null;
  /** The k nearest, sorted. */
  nearestK(point: Vec3, k: number, maxDistance?: number, options?: PlaceOptions): Nearest[];
  /** All triangles within radius, sorted. */
  within(point: Vec3, radius: number, options?: PlaceOptions): Nearest[];
  /** Whether a ray from the point along +x crosses an odd number of triangles, of any one instance: inside, of closed meshes.
   * Exact; a point on the surface is on one side. */
  inside(point: Vec3, options?: PlaceOptions): boolean;
  nearestMany(points: Numbers, maxDistance?: number, options?: PlaceOptions, out?: Partial<Nearests>): Nearests;
  nearestKMany(points: Numbers, k: number, maxDistance?: number, options?: PlaceOptions): Lists<Nearests>;
  withinMany(points: Numbers, radius: number, capacity: number, options?: PlaceOptions): Lists<Nearests>;
  /** 1 or 0 for each. */
  insideMany(points: Numbers, options?: PlaceOptions): Uint8Array;

  /** Whether a volume touches any triangle. */
  overlap(volume: Volume, options?: PlaceOptions): boolean;
  /** Which triangles it touches, in rising order. */
  overlapAll(volume: Volume, options?: PlaceOptions): Required<TriangleRef>[];
  /** What a volume first meets that moves by t * dir, t from 0 to 1, touching included. */
  sweep(volume: Volume, dir: Vec3, options?: Options): Contact | null;
  /** Whether any pair of triangles counts. at: where other stands, an affine matrix. */
  clash(other: Target, def?: ClashDef & { at?: Mat4 }): boolean;
  /** The first capacity pairs, in rising order; all where nothing is said. */
  clashPairs(other: Target, def?: ClashDef & { capacity?: number }): ClashPair[];
  /** Where surfaces cross: curve i has the points starts[i] .. starts[i + 1] - 1, three numbers each. */
  clashCurves(other: Target): { points: Float64Array; starts: Uint32Array };
  /** The nearest points of two targets, or null where they are farther apart than maxDistance. */
  distance(other: Target, maxDistance?: number): { distance: number; pointA: Float64Array; pointB: Float64Array; a: TriangleRef; b: TriangleRef } | null;

  /** Where a hit lies: its point, the unit normal on the triangle's front side, and points next to it, strictly in front of
   * and strictly behind the plane, from which rays go on. BAD_INDEX where there is no such triangle. */
  surface(hit: { prim: number; instance?: number; u: number; v: number }): { point: Float64Array; normal: Float64Array; frontOrigin: Float64Array; backOrigin: Float64Array };
  /** The corners of a triangle, nine numbers, in the world. BAD_INDEX where there is none. */
  triangle(prim: number, instance?: number): Float64Array;

  /** What is under a pixel: a vertex or an edge within the radius that is seen, or else the face. */
  pick(view: View, x: number, y: number, def?: PickDef): Pick | null;
  /** Everything there, one for each unit, by distance. */
  pickAll(view: View, x: number, y: number, def?: PickDef): Pick[];
  /** What a click on what is selected picks next; after the last the first. */
  pickNext(view: View, x: number, y: number, selected: Pick | null, def?: PickDef): Pick | null;
  /** What the mouse snaps to. previous: what the last call returned, which stays while the mouse is near. */
  snap(view: View, x: number, y: number, def?: SnapDef, previous?: Snap | null): Snap | null;
  /** What a region of the picture has in it. */
  select(view: View, region: Region, def?: SelectDef): Selection;
  /** The same for a region that moves on: what was looked at is not looked at again. */
  marquee(view: View, def?: SelectDef): Marquee;
}

/** Arrays: three numbers a vertex; three indices a triangle, or corners in turn. */
export interface Positions {
  position: ArrayLike<number>;
  index?: ArrayLike<number> | null;
}

/** BufferGeometry of three.js, without importing it. Triangles keep the numbers that they have in the whole geometry (as
 * faceIndex); those outside of the draw range are left out. */
export interface GeometryLike {
  attributes: { readonly [name: string]: AttributeLike };
  index?: { array: ArrayLike<number>; count: number } | null;
  drawRange?: { start: number; count: number };
}

/** BufferAttribute, or one that is interleaved, which has getX, getY and getZ; buffers of the GPU alone are refused. */
export interface AttributeLike {
  array?: ArrayLike<number>;
  itemSize: number;
  count: number;
  isInterleavedBufferAttribute?: boolean;
  normalized?: boolean;
  getX?(i: number): number;
  getY?(i: number): number;
  getZ?(i: number): number;
}

export interface BuildDef {
  /** fast: for a tree that is soon disposed; high: for many millions of queries. Answers are the same. */
  quality?: 'fast' | 'default' | 'high';
  /** What happens to a triangle with an index out of range or a coordinate that is not finite. */
  bad?: 'refuse' | 'leave-out';
  /** One for each triangle; 0: all bits. */
  masks?: Uint32Array;
  /** Told the phase and the fraction done, from time to time; false stops the build (CANCELLED). */
  progress?: (phase: string, fraction: number) => boolean | void;
}

/** A tree over triangles. */
export class Tree extends Target {
  /** BAD_INDEX or NOT_FINITE name the triangle at fault. The arrays are kept for refit and topology, and not copied. */
  static build(mesh: Positions | GeometryLike | Mesh, def?: BuildDef): Tree;
  /** A tree file, as the C library writes it; it is proven before it is used. BAD_DATA where it is none. */
  static fromBytes(bytes: ArrayBuffer | Uint8Array): Tree;
  /** The tree as a file; the buffer can be transferred. */
  toBytes(): Uint8Array;
  /** The same triangles, moved. Refused while a scene has the tree in it. Of a tree from bytes: nine numbers a triangle. */
  refit(positions: ArrayLike<number> | GeometryLike): void;
  /** The cost of the tree over what it was when it was built: above 1.5 or so, build anew. */
  readonly drift: number;
  /** One for each triangle; 0: all bits. Refused while a scene has the tree in it. */
  setMasks(masks: Uint32Array): void;
  /** Of the triangles; equal on every machine. */
  readonly hash: bigint;
  /** Edges, vertices and faces for pick and snap. featureAngle: edges bent by more are features, in radians; 30 degrees. Of a
   * Mesh that is disposed: DISPOSED. */
  topology(def?: { featureAngle?: number }): Topology;
  /** Proves the whole tree; throws BAD_DATA where it is not sound. */
  check(): void;
}

/** A tree or a scene under a transform. */
export interface Placed {
  tree: Target;
  /** Affine; the identity where there is none. */
  matrix?: Mat4;
  /** 0: all bits. */
  mask?: number;
  /** Yours; path() gives it back. */
  id?: number;
  /** A power of two that corners are rounded to; 0: none. */
  grid?: number;
  /** What pick and snap use where their def names no topologies. */
  topology?: Topology | null;
}

/** Instances of trees, or of scenes, under transforms. */
export class Scene extends Target {
  /** null is a hole: its number is taken, and nothing is there. BAD_DATA names an instance that cannot be used. */
  static build(instances: readonly (Placed | null)[], def?: SceneDef): Scene;
  /** Many of one tree: a Float64Array of 12 numbers each, the three rows of an affine matrix, or a Float32Array of 16 each,
   * column by column, such as the array of InstancedMesh.instanceMatrix. */
  static of(tree: Target, transforms: Float64Array | Float32Array, def?: SceneDef): Scene;
  /** Instance numbers, those of nested scenes and holes included. */
  readonly instanceCount: number;
  /** The topologies that instances were given, one for each number, or null. */
  readonly topologies: readonly (Topology | null)[] | null;
  /** The next version: a list as long as the first one, in which null stands for an instance that stays as it is; or the
   * transforms of all, as of() takes them. Cheap; this version stays, and may be disposed or recycled. */
  next(moved: readonly (Placed | null)[] | Float64Array | Float32Array, def?: SceneDef): Scene;
  /** The way to an instance, from the outermost inwards. BAD_INDEX where there is none. */
  path(instance: number): { index: number; id: number }[];
}

export interface SceneDef {
  /** leave-out: an instance that cannot be used is a hole. */
  bad?: 'refuse' | 'leave-out';
  quality?: 'fast' | 'default';
  /** A version that nothing else uses: it is disposed, and its memory used. */
  recycle?: Scene;
  /** Bytes for one tree over what stands still (Infinity: as many as it takes); 0: none. */
  staticMemory?: number;
}

/** A mesh from a file. */
export class Mesh {
  /** OBJ, PLY, STL or OFF, told by content. Errors have file and line or byte. recentre: the middle of the bounds is moved to
   * the origin before coordinates are rounded; origin says by how much. */
  static load(bytes: ArrayBuffer | Uint8Array, def?: MeshDef): Mesh;
  /** The same from a Blob (a File), a response or a stream; what gzip has packed is unpacked. IO where reading fails. */
  static read(source: Blob | Response | ReadableStream<Uint8Array>, def?: MeshDef): Promise<Mesh>;
  /** Copies: three numbers a vertex, three indices a triangle. */
  readonly vertices: Float32Array;
  readonly faces: Uint32Array;
  readonly triangleCount: number;
  readonly vertexCount: number;
  /** What was subtracted from each coordinate. */
  readonly origin: Float64Array;
  /** What the file has and the mesh has not. */
  readonly notes: readonly { message: string; line?: number; count: number }[];
  /** Runs of triangles that the file sets apart by name or material. */
  readonly parts: readonly { name: string; material: string; first: number; count: number }[];
  /** The face of the file that a triangle is of; BAD_INDEX where there is no such triangle. */
  faceOf(prim: number): number;
  /** The part; NONE where there are none. */
  partOf(prim: number): number;
  readonly disposed: boolean;
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface MeshDef {
  /** Its ending helps to tell the format, and errors name it. */
  name?: string;
  bad?: 'refuse' | 'leave-out';
  recentre?: boolean;
}

/** Neighbours and features of a mesh, of which vertices at one position are one. */
export class Topology {
  readonly edgeCount: number;
  readonly vertexCount: number;
  readonly faceCount: number;
  readonly partCount: number;
  /** Pairs of vertices of the mesh. */
  readonly featureEdges: Uint32Array;
  readonly disposed: boolean;
  dispose(): void;
  [Symbol.dispose](): void;
}

/** A camera's two matrices and the picture in pixels, rounded to whole ones. view takes the world less origin to the eye. */
export interface View {
  view: Mat4;
  projection: Mat4;
  width: number;
  height: number;
  clip?: 'gl' | 'd3d' | 'vulkan' | 'reversed';
  origin?: Vec3;
}

/** The view of a camera of three.js, as it is now, about the eye: so it is exact wherever the eye is. */
export function viewOf(camera: { matrixWorldInverse: { elements: ArrayLike<number> }; projectionMatrix: { elements: ArrayLike<number> }; coordinateSystem?: number; reversedDepth?: boolean }, width: number, height: number): View;

export type PickKind = 'face' | 'edge' | 'vertex';

export interface PickDef {
  /** All three where nothing is said. */
  kinds?: readonly PickKind[];
  /** Of edges and vertices, in pixels; 5. */
  radius?: number;
  /** Edges and vertices that are not seen count, too. */
  hidden?: boolean;
  /** With a topology, vertices of smooth surfaces count, too. */
  allVertices?: boolean;
  /** Of lists: what has one entry. objects: the outermost instance. */
  unit?: 'objects' | 'instances' | 'parts' | 'faces';
  /** One for each instance number. An array is read when it is first given: for others make a new array. null: none, also
   * where a scene has some. */
  topologies?: readonly (Topology | null)[] | null;
  options?: Options;
}

/** NONE where a topology is missing, or for what is of another kind. */
export interface Pick {
  kind: PickKind;
  point: [number, number, number];
  /** From the near plane. */
  distance: number;
  /** From the position of the call to xy. */
  pixels: number;
  xy: [number, number];
  /** Of an edge, 0 at its corner and 1 at the next one. */
  along: number;
  u: number;
  v: number;
  instance: number;
  prim: number;
  corner: number;
  part: number;
  face: number;
  edge: number;
  vertex: number;
  /** HIT_BACK of faces; 256: not seen. */
  flags: number;
}

export type SnapKind = 'vertex' | 'edge' | 'midpoint' | 'crossing' | 'edge-foot' | 'centre' | 'face-foot' | 'face' | 'grid' | 'grid-line';

export interface SnapDef {
  /** vertex, edge, midpoint, centre and face where nothing is said. */
  kinds?: readonly SnapKind[];
  /** In pixels; 0 is 10, 4 and 2. The last snap stays within radius + hold, unless another one is nearer by the margin. */
  radius?: number;
  hold?: number;
  margin?: number;
  hidden?: boolean;
  allVertices?: boolean;
  /** Where perpendiculars come from. */
  from?: Vec3;
  /** Points origin + i x + j y. */
  grid?: { origin: Vec3; x: Vec3; y: Vec3 };
  /** Where locked points lie: one of the two. */
  line?: { at: Vec3; dir: Vec3 };
  plane?: { at: Vec3; normal: Vec3 };
  topologies?: readonly (Topology | null)[] | null;
  options?: Options;
}

export interface Snap {
  kind: SnapKind;
  point: [number, number, number];
  /** The nearest point of the line or plane; without one, point. */
  locked: [number, number, number];
  /** Of kinds of faces, towards the eye; else zeros. */
  normal: [number, number, number];
  xy: [number, number];
  pixels: number;
  distance: number;
  along: number;
  /** Names what is snapped to. */
  target: bigint;
  instance: number;
  prim: number;
  corner: number;
  /** It is what previous was. */
  kept: boolean;
}

/** In pixels. A lasso is x, y of the corners of a closed polygon. */
export type Region = { rectangle: ArrayLike<number> } | { lasso: ArrayLike<number> } | { brush: { x: number; y: number; radius: number } };

export interface SelectDef {
  what?: 'triangles' | 'instances';
  /** inside: wholly within the region; only with through. */
  rule?: 'touching' | 'inside';
  /** What is hidden is selected, too; otherwise what is seen at the centre of a pixel. */
  through?: boolean;
  options?: Options;
}

export interface Selection {
  instances: Uint32Array;
  /** Rows (instance, prim), in rising order; empty where instances were asked for. */
  prims: Uint32Array;
}

/** A selection in the making, of one target from one view, as marquee() makes it. A tree that has one is not refitted. */
export class Marquee {
  /** What the region has in it now. What a filter throws disposes the marquee. */
  update(region: Region): Selection;
  readonly disposed: boolean;
  dispose(): void;
  [Symbol.dispose](): void;
}

/** What a moving volume first meets. */
export interface Contact {
  /** Rounded to nearest. */
  t: number;
  /** Rounded down: moved there, the volume does not overlap yet. */
  tSafe: number;
  prim: number;
  instance: number;
  start: 'apart' | 'touching-closing' | 'touching-receding' | 'overlapping';
  flags: number;
  /** On the triangle. */
  point: [number, number, number];
  /** Towards the volume, of unit length. */
  normal: [number, number, number];
}

import type { BuildDef, Mesh } from './index.js';

export interface WorkerDef extends Omit<BuildDef, 'progress'> {
  /** Called as the build goes on, with the phase's name and what is done of it, 0 to 1. */
  onProgress?: (phase: string, fraction: number) => void;
  /** Ends the worker; the promise is then rejected with the signal's reason. */
  signal?: AbortSignal;
  /** The module, where it is not the one inside `sightline`: users of `sightline/slim` name its URL, bytes or Module. */
  engine?: string | URL | ArrayBuffer | Uint8Array<ArrayBuffer> | WebAssembly.Module;
  /** A worker that runs `sightline/thread.js`, or what makes one, for bundlers that do not see `new URL`. It is ended. */
  worker?: Worker | (() => Worker);
}

/**
 * Builds a tree in a worker: resolves to what `Tree.fromBytes` takes.
 *
 * Arrays are copied to the worker; with `transfer` they are moved, and have no numbers left.
 * @throws SightlineError as `Tree.build` does; code `IO` where the worker cannot start, or is ended
 */
export function buildInWorker(
  positions: Float32Array | Float64Array,
  index?: Uint32Array | Uint16Array | Uint8Array | null,
  def?: WorkerDef & { transfer?: boolean },
): Promise<Uint8Array<ArrayBuffer>>;

/** What `loadInWorker` resolves to: the tree's bytes for `Tree.fromBytes`, and what a `Mesh` says of itself. */
export interface Loaded extends Pick<Mesh, 'vertices' | 'faces' | 'origin' | 'notes' | 'parts'> {
  tree: Uint8Array<ArrayBuffer>;
}

/**
 * Loads a file (OBJ, PLY, STL, OFF; a `Blob` also packed by gzip) and builds its tree, in a worker.
 * @throws SightlineError as `Mesh.read` and `Tree.build` do; code `IO` where the worker cannot start
 */
export function loadInWorker(
  file: Blob | ArrayBuffer | Uint8Array,
  def?: WorkerDef & { name?: string; recentre?: boolean },
): Promise<Loaded>;

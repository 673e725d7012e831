import { init, Scene, SightlineError, Tree, viewOf, type Hit } from 'sightline';
import * as slim from 'sightline/slim';
import { Accelerator } from 'sightline/three';
import { buildInWorker, loadInWorker, type Loaded } from 'sightline/worker';
import { BufferGeometry, Matrix4, Mesh, PerspectiveCamera, Raycaster, Vector3 } from 'three';

await init();
const position = new Float32Array(9);
const tree: slim.Tree = Tree.build({ position });
const hit: Hit | null = tree.closest([0, 0, 1], { x: 0, y: 0, z: -1 }, { tmax: 5, cull: 'back' });
console.log(hit?.prim);
using built = Tree.build(new BufferGeometry());
const scene = Scene.build([{ tree: built, matrix: new Matrix4() }]).next([null]);
console.log(scene.pick(viewOf(new PerspectiveCamera(), 100, 100), 1, 2)?.kind, scene.any(new Vector3(), new Vector3(0, 0, 1)));
// @ts-expect-error: what is nearest has no tmax
tree.nearest([0, 0, 0], 5, { tmax: 1 });
const bytes: Uint8Array = await buildInWorker(position, null, { quality: 'high', onProgress: (phase, done) => console.log(phase, done) });
const { tree: other, parts }: Loaded = await loadInWorker(new Blob([bytes.slice()]), { signal: AbortSignal.timeout(1000) });
console.log(other.length, parts[0]?.name, SightlineError.name);
const accelerator = new Accelerator(slim).add(new Mesh(), { quality: 'fast' });
const raycaster = new Raycaster();
raycaster.firstHitOnly = true;
console.log(accelerator.intersectObject(raycaster, new Mesh())[0]?.faceIndex);
// @ts-expect-error: a number is no point
tree.closest(5, [0, 0, 1]);

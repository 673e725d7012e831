// Where three.js's own raycaster and three-mesh-bvh answer rays otherwise than exact arithmetic does, counted by kind: rays from
// anywhere in the box, in any direction, and to vertices.
//
//     node test/web/bench/differences.mjs FOLDER [COUNT]
//
// Of FOLDER igea.ply and sponza.ply are asked; three.js, which asks every triangle, a 200th of the rays.  The package is
// that of bench.mjs.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as three from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { boxOf, randomRays } from './questions.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const made = resolve(process.env.SIGHTLINE_PACKAGE ?? join(here, '../../../build/web/package'));
const { init, Mesh, NONE, Tree } = await import(pathToFileURL(join(made, 'index.js')));
await init();
const [folder, count = '200000'] = process.argv.slice(2);

const ROUNDING = 1e-12; // of t, in parts of it and of the box

// What a difference is about, of ours and theirs, { t, prim } or null.
function kindOf(ours, theirs, all, size) {
  const near = (a, b) => Math.abs(a.t - b.t) <= ROUNDING * (Math.abs(a.t) + size);
  if (theirs === null) return ours.flags === 0 ? 'theirs misses a triangle' : 'theirs misses at an edge';
  if (ours === null) return 'theirs hits what is not hit';
  const same = all.find((hit) => hit.prim === theirs.prim);
  if (same !== undefined && near(ours, same)) return 'another triangle at the same distance';
  if (same !== undefined) return ours.flags === 0 ? 'theirs passes through a triangle' : 'theirs passes through an edge';
  return 'theirs hits a triangle that is not hit';
}

function compare(name, tree, { origins, dirs }, size, ask) {
  const counts = {};
  const [origin, dir] = [new three.Vector3(), new three.Vector3()];
  for (let i = 0; i < origins.length; i += 3) {
    origin.fromArray(origins, i);
    dir.fromArray(dirs, i).normalize(); // as theirs want it; ours gets the same numbers
    const theirs = ask(origin, dir);
    const ours = tree.closest(origin, dir);
    if ((ours?.prim ?? NONE) === (theirs?.prim ?? NONE)) continue;
    const kind = kindOf(ours, theirs, tree.all(origin, dir), size);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  console.log(`${name}: ${origins.length / 3} rays, others: ${JSON.stringify(counts)}`);
}

// The same rays, to vertices in turn.
function toVertices({ origins, dirs }, position) {
  const vertices = position.length / 3;
  for (let i = 0; i < dirs.length; i += 3) {
    const vertex = (i / 3 * 7919) % vertices;
    for (let k = 0; k < 3; k++) dirs[i + k] = position[3 * vertex + k] - origins[i + k];
  }
  return { origins, dirs };
}

for (const file of ['igea.ply', 'sponza.ply']) {
  const mesh = Mesh.load(readFileSync(join(folder, file)), { name: file });
  const [position, index] = [mesh.vertices, mesh.faces];
  const tree = Tree.build(mesh);
  const geometryOf = () => new three.BufferGeometry().setAttribute('position', new three.BufferAttribute(position, 3)).setIndex(new three.BufferAttribute(index.slice(), 1));
  const box = boxOf(position);
  const size = Math.hypot(...box.size);
  const ray = new three.Ray();
  const bvh = new MeshBVH(geometryOf(), { indirect: true }); // triangles keep their numbers
  const object = new three.Mesh(geometryOf(), new three.MeshBasicMaterial({ side: three.DoubleSide }));
  const raycaster = new three.Raycaster();
  const answerOf = (hit) => (hit ? { t: hit.distance, prim: hit.faceIndex } : null);
  const askBvh = (origin, dir) => answerOf(bvh.raycastFirst(ray.set(origin, dir), three.DoubleSide));
  const askThree = (origin, dir) => {
    raycaster.set(origin, dir);
    return answerOf(raycaster.intersectObject(object)[0]);
  };
  const [many, few] = [Number(count), Math.ceil(Number(count) / 200)];
  compare(`${file}, random, three-mesh-bvh`, tree, randomRays(box, many, 3), size, askBvh);
  compare(`${file}, random, three.js`, tree, randomRays(box, few, 3), size, askThree);
  compare(`${file}, to vertices, three-mesh-bvh`, tree, toVertices(randomRays(box, many, 4), position), size, askBvh);
  compare(`${file}, to vertices, three.js`, tree, toVertices(randomRays(box, few, 4), position), size, askThree);
}

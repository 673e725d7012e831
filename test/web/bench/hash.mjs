// One hash: answers of many rays a mesh, and the tree as a file, of which hash.py prints the same by the Python package, that is
// natively.
//
//     node test/web/bench/hash.mjs MODULE.wasm RAYS MESH...
//     python test/web/bench/hash.py RAYS MESH...
//
// RAYS is a folder, into which the rays and the triangles are written where they are not there yet: both read the same floats.
// MODULE.wasm is that of the preset wasm or wasm-base.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { info, init, Mesh, Tree } from '../../../tools/web/src/index.js';
import { boxOf, primaryRays, randomRays } from './questions.mjs';

const COUNT = 1000000; // half of them through the pixels of a picture, side by side, and half random
const [module, folder, ...files] = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: node test/web/bench/hash.mjs MODULE.wasm RAYS MESH...');
  process.exit(2);
}

function raysOf(position) {
  const box = boxOf(position);
  const primary = primaryRays(box, COUNT / 2);
  const random = randomRays(box, COUNT - primary.origins.length / 3);
  const joined = (key) => {
    const list = new Float32Array(3 * COUNT);
    list.set(primary[key]);
    list.set(random[key], primary[key].length);
    return list;
  };
  return { origins: joined('origins'), dirs: joined('dirs') };
}

/** Of arrays one behind another. */
function hashOf(...arrays) {
  const hash = createHash('sha256');
  for (const array of arrays) hash.update(array);
  return hash.digest('hex').slice(0, 16);
}

await init(readFileSync(module));
mkdirSync(folder, { recursive: true });
for (const file of files) {
  const mesh = Mesh.load(readFileSync(file), { name: basename(file), bad: 'leave-out' });
  const position = mesh.vertices;
  const path = (part) => join(folder, `${basename(file, extname(file))}.${part}`);
  if (!existsSync(path('dirs'))) {
    const parts = { position, index: mesh.faces, ...raysOf(position) };
    for (const [part, list] of Object.entries(parts)) writeFileSync(path(part), list);
  }
  const floats = (part) => new Float32Array(new Uint8Array(readFileSync(path(part))).buffer);
  const tree = Tree.build(mesh);
  const hits = tree.closestMany({ origins: floats('origins'), dirs: floats('dirs') });
  const { t, u, v, prim, flags } = hits;
  const found = prim.filter((one) => one !== 0xffffffff).length;
  console.log(`${basename(file)} ${info().kernel} ${COUNT} rays, ${found} hits: ${hashOf(t, u, v, prim, flags)}, tree ${hashOf(tree.toBytes())}`);
  tree.dispose();
  mesh.dispose();
}

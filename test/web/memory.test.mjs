// The engine's memory where it is large: all that core.test.mjs asks, beyond 2 GB, where addresses have their highest bit;
// and what happens when the 4 GB are full.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alloc, c, memory } from '../../tools/web/src/memory.js';
import { cube, sightline, soup, throwsCode, viewFrom } from './engine.mjs';

const { Mesh, Scene, Tree } = sightline;
const PAGES = 2 ** 16; // of 64 KB, in 4 GB

// What is free below 2 GB is taken.
memory.grow(PAGES / 2);
for (const size of [1 << 16, 1 << 12, 1 << 8, 1 << 4]) for (let k = 0; k < 1 << 16 && alloc(size) < 2 ** 31; k++);
await import('./core.test.mjs');

// Takes all but a few KB.
function fill() {
  const taken = [];
  for (const size of [1 << 24, 1 << 20, 1 << 16, 1 << 14]) {
    throwsCode('OUT_OF_MEMORY', () => {
      for (;;) taken.push(alloc(size));
    });
  }
  return taken;
}

test('memory that is full: an exception, nothing has changed, and what is freed can be used', () => {
  const position = soup(20000, 3);
  const rows = new Float64Array(12 * 2000).map((_, i) => ((i % 12) % 5 === 0 ? 1 : 0));
  const box = Tree.build(cube);
  const large = Tree.build({ position });
  const scene = Scene.of(box, rows);
  const { hash } = large;
  const [bytes, topology, { trees }] = [large.toBytes(), large.topology(), sightline.info()];
  memory.grow(PAGES - memory.buffer.byteLength / 2 ** 16 - 1);
  const taken = fill();
  const wants = {
    build: () => Tree.build({ position }),
    toBytes: () => large.toBytes(),
    fromBytes: () => Tree.fromBytes(bytes),
    refit: () => large.refit(position),
    setMasks: () => large.setMasks(new Uint32Array(20000)),
    topology: () => large.topology(),
    of: () => Scene.of(large, rows),
    next: () => scene.next(rows),
    recycle: () => scene.next(rows, { recycle: scene }),
    load: () => Mesh.load(new Uint8Array(1e5)),
    all: () => large.within([0.5, 0.5, 0.5], 9),
    curves: () => large.clashCurves(large),
    select: () => box.select(viewFrom(0, 0), { lasso: new Float64Array(1e5) }),
  };
  for (const [name, want] of Object.entries(wants)) throwsCode('OUT_OF_MEMORY', want, name);
  assert.deepEqual([sightline.info().trees, large.hash, scene.count([0.5, 0.25, -1], [0, 0, 1])], [trees, hash, 4000]);
  assert.equal(box.closest([0.25, 0.5, -1], [0, 0, 1]).t, 1);
  assert.equal(box.nearestMany(new Float32Array(3e6)).prim.length, 1e6);
  topology.dispose();
  taken.forEach((p) => c.free(p));
  assert.equal(Tree.build({ position }).hash, hash);
});

// sightline_core.wasm: what it has answers, and what it lacks says so and leaves nothing behind.
// SIGHTLINE_WASM_CORE names it, or it is the one that the preset wasm has built.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const core = process.env.SIGHTLINE_WASM_CORE ?? fileURLToPath(new URL('../../build/wasm/tools/web/sightline_core.wasm', import.meta.url));
const skip = existsSync(core) ? false : `there is no ${core}`;
process.env.SIGHTLINE_WASM = core;
const { cube, moved, sightline, throwsCode, viewFrom } = skip ? {} : await import('./engine.mjs');

const centred = () => ({ ...cube, position: cube.position.map((x) => x - 0.5) });

test('rays, points, scenes, pointers, topologies and bytes', { skip }, () => {
  const tree = sightline.Tree.build(centred());
  assert.equal(tree.closest([0.1, 0.2, 2], [0, 0, -1]).t, 1.5);
  assert.equal(tree.all([0.1, 0.2, 2], [0, 0, -1]).length, 2);
  assert.equal(tree.nearest([0, 0, 2]).distance, 1.5);
  assert.equal(tree.inside([0.1, 0.2, 0.3]), true);
  const topology = tree.topology();
  assert.notEqual(tree.pick(viewFrom(0, 0), 400, 400), null);
  assert.equal(tree.snap(viewFrom(0, 0), 400, 400, { radius: 5, topologies: [topology] })?.kind, 'face');
  const scene = sightline.Scene.build([{ tree, matrix: moved(0, 0, 1) }]);
  assert.equal(scene.closest([0.1, 0.2, 3], [0, 0, -1]).t, 1.5);
  assert.equal(sightline.Tree.fromBytes(tree.toBytes()).hash, tree.hash);
  tree.check();
});

test('what it lacks is UNSUPPORTED', { skip }, () => {
  const tree = sightline.Tree.build(cube);
  const sphere = { sphere: { centre: [0, 0, 0], radius: 1 } };
  const lacking = [
    () => tree.clash(tree),
    () => tree.clash(tree, { at: moved(0, 0, 1) }),
    () => tree.clashPairs(tree),
    () => tree.clashCurves(tree),
    () => tree.distance(tree),
    () => tree.overlap(sphere),
    () => tree.overlapAll(sphere),
    () => tree.sweep(sphere, [0, 0, 1]),
    () => tree.select(viewFrom(0, 0), { rectangle: [0, 0, 9, 9] }),
    () => sightline.Mesh.load(new TextEncoder().encode('v 0 0 0\n'), { name: 'a.obj' }),
  ];
  const { memory } = sightline.info();
  for (let i = 0; i < 1000; i++) for (const ask of lacking) throwsCode('UNSUPPORTED', ask);
  assert.equal(sightline.info().memory, memory);
  assert.throws(lacking[0], /sightline\.wasm/);
  assert.equal(tree.closest([0.25, 0.5, -1], [0, 0, 1]).t, 1);
});

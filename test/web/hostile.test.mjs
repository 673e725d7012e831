// What a careless or a hostile caller does: each call throws a SightlineError before anything changes, and the engine goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memory } from '../../tools/web/src/memory.js';
import { cube, moved, sightline, soup, throwsCode, viewFrom } from './engine.mjs';

const { Marquee, Mesh, Scene, Topology, Tree } = sightline;
const box = Tree.build(cube);
const refused = (run, what) => throwsCode('INVALID_ARGUMENT', run, what);
const up = [0, 0, 1];

const bad = [undefined, null, 1, 'abc', true, {}, [], [1, 2], [1, 2, 3, 4], new Float32Array(4), ['1', '2', '3'], [1n, 2n, 3n], new BigInt64Array(3), { x: 1, y: 2 }];

test('points that are not three numbers', () => {
  for (const point of bad) {
    refused(() => box.closest(point, up));
    refused(() => box.closest([0, 0, 0], point));
    refused(() => box.nearest(point));
    refused(() => box.sweep({ sphere: { centre: point, radius: 1 } }, up));
    refused(() => box.overlap({ box: { min: point, max: [1, 1, 1] } }));
    refused(() => box.snap(viewFrom(0, 0), 1, 1, { from: point ?? null }));
  }
});

test('numbers that are odd are answered as C answers them', () => {
  for (const odd of [NaN, Infinity, -Infinity, 1e300]) {
    assert.equal(box.closest([odd, 0, 0], up), null);
    assert.equal(box.any([0, 0, 0], [0, odd, 0]), false);
    assert.equal(box.nearest([odd, 0, 0]), null);
    assert.equal(box.inside([odd, 0, 0]), false);
    assert.equal(box.overlap({ sphere: { centre: [0, 0, 0], radius: -odd } }), false);
    assert.equal(box.pick(viewFrom(0, 0), odd, 0), null);
  }
  assert.equal(box.closest([0.25, 0.5, -1], up, { tmin: NaN }), null);
  assert.equal(box.nearest([0, 0, 0], NaN), null);
});

test('arrays that cannot be taken', () => {
  const view = new Float32Array(new ArrayBuffer(12));
  structuredClone(view.buffer, { transfer: [view.buffer] });
  const resizable = new Float32Array(new ArrayBuffer(12, { maxByteLength: 24 }));
  const shared = new Float32Array(new SharedArrayBuffer(12));
  const lists = [undefined, null, 7, 'abc', [0, 0, 1], new Int32Array(3), new Float32Array(4), view, resizable, shared];
  for (const list of lists) {
    refused(() => box.closestMany({ origins: list, dirs: Float32Array.of(0, 0, 1) }));
    refused(() => box.closestMany({ origins: Float32Array.of(0, 0, 1), dirs: list ?? null }));
    refused(() => box.nearestMany(list));
    refused(() => box.insideMany(list));
    refused(() => Scene.of(box, list));
  }
  const tracking = new Float32Array(new ArrayBuffer(12, { maxByteLength: 24 }));
  const growable = new Float32Array(new SharedArrayBuffer(12, { maxByteLength: 24 }));
  const own = new Float32Array(memory.buffer, 0, 3);
  for (const list of [view, resizable, shared, tracking, growable, own]) {
    refused(() => Tree.build({ position: list, index: null }));
    refused(() => Tree.build({ position: cube.position, index: list }));
    refused(() => box.closestMany({ origins: Float32Array.of(0.25, 0.5, -1), dirs: Float32Array.of(0, 0, 1) }, undefined, { u: list }));
    refused(() => Tree.fromBytes(list.buffer));
    refused(() => Mesh.load(list));
  }
  refused(() => box.closestMany({ origins: new Float32Array(6), dirs: new Float32Array(9) }));
  refused(() => box.closestMany({ origins: new Float32Array(6), dirs: new Float64Array(6) }));
  refused(() => box.closestMany({ origins: new Float32Array(6) }));
  refused(() => box.closestMany({ origins: new Float32Array(6), targets: new Float32Array(6), tmax: 1 }));
  refused(() => box.closestMany({ origins: new Float32Array(6), dirs: new Float32Array(6), tmax: new Float32Array(3) }));
});

test('a stand-in for a typed array is none', () => {
  class Sly extends Float32Array {
    get length() {
      return 9;
    }
    get [Symbol.toStringTag]() {
      return 'Float64Array';
    }
    subarray() {
      return new Float32Array(1e6);
    }
  }
  assert.equal(box.nearestMany(new Sly(3)).prim.length, 1);
  assert.equal(Tree.build({ position: new Sly(900000) }).triangleCount, 100000);
  refused(() => box.nearestMany({ length: 3, constructor: Float32Array, buffer: new ArrayBuffer(12) }));
  refused(() => box.nearestMany(Object.create(Float32Array.prototype)));
});

test('out arrays of the wrong kind or length are not written', () => {
  const rays = { origins: Float32Array.of(0.25, 0.5, -1), dirs: Float32Array.of(0, 0, 1, 0, 0, 1) };
  const t = new Float32Array(2).fill(9);
  for (const prim of [new Uint32Array(1), new Int32Array(2), [0, 0], new Uint32Array(new SharedArrayBuffer(8))]) {
    refused(() => box.closestMany(rays, undefined, { t, prim }));
  }
  assert.deepEqual([...t], [9, 9]);
  refused(() => box.anyMany(rays, undefined, new Uint8Array(3)));
  assert.equal(box.closestMany(rays, undefined, { t }).t, t);
  assert.deepEqual([...t], [1, 1]);
});

test('options, defs and words that are none', () => {
  const wrong = [{ cull: 'sideways' }, { mask: -1 }, { mask: 1.5 }, { mask: 2 ** 32 }, { skip: 3 }, { skip: [null] }, { skip: [{}] }, { ignore: ['a'] }, { ignore: [-1] }, { filter: 3 }, { tmin: '0' }, { tmax: 1n }, { tMax: 1 }, { openStart: 1 }, { crossings: 'no' }, { t: 0, prim: 0 }, 5];
  for (const options of wrong) refused(() => box.closest([0, 0, 0], up, options));
  for (const options of [{ tmax: 1 }, { filter: () => true }, { cull: 'back' }, { maxDistance: 1 }]) {
    refused(() => box.nearest([0, 0, 0], 9, options));
    refused(() => box.insideMany(new Float32Array(3), options));
    refused(() => box.overlap({ sphere: { centre: [0, 0, 0], radius: 1 } }, options));
  }
  refused(() => box.occluded([0, 0, 0], up, { tmin: 0 }));
  refused(() => box.closestMany({ origins: new Float32Array(3), dirs: new Float32Array(3), tMax: 1 }));
  refused(() => box.clashPairs(box, { at: moved(0, 0, 0) }));
  refused(() => box.clash(box, { touching: 0 }));
  refused(() => box.topology({ creaseAngle: 1 }));
  refused(() => Mesh.load(new Uint8Array(9), { recenter: true }));
  refused(() => Scene.build([], { badInstances: 'leave-out' }));
  for (const out of [5, 'abc', { T: new Float64Array(1) }]) refused(() => box.closestMany({ origins: new Float64Array(3), dirs: Float64Array.of(0.5, 0.25, 1) }, undefined, out));
  for (const out of [5, 'abc', { point: 3 }]) refused(() => box.nearest([0, 0, 0], 9, undefined, out));
  refused(() => box.closest([0.25, 0.5, -1], up, undefined, 5));
  for (const capacity of [undefined, -1, 0, 1.5, NaN, Infinity, 'a']) refused(() => box.allMany({ origins: new Float32Array(3), dirs: new Float32Array(3) }, capacity));
  for (const k of [undefined, 0, -1, NaN]) refused(() => box.nearestK([0, 0, 0], k));
  for (const volume of [null, 3, {}, { box: 3 }, { box: {}, sphere: {} }, { ball: {} }, { triangle: [] }, { toString: 1 }, { sphere: { center: [0, 0, 0], radius: 1 } }]) refused(() => box.overlap(volume));
  for (const region of [null, {}, { rectangle: [1, 2, 3] }, { lasso: [1, 2, 3] }, { lasso: ['a', 'b'] }, { brush: {} }, { rectangle: [0, 0, 1, 1], through: true }]) refused(() => box.select(viewFrom(0, 0), region));
  for (const view of [null, {}, { ...viewFrom(0, 0), width: 0 }, { ...viewFrom(0, 0), height: NaN }, { ...viewFrom(0, 0), view: [1] }, { ...viewFrom(0, 0), clip: 'metal' }, { ...viewFrom(0, 0), aspect: 1 }]) refused(() => box.pick(view, 0, 0));
  for (const def of [{ kinds: [] }, { kinds: ['face', 'corner'] }, { kinds: 'face' }, { unit: 'body' }, { topologies: [box] }, { topologies: 5 }, { hidden: 1 }, { tolerance: 5 }]) refused(() => box.pick(viewFrom(0, 0), 0, 0, def));
  refused(() => box.snap(viewFrom(0, 0), 0, 0, {}, { kind: 'vertex' }));
  refused(() => box.pickNext(viewFrom(0, 0), 0, 0, { kind: 'nothing' }));
  const pick = box.pick(viewFrom(0.5, 0.5), 400, 400);
  for (const wrong of [{ point: new Array(1e5).fill(7) }, { xy: 5 }, { prim: 3n }, { u: '1' }, { edge: undefined }]) {
    refused(() => box.pickNext(viewFrom(0.5, 0.5), 400, 400, { ...pick, ...wrong }));
  }
});

// What looks like a BufferGeometry.
function geometry(attribute, drawRange, array = cube.index) {
  const [getX, getY, getZ] = [0, 1, 2].map((axis) => (i) => cube.position[3 * i + axis]);
  const position = { array: cube.position, itemSize: 3, count: 8, getX, getY, getZ, ...attribute };
  return { attributes: { position }, index: { array, count: array.length }, drawRange };
}

test('meshes that are none', () => {
  for (const mesh of [undefined, null, 5, 'abc', {}, { position: 5 }, { position: [1, 2] }, { position: [1, 2, 'a'] }, { attributes: {} }, { position: [0, 0, 0], index: [0, 0] }, { position: cube.position, indices: cube.index }, { position: cube.position, index: new BigInt64Array(3) }, geometry({ count: undefined }), geometry({}, { start: NaN, count: 3 }), geometry({}, { start: -3, count: 3 }), geometry({}, { start: '0', count: 3 })]) refused(() => Tree.build(mesh));
  throwsCode('BAD_INDEX', () => Tree.build({ position: cube.position, index: [0, 1, 8] }));
  throwsCode('BAD_INDEX', () => Tree.build({ position: cube.position, index: [0, 1, -1] }));
  throwsCode('BAD_INDEX', () => Tree.build({ position: cube.position, index: [0, 1, 1.5] }));
  throwsCode('BAD_INDEX', () => Tree.build({ position: cube.position, index: [0, 1, 2 ** 32 + 1] }));
  throwsCode('BAD_INDEX', () => Tree.build(geometry({}, { start: 0, count: 6 }, Float32Array.of(0, 1, 2, 0, 1, 1.5))));
  throwsCode('TOO_LARGE', () => Tree.build({ position: { length: 3 * 2 ** 30 } }));
  throwsCode('TOO_LARGE', () => Tree.build(geometry({ itemSize: 4, count: 2 ** 32 - 1 })));
  for (const Type of [Array, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Float32Array, Float64Array]) {
    assert.equal(Tree.build({ position: cube.position, index: Type.from(cube.index) }).hash, box.hash);
    assert.equal(Tree.build(geometry({}, { start: 0, count: Infinity }, Type.from(cube.index))).hash, box.hash);
  }
  throwsCode('NOT_FINITE', () => Tree.build({ position: [0, 0, 0, 1, 0, 0, NaN, 0, 0] }));
  assert.equal(Tree.build({ position: [0, 0, 0, 1, 0, 0, NaN, 0, 0] }, { bad: 'leave-out' }).triangleCount, 0);
  assert.equal(Tree.build({ position: [] }).bounds, null);
  refused(() => Tree.build(cube, { quality: 'best' }));
  refused(() => Tree.build(cube, { masks: new Uint32Array(3) }));
  assert.throws(() => Tree.build({ position: cube.position, index: [0, 1, 2, 0, 1, 99] }), { index: 1 });
});

test('bytes that are no tree', () => {
  const bytes = box.toBytes();
  throwsCode('BAD_DATA', () => Tree.fromBytes(new Uint8Array(0)));
  throwsCode('BAD_DATA', () => Tree.fromBytes(bytes.subarray(0, bytes.length - 1)));
  const changed = bytes.slice();
  changed[bytes.length >> 1] ^= 1;
  throwsCode('BAD_DATA', () => Tree.fromBytes(changed));
});

test('objects that are none of ours, made by new, or disposed', () => {
  for (const Class of [Marquee, Mesh, Scene, Topology, Tree]) refused(() => new Class(12345));
  refused(() => Tree.prototype.any.call({}, [0, 0, 0], up));
  refused(() => Tree.prototype.any.call(Object.create(Tree.prototype), [0, 0, 0], up));
  const tree = Tree.build(cube);
  const scene = Scene.build([{ tree }]);
  refused(() => tree.clash({}));
  refused(() => Scene.build([{ tree: {} }]));
  refused(() => Scene.build([{ tree, matrix: [1, 2] }]));
  refused(() => Scene.build([{ tree, matrix: new Array(16).fill(1) }]));
  throwsCode('BAD_DATA', () => Scene.build([{ tree, grid: 3 }]));
  refused(() => Scene.build([{ tree, topology: {} }]));
  refused(() => scene.next(new Float32Array(32)));
  refused(() => scene.next([{ tree }], { recycle: tree }));
  throwsCode('INVALID_ARGUMENT', () => Scene.build([undefined]));
  scene.dispose();
  scene.dispose();
  tree.dispose();
  for (const run of [() => tree.triangleCount, () => tree.bounds, () => tree.toBytes(), () => tree.closest([0, 0, 0], up), () => tree.closestMany({ origins: new Float32Array(3), dirs: new Float32Array(3) }), () => tree.topology(), () => Scene.build([{ tree }]), () => scene.instanceCount, () => scene.next([]), () => box.clash(tree)]) {
    throwsCode('DISPOSED', run);
  }
});

test('a bad instance is named, and changes nothing', () => {
  const flat = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const before = sightline.info().trees;
  assert.throws(() => Scene.build([{ tree: box }, { tree: box, matrix: flat }]), { code: 'BAD_DATA', index: 1 });
  assert.equal(Scene.build([{ tree: box }, { tree: box, matrix: flat }], { bad: 'leave-out' }).triangleCount, 12);
  assert.equal(sightline.info().trees, before + 1);
});

test('functions of the caller that throw, ask, or dispose', () => {
  const mine = new Error('mine');
  const ray = [[0.25, 0.5, -1], up];
  const many = { origins: Float32Array.of(0.25, 0.5, -1), dirs: Float32Array.of(0, 0, 1, 0, 0, 1) };
  const filter = () => {
    throw mine;
  };
  for (let k = 0; k < 100; k++) {
    assert.throws(() => box.closest(...ray, { filter }), mine);
    assert.throws(() => box.all(...ray, { filter }), mine);
    assert.throws(() => box.closestMany(many, { filter }), mine);
    assert.throws(() => box.sweep({ sphere: { centre: [0.5, 0.5, 4], radius: 1 } }, [0, 0, -4], { filter }), mine);
  }
  assert.throws(() => Tree.build({ position: soup(5000, 2) }, { progress: () => { throw mine; } }), mine);
  for (const inner of [() => box.any(...ray), () => box.dispose(), () => sightline.info(), () => Tree.build(cube)]) {
    refused(() => box.closest(...ray, { filter: () => inner() }));
  }
  assert.equal(box.closest(...ray).t, 1);
});

test('accessors of what is given change and dispose what the call is about', () => {
  const ray = [[0.25, 0.5, -1], up];
  const skip = [];
  let reads = 0;
  const triangle = () => ({
    instance: 0,
    get prim() {
      if (reads++ < 1e5) skip.push(triangle());
      return 0;
    },
  });
  skip.push(triangle());
  assert.equal(box.closest(...ray, { skip }).t, 2);
  const other = Tree.build({ position: soup(300, 8) });
  const disposing = (name, value) => (target) => Object.defineProperty({}, name, { enumerable: true, get: () => (target.dispose(), value) });
  const calls = [
    [(x, dir) => x.closest(ray[0], Object.assign(dir, { y: 0, z: 1 })), disposing('x', 0)],
    [(x, options) => x.closest(...ray, options), disposing('mask', 0)],
    [(x, options) => x.all(...ray, options), disposing('mask', 0)],
    [(x, options) => x.closestMany({ origins: new Float32Array(3), dirs: new Float32Array(3) }, options), disposing('mask', 0)],
    [(x, def) => x.pick(viewFrom(0, 0), 1, 1, def), disposing('radius', 0)],
    [(x, def) => x.select(viewFrom(0, 0), { rectangle: [0, 0, 1, 1] }, def), disposing('through', true)],
    [(x, def) => x.clash(box, def), disposing('margin', 0)],
    [(x, mesh) => x.refit(mesh), disposing('position', cube.position)],
    [(x, def) => x.topology(def), disposing('featureAngle', 1)],
    [(x, def) => Scene.of(x, Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0), def), disposing('bad', 'refuse')],
    [(x, placed) => Scene.build([{ tree: x }, placed]), disposing('tree', box)],
  ];
  for (const [call, make] of calls) {
    const x = Tree.build(cube);
    throwsCode('DISPOSED', () => call(x, make(x)), call);
  }
  const mesh = Mesh.load(new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'));
  throwsCode('DISPOSED', () => Tree.build(mesh, disposing('quality', 'fast')(mesh)));
  // A scene that has the tree since the call began, which must not be changed under it.
  const x = Tree.build(cube);
  let scene;
  refused(() => x.refit({ get position() { scene ??= Scene.build([{ tree: x }]); return cube.position.map((v) => v + 5); } }));
  assert.equal(scene.closest(...ray).t, 1);
  // A topology that is disposed while a list of them is read, or what comes behind it.
  const [first, second] = [other.topology(), other.topology()];
  const two = Scene.build([{ tree: other }, { tree: other }]);
  const topologies = new Proxy([first, second], { get: (list, key) => (key === '1' && first.dispose(), list[key]) });
  throwsCode('DISPOSED', () => two.pick(viewFrom(0, 0), 400, 400, { topologies }));
  throwsCode('DISPOSED', () => two.snap(viewFrom(0, 0), 400, 400, { topologies: [second, second], options: disposing('mask', 0)(second) }));
});

test('a list of topologies that has grown with its scene is read anew', () => {
  const list = [box.topology()];
  const at = (count) => Scene.of(box, new Float64Array(12 * count).map((_, i) => ((i % 12) % 5 === 0 ? 1 : 0)));
  const pick = (scene) => scene.pick(viewFrom(0.5, 0.5), 401, 403, { topologies: list, options: { ignore: [{ first: 0, count: list.length - 1 }] } });
  assert.notEqual(pick(at(1)), null);
  for (let i = 1; i < 5000; i++) list.push(null);
  list.push(list[0]);
  assert.equal(pick(at(5001)).instance, 5000);
  assert.notEqual(pick(at(5001)).face, sightline.NONE);
  list.length = 1;
  assert.notEqual(pick(at(1)).face, sightline.NONE);
});

test('marquees whose target, region, filter or own end are bad', () => {
  const tree = Tree.build(cube);
  const marquee = tree.marquee(viewFrom(0.5, 0.5), { options: { skip: [{ prim: 3 }] } });
  const region = { rectangle: [0, 0, 800, 800] };
  refused(() => tree.refit(cube.position));
  refused(() => tree.setMasks(new Uint32Array(12)));
  for (const bad of [null, {}, { rectangle: [1] }, { rectangle: region.rectangle, through: true }]) refused(() => marquee.update(bad));
  tree.dispose();
  assert.deepEqual(marquee.update(region), box.select(viewFrom(0.5, 0.5), region, { options: { skip: [{ prim: 3 }] } }));
  marquee.dispose();
  throwsCode('DISPOSED', () => marquee.update(region));
  const mine = new Error('mine');
  let broken = true;
  const moody = box.marquee(viewFrom(0.5, 0.5), { options: { filter: () => { if (broken) throw mine; return true; } } });
  assert.throws(() => moody.update(region), mine);
  broken = false;
  throwsCode('DISPOSED', () => moody.update(region));
  for (const def of [{ what: 'faces' }, { rule: 'inside' }, { topologies: [] }]) refused(() => box.marquee(viewFrom(0, 0), def));
  refused(() => box.marquee({ ...viewFrom(0, 0), view: new Array(16).fill(NaN) }, { options: { skip: [{ prim: 1 }] } }));
});

test('calls at the end of JavaScript\'s stack leave that of C as it was', () => {
  const ray = [[0.25, 0.5, -1], up];
  let calls = 0;
  const dive = () => {
    try {
      dive();
    } catch (error) {
      assert.ok(error instanceof RangeError);
    }
    if (calls++ > 1000) return;
    try {
      box.all(...ray, { filter: () => true });
    } catch (error) {
      if (!(error instanceof RangeError)) throw new Error(error.message);
    }
  };
  for (let k = 0; k < 20; k++, calls = 0) dive();
  assert.equal(box.all(...ray).length, 2);
});

test('trees that are made and dropped do not grow memory', () => {
  const arrays = { position: soup(40, 5) };
  const view = { ...viewFrom(0, 0), width: 9, height: 9 };
  const rounds = (count) => {
    for (let k = 0; k < count; k++) {
      const tree = Tree.build(arrays);
      const scene = Scene.build([{ tree, matrix: moved(k, 0, 0) }]);
      const marquee = scene.marquee(view, { through: true, options: { ignore: [3] } });
      tree.dispose();
      scene.dispose();
      marquee.dispose();
    }
    return sightline.info();
  };
  const { memory, trees } = rounds(100);
  assert.deepEqual([rounds(10000).memory, sightline.info().trees], [memory, trees]);
});

test('what is forgotten is freed', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const { trees } = sightline.info();
  const { memory: before } = sightline.info();
  for (let k = 0; k < 5000; k++) {
    const tree = Tree.build(cube);
    Scene.build([{ tree, topology: tree.topology() }]);
    Scene.build([{ tree }]).marquee(viewFrom(0, 0), { through: true }).update({ rectangle: [0, 0, 1, 1] });
    if (k % 500 === 499) {
      collect();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  assert.ok(sightline.info().memory < before + 4e7, `${before} bytes became ${sightline.info().memory}`);
  for (let k = 0; k < 50 && sightline.info().trees > trees; k++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  // Trees that earlier tests forgot may have gone, too.
  assert.ok(sightline.info().trees <= trees);
});

test('views are made anew when memory has grown, also between calls and in a batch', () => {
  const dirs = new Float32Array(3 * 100);
  for (let i = 0; i < 100; i++) dirs[3 * i + 2] = 1;
  const { memory } = sightline.info();
  const kept = [];
  while (sightline.info().memory === memory || kept.length < 5) {
    kept.push(Tree.build({ position: soup(20000, kept.length) }));
    assert.equal(box.closest([0.25, 0.5, -1], up).t, 1);
    assert.equal(box.closestMany({ origins: Float32Array.of(0.25, 0.5, -1), dirs }).t[99], 1);
  }
  for (const tree of kept) tree.dispose();
});

test('single calls allocate nothing in the memory of the engine, and batches do not grow it', () => {
  const { memory } = sightline.info();
  const out = { t: 0, u: 0, v: 0, prim: 0, instance: 0, flags: 0 };
  for (let k = 0; k < 20000; k++) {
    box.closest([0.25, 0.5, -1], up, undefined, out);
    box.nearest([0.25, 0.5, -1]);
    box.pick(viewFrom(0.5, 0.5), 400, 400);
  }
  const count = 1e6;
  const points = new Float32Array(3 * count).fill(3);
  box.nearestMany(points);
  box.anyMany({ origins: points, dirs: Float32Array.of(0, 0, 1) });
  assert.equal(sightline.info().memory, memory);
});

// Answers of trees and scenes: single calls against batches, and hand-worked ones on a cube.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cube, moved, random, sightline, soup, throwsCode, viewFrom } from './engine.mjs';

const { Mesh, NONE, Scene, Tree } = sightline;
const box = Tree.build(cube);
const cloud = Tree.build({ position: soup(3000, 7) });

test('info says what runs', () => {
  const { version, kernel, memory, trees } = sightline.info();
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.ok(['simd128', 'scalar'].includes(kernel));
  assert.ok(memory > 2 ** 20 && trees >= 2);
});

test('a ray along z meets the front and the back of a cube', () => {
  const hits = box.all([0.25, 0.5, -1], [0, 0, 1]);
  assert.deepEqual(hits.map(({ t, flags }) => [t, flags & 1]), [[1, 0], [2, 1]]);
  assert.equal(box.count([0.25, 0.5, -1], [0, 0, 1]), 2);
  assert.deepEqual(box.closest([0.25, 0.5, -1], [0, 0, 1]), hits[0]);
  assert.deepEqual(box.nextHit([0.25, 0.5, -1], [0, 0, 1], hits[0]), hits[1]);
  assert.equal(box.nextHit([0.25, 0.5, -1], [0, 0, 1], hits[1]), null);
  assert.deepEqual(box.nextHit([0.25, 0.5, -1], [0, 0, 1], null), hits[0]);
  assert.equal(box.closest([0.25, 0.5, -1], [0, 0, 1], { cull: 'back', tmin: 1.5 }), null);
  assert.equal(box.closest([0.25, 0.5, -1], [0, 0, 1], { tmax: 0.5 }), null);
  assert.equal(box.closest({ x: 0.25, y: 0.5, z: -1 }, Float32Array.of(0, 0, 1)).t, 1);
});

test('segments end where they end', () => {
  assert.equal(box.occluded([0.25, 0.5, -1], [0.25, 0.5, 0]), true);
  assert.equal(box.occluded([0.25, 0.5, -1], [0.25, 0.5, 0], { openEnd: true }), false);
  assert.equal(box.closestOf([0.25, 0.5, -1], [0.25, 0.5, 3]).t, 0.25);
  assert.equal(box.closestOf([0.25, 0.5, -1], [0.25, 0.5, -0.5]), null);
});

test('an out object is filled, and left alone by a miss', () => {
  const out = { t: 9, u: 9, v: 9, prim: 9, instance: 9, flags: 9 };
  assert.equal(box.closest([5, 5, 5], [1, 0, 0], undefined, out), null);
  assert.equal(out.t, 9);
  assert.equal(box.closest([0.25, 0.5, -1], [0, 0, 1], undefined, out), out);
  assert.equal(out.t, 1);
});

test('batches in floats and doubles answer as single calls', () => {
  const next = random(3);
  const count = 20000; // more than a block
  for (const Numbers of [Float32Array, Float64Array]) {
    const dirs = Numbers.from({ length: 3 * count }, () => next() - 0.5);
    const rays = { origins: Numbers.of(0.5, 0.5, -1), dirs };
    const hits = cloud.closestMany(rays);
    const any = cloud.anyMany(rays);
    const counts = cloud.countMany(rays);
    const lists = cloud.allMany(rays, 2);
    for (let i = 0; i < count; i += 1) {
      const dir = [...dirs.subarray(3 * i, 3 * i + 3)];
      const hit = cloud.closest([0.5, 0.5, -1], dir);
      assert.equal(hits.prim[i], hit?.prim ?? NONE);
      assert.equal(any[i], hit === null ? 0 : 1);
      if (hit !== null) assert.equal(hits.t[i], Numbers === Float64Array ? hit.t : Math.fround(hit.t));
      assert.equal(lists.totals[i], counts[i]);
      assert.equal(lists.offsets[i + 1] - lists.offsets[i], Math.min(2, counts[i]));
      if (hit !== null) assert.equal(lists.values.prim[lists.offsets[i]], hit.prim);
    }
  }
});

test('lists that are longer than a block are whole', () => {
  const count = 9000;
  const position = new Float32Array(9 * count);
  for (let i = 0; i < count; i++) position.set([0, 0, i, 1, 0, i, 0, 1, i], 9 * i);
  const stack = Tree.build({ position });
  assert.equal(stack.all([0.2, 0.2, -1], [0, 0, 1]).length, count);
  const { values, offsets, totals } = stack.allMany({ origins: Float32Array.of(0.2, 0.2, -1, 5, 5, 5, 0.1, 0.1, -1), dirs: Float32Array.of(0, 0, 1) }, 1e6);
  assert.deepEqual([...offsets], [0, count, count, 2 * count]);
  assert.deepEqual([...totals], [count, 0, count]);
  assert.equal(values.t[count - 1], count);
  assert.equal(stack.within([0, 0, 0], 1e6).length, count);
  assert.equal(stack.nearestK([0, 0, 0], 5000).length, 5000);
  assert.equal(stack.overlapAll({ sphere: { centre: [0, 0, 0], radius: 1e6 } }).length, count);
  assert.deepEqual([...stack.nearestKMany(Float32Array.of(0, 0, 0), 70).totals], [70]);
  stack.dispose();
});

test('points: nearest, inside, and their batches', () => {
  const near = box.nearest([0.5, 0.25, 3]);
  assert.deepEqual([near.distance, near.point], [2, [0.5, 0.25, 1]]);
  assert.equal(box.nearest([0.5, 0.25, 3], 1), null);
  assert.equal(box.inside([0.5, 0.5, 0.5]), true);
  assert.equal(box.inside([1.5, 0.5, 0.5]), false);
  const points = Float64Array.of(0.5, 0.25, 3, 0.5, 0.5, 0.5);
  assert.deepEqual([...box.insideMany(points)], [0, 1]);
  assert.deepEqual([...box.nearestMany(points).distance], [2, 0.5]);
  assert.deepEqual([...box.nearestMany(points).point.subarray(0, 3)], [0.5, 0.25, 1]);
  assert.deepEqual([...box.withinMany(points, 0.6, 100).totals], [0, 12]);
});

test('a filter sees exact hits, and its index', () => {
  const seen = [];
  const filter = (hit, index) => {
    seen.push(index);
    return hit.t > 1;
  };
  assert.equal(box.closest([0.25, 0.5, -1], [0, 0, 1], { filter }).t, 2);
  const dirs = Float32Array.from({ length: 3 * 20000 }, (_, i) => (i % 3 === 2 ? 1 : 0));
  const hits = box.closestMany({ origins: Float32Array.of(0.25, 0.5, -1), dirs }, { filter });
  assert.ok(hits.t.every((t) => t === 2));
  assert.equal(seen.reduce((a, b) => Math.max(a, b)), 19999);
  assert.equal(box.any([0.25, 0.5, -1], [0, 0, 1], { filter: () => false }), false);
});

test('options leave out triangles, instances and bits of masks', () => {
  const scene = Scene.build([{ tree: box, mask: 1 }, { tree: box, matrix: moved(0, 0, 5), mask: 2 }]);
  const from = [[0.25, 0.5, -1], [0, 0, 1]];
  assert.equal(scene.closest(...from, { ignore: [0] }).t, 6);
  assert.equal(scene.closest(...from, { ignore: [{ first: 0, count: 2 }] }), null);
  assert.equal(scene.closest(...from, { mask: 2 }).instance, 1);
  const first = scene.closest(...from);
  assert.equal(scene.closest(...from, { skip: [first] }).t, 2);
  const many = Array.from({ length: 1000 }, (_, prim) => ({ instance: 0, prim }));
  assert.equal(scene.closest(...from, { skip: many }).t, 6);
  scene.dispose();
});

test('trees as bytes, refitted, masked', () => {
  const copy = Tree.fromBytes(box.toBytes());
  assert.equal(copy.hash, box.hash);
  assert.deepEqual(copy.closest([0.25, 0.5, -1], [0, 0, 1]), box.closest([0.25, 0.5, -1], [0, 0, 1]));
  const tree = Tree.build(cube);
  tree.refit(cube.position.map((x) => 2 * x));
  assert.deepEqual([...tree.bounds.max], [2, 2, 2]);
  tree.check();
  tree.setMasks(new Uint32Array(12).fill(4));
  assert.equal(tree.any([0.25, 0.5, -1], [0, 0, 1], { mask: 3 }), false);
  assert.ok(tree.drift > 0);
  copy.dispose();
  tree.dispose();
});

test('a tree that a scene uses stays until the scene goes, and is not changed', () => {
  const before = sightline.info().trees;
  const tree = Tree.build(cube);
  const scene = Scene.build([{ tree }, null]);
  throwsCode('INVALID_ARGUMENT', () => tree.refit(cube.position));
  tree.dispose();
  tree.dispose();
  throwsCode('DISPOSED', () => tree.any([0, 0, 0], [0, 0, 1]));
  assert.equal(scene.any([0.25, 0.5, -1], [0, 0, 1]), true);
  const outer = Scene.build([{ tree: scene, id: 3 }, { tree: scene, matrix: moved(3, 0, 0), id: 4 }]);
  scene.dispose();
  assert.deepEqual(outer.path(2), [{ index: 1, id: 4 }, { index: 0, id: 0 }]);
  assert.equal(outer.instanceCount, 4);
  outer.dispose();
  assert.equal(sightline.info().trees, before);
});

test('versions of a scene recycle the one before', () => {
  let scene = Scene.of(box, Float32Array.from([...moved(0, 0, 0), ...moved(3, 0, 0)]));
  let spare = scene.next(Float32Array.from([...moved(0, 0, 1), ...moved(3, 0, 0)]));
  const grown = () => sightline.info().memory;
  let memory = 0;
  for (let k = 0; k < 50; k++) {
    const next = scene.next(Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, k, 1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 0), { recycle: spare });
    assert.equal(spare.disposed, true);
    assert.equal(next.closest([0.25, 0.5, -1], [0, 0, 1]).t, k + 1);
    [scene, spare] = [next, scene];
    if (k === 10) memory = grown();
  }
  assert.equal(grown(), memory);
  scene.dispose();
  spare.dispose();
});

test('of a list null stays as it was, and trees that are no longer there are freed', () => {
  const before = sightline.info().trees;
  const tree = Tree.build(cube);
  const first = Scene.build([{ tree, id: 5 }, { tree: box, matrix: moved(3, 0, 0), id: 6 }]);
  const second = first.next([{ tree: box, matrix: moved(0, 0, 2), id: 7 }, null]);
  tree.dispose();
  assert.equal(second.closest([0.25, 0.5, -1], [0, 0, 1]).t, 3);
  assert.equal(second.closest([3.25, 0.5, -1], [0, 0, 1]).t, 1);
  assert.deepEqual([second.path(0)[0].id, second.path(1)[0].id], [7, 6]);
  assert.equal(first.closest([0.25, 0.5, -1], [0, 0, 1]).t, 1);
  first.dispose();
  assert.equal(sightline.info().trees, before + 1);
  second.dispose();
});

test('volumes touch and sweep', () => {
  assert.equal(box.overlap({ box: { min: [1, 1, 1], max: [2, 2, 2] } }), true);
  assert.equal(box.overlap({ sphere: { centre: [0.5, 0.5, 0.5], radius: 0.4 } }), false);
  assert.equal(box.overlapAll({ obb: { centre: [0, 0, 0], axes: [[9, 0, 0], [0, 9, 0], [0, 0, 9]] } }).length, 12);
  assert.equal(box.overlap({ triangle: [[-1, 0.5, 0.5], [2, 0.5, 0.5], [0.5, 2, 0.5]] }), true);
  assert.equal(box.overlap({ capsule: { a: [2, 0.5, 0.5], b: [3, 0.5, 0.5], radius: 1 } }), true);
  assert.equal(box.overlap({ capsule: { a: [2.5, 0.5, 0.5], b: [3, 0.5, 0.5], radius: 1 } }), false);
  const contact = box.sweep({ sphere: { centre: [0.25, 0.5, 4], radius: 1 } }, [0, 0, -4]);
  assert.deepEqual([contact.t, contact.start, contact.normal], [0.5, 'apart', [0, 0, 1]]);
  assert.ok(contact.tSafe <= contact.t);
  assert.equal(box.sweep({ capsule: { a: [0, 0, 9], b: [1, 0, 9], radius: 1 } }, [0, 0, -4]), null);
});

test('meshes meet meshes', () => {
  const other = Scene.build([{ tree: box, matrix: moved(0.5, 0.25, 0.25) }]);
  const far = Scene.build([{ tree: box, matrix: moved(3, 0, 0) }]);
  assert.equal(box.clash(other), true);
  assert.equal(box.clash(far), false);
  assert.equal(box.clash(far, { margin: 2 }), true);
  assert.equal(box.clash(box, { at: moved(0.5, 0.25, 0.25) }), true);
  assert.equal(box.clash(box, { at: moved(1, 0, 0), touching: false }), false);
  const pairs = box.clashPairs(other);
  assert.ok(pairs.length > 4 && pairs.every(({ relation }) => relation === 'crossing' || relation === 'touching'));
  assert.equal(box.clashPairs(other, { capacity: 2 }).length, 2);
  const { points, starts } = box.clashCurves(other);
  assert.equal(starts[0], 0);
  assert.equal(3 * starts.at(-1), points.length);
  const apart = box.distance(far);
  assert.deepEqual([apart.distance, apart.pointA[0], apart.pointB[0]], [2, 1, 3]);
  assert.equal(box.distance(far, 1), null);
  other.dispose();
  far.dispose();
});

test('surfaces and corners of hits', () => {
  const { point, normal, frontOrigin } = box.surface(box.closest([0.25, 0.5, -1], [0, 0, 1]));
  assert.deepEqual([[...point], [...normal]], [[0.25, 0.5, 0], [0, 0, -1]]);
  assert.ok(frontOrigin[2] < 0);
  assert.deepEqual([...box.triangle(0)], [0, 0, 0, 0, 1, 0, 1, 0, 0]);
  throwsCode('BAD_INDEX', () => box.triangle(12));
  throwsCode('BAD_INDEX', () => box.triangle(0, 1));
});

test('picks, snaps and selections', () => {
  const view = viewFrom(0.5, 0.5);
  const face = box.pick(view, 380, 420, { kinds: ['face'] });
  assert.equal(face.kind, 'face');
  assert.equal(face.point[2], 1);
  const corner = 400 + 400 * 0.5 / 2; // the front face is 2 in front of the eye
  const vertex = box.pick(view, corner + 2, 800 - corner - 2);
  assert.deepEqual([vertex.kind, vertex.point], ['vertex', [1, 1, 1]]);
  assert.equal(box.pickAll(view, 380, 420, { kinds: ['face'], unit: 'faces' }).length, 2);
  const behind = box.pickNext(view, 380, 420, face, { kinds: ['face'], unit: 'faces' });
  assert.equal(behind.point[2], 0);
  const snap = box.snap(view, corner, 402, { kinds: ['midpoint', 'vertex'] });
  assert.deepEqual([snap.kind, snap.point, snap.kept], ['midpoint', [1, 0.5, 1], false]);
  assert.equal(box.snap(view, corner, 404, { kinds: ['midpoint', 'vertex'] }, snap).kept, true);
  const triangles = box.select(view, { rectangle: [0, 0, 800, 800] });
  assert.equal(triangles.prims.length / 2, 2); // the front face hides the others
  assert.equal(box.select(view, { lasso: [0, 0, 800, 0, 800, 800, 0, 800] }, { through: true }).prims.length / 2, 12);
  assert.deepEqual([...box.select(view, { brush: { x: 400, y: 400, radius: 5 } }, { what: 'instances' }).instances], [0]);
  assert.equal(box.select(view, { rectangle: [0, 0, 5, 5] }).instances.length, 0);
});

test('a marquee is at each place what a selection is, with the options that it was made with', () => {
  const soups = sightline.Tree.build({ position: soup(400, 3) });
  const view = viewFrom(0.5, 0.5);
  const skip = soups.overlapAll({ box: { min: [0, 0, 0.8], max: [1, 1, 1] } });
  const filter = ({ prim }, index) => index >= 0 && prim % 3 !== 0;
  for (const def of [{}, { through: true }, { through: true, rule: 'inside' }, { what: 'instances' }]) {
    for (const options of [undefined, { skip }, { filter }, { cull: 'back', skip, ignore: [5] }]) {
      const marquee = soups.marquee(view, { ...def, options });
      for (const x of [300, 420, 400, 700, 310]) {
        const region = { rectangle: [300, 250, x, 500] };
        soups.any([0, 0, 0], [0, 0, 1], { skip: [{ prim: 1 }], filter: () => false });
        assert.deepEqual(marquee.update(region), soups.select(view, region, { ...def, options }), `${JSON.stringify(def)} ${x}`);
      }
      marquee.dispose();
    }
  }
});

test('topologies go with a scene, and are read once', () => {
  const topology = box.topology();
  assert.deepEqual([topology.vertexCount, topology.edgeCount, topology.featureEdges.length / 2], [8, 18, 12]);
  const scene = Scene.build([{ tree: box, topology }]);
  const view = viewFrom(0.5, 0.5);
  const pick = (def) => scene.pick(view, 400, 400, { kinds: ['edge'], ...def });
  assert.equal(pick(), null); // a diagonal is no feature
  assert.equal(pick({ topologies: null })?.kind, 'edge');
  assert.equal(pick({ topologies: [null] })?.kind, 'edge');
  throwsCode('INVALID_ARGUMENT', () => pick({ topologies: [] }));
  topology.dispose();
  throwsCode('DISPOSED', () => pick());
  scene.dispose();
});

test('a camera of three.js far from the origin picks what it shows', () => {
  const far = 5e7;
  const scene = Scene.build([{ tree: box, matrix: moved(far, far, 0) }]);
  const elements = { elements: moved(-far - 0.5, -far - 0.5, -3) };
  const view = sightline.viewOf({ matrixWorldInverse: elements, projectionMatrix: { elements: viewFrom(0, 0).projection } }, 800, 800);
  const pick = scene.pick(view, 380, 420, { kinds: ['face'] });
  assert.ok(Math.abs(pick.point[0] - far - 0.4) < 1e-6, `${pick.point[0] - far}`);
  scene.dispose();
});

test('meshes from files, packed or not, with notes and parts', async () => {
  const text = 'o a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\no b\nf 1 2 3\nl 1 2\n';
  const packed = new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip')));
  const mesh = await Mesh.read(packed);
  assert.deepEqual([mesh.triangleCount, mesh.vertexCount, mesh.faceOf(1), mesh.partOf(2)], [3, 4, 0, 1]);
  assert.deepEqual(mesh.parts.map(({ first, count }) => [first, count]), [[0, 2], [2, 1]]);
  assert.equal(mesh.notes[0].line, 9);
  const tree = Tree.build(mesh);
  assert.equal(tree.topology().partCount, 2);
  assert.throws(() => Mesh.load(new TextEncoder().encode('v 0 0 0\nf 1 2 x\n'), { name: 'a.obj' }), { code: 'BAD_DATA', line: 2, file: 'a.obj' });
  mesh.dispose();
  assert.equal(tree.triangleCount, 3);
  tree.dispose();
});

test('geometries of three.js: draw ranges keep numbers, interleaved positions are read', () => {
  const attribute = { array: cube.position, itemSize: 3, count: 8, getX: () => 0 };
  const geometry = { attributes: { position: attribute }, index: { array: cube.index, count: 36 }, drawRange: { start: 6, count: 6 } };
  const tree = Tree.build(geometry);
  assert.equal(tree.triangleCount, 2);
  assert.deepEqual(tree.all([0.25, 0.5, -1], [0, 0, 1]).map(({ prim }) => prim), [2]);
  const read = (axis) => (i) => cube.position[3 * i + axis];
  const interleaved = { count: 8, itemSize: 3, isInterleavedBufferAttribute: true, getX: read(0), getY: read(1), getZ: read(2) };
  assert.equal(Tree.build({ attributes: { position: interleaved }, index: geometry.index }).hash, box.hash);
});

test('progress is told, and may stop a build', () => {
  const phases = new Set();
  Tree.build({ position: soup(20000, 1) }, { progress: (phase, fraction) => void phases.add(phase) && fraction }).dispose();
  assert.ok(phases.size > 0);
  throwsCode('CANCELLED', () => Tree.build({ position: soup(20000, 1) }, { progress: () => false }));
});

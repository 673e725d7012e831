// The benchmark itself, for Node and pages alike: one job after another, in each of which the contestants take turns.
import * as three from 'three';
import * as meshBvh from 'three-mesh-bvh';
import rapier from '@dimforge/rapier3d-compat';
import { boxOf, primaryRays, randomPoints, randomRays, torus } from './questions.mjs';

const PEER = 'three-mesh-bvh';
const OURS = 'sightline';
const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

/** { contestant: [the median, the least] } of the milliseconds that each takes, in rounds in which they take turns; the first
 * round is for the compiler. */
async function inTurn(runs, rounds) {
  const times = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [name, run] of Object.entries(runs)) {
      await pause();
      const start = performance.now();
      run();
      if (round >= 0) times[name].push(performance.now() - start);
    }
  }
  for (const all of Object.values(times)) all.sort((a, b) => a - b);
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, [all[all.length >> 1], all[0]]]));
}

function geometryOf({ position, index }) {
  const geometry = new three.BufferGeometry();
  geometry.setAttribute('position', new three.BufferAttribute(position, 3));
  geometry.setIndex(new three.BufferAttribute(index.slice(), 1)); // which three-mesh-bvh sorts
  return geometry;
}

// The contestants over one mesh.
function contestants({ Tree }, mesh) {
  const world = new rapier.World({ x: 0, y: 0, z: 0 });
  const collider = world.createCollider(rapier.ColliderDesc.trimesh(mesh.position, mesh.index));
  world.step();
  return { tree: Tree.build(mesh), bvh: new meshBvh.MeshBVH(geometryOf(mesh)), best: new meshBvh.MeshBVH(geometryOf(mesh), { strategy: meshBvh.SAH }), world, collider };
}

// A loop over rays for libraries that are asked one at a time, with objects that are made once.
function each({ origins, dirs }, ray, ask) {
  let found = 0;
  for (let i = 0; i < origins.length; i += 3) {
    ray.origin.x = origins[i];
    ray.origin.y = origins[i + 1];
    ray.origin.z = origins[i + 2];
    const { direction = ray.dir } = ray;
    direction.x = dirs[i];
    direction.y = dirs[i + 1];
    direction.z = dirs[i + 2];
    if (ask(ray)) found++;
  }
  return found;
}

// Ours one call a ray, from arrays, as the others.
function eachOf(tree, { origins, dirs }) {
  const [origin, dir] = [[0, 0, 0], [0, 0, 0]];
  const out = { t: 0, u: 0, v: 0, prim: 0, instance: 0, flags: 0 };
  let found = 0;
  for (let i = 0; i < origins.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      origin[k] = origins[i + k];
      dir[k] = dirs[i + k];
    }
    if (tree.closest(origin, dir, undefined, out) !== null) found++;
  }
  return found;
}

function rayJobs({ tree, bvh, best, collider }, random, primary) {
  const ray = new three.Ray();
  const theirs = new rapier.Ray({ x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 0 });
  const first = (tree_) => (rays) => () => each(rays, ray, (one) => tree_.raycastFirst(one, three.DoubleSide) !== null);
  const cast = (rays) => () => each(rays, theirs, (one) => collider.castRay(one, 1e9, false) >= 0);
  const closest = (rays) => {
    const out = tree.closestMany(rays);
    return { [OURS]: () => tree.closestMany(rays, undefined, out), [PEER]: first(bvh)(rays), [`${PEER} SAH`]: first(best)(rays), rapier: cast(rays) };
  };
  const bytes = new Uint8Array(random.origins.length / 3);
  return {
    'random closest': closest(random),
    'primary closest': closest(primary),
    'random any': { ...closest(random), [OURS]: () => tree.anyMany(random, undefined, bytes), rapier: () => each(random, theirs, (one) => collider.intersectsRay(one, 1e9)) },
    'random single': { ...closest(random), [OURS]: () => eachOf(tree, random) },
    'primary single': { ...closest(primary), [OURS]: () => eachOf(tree, primary) },
  };
}

function pointJobs({ tree, bvh, best, collider }, points) {
  const point = new three.Vector3();
  const target = {};
  const out = tree.nearestMany(points);
  const loop = (ask) => () => {
    for (let i = 0; i < points.length; i += 3) ask(point.set(points[i], points[i + 1], points[i + 2]));
  };
  const single = { distance: 0, u: 0, v: 0, prim: 0, instance: 0, point: [0, 0, 0] };
  const others = { [PEER]: loop((p) => bvh.closestPointToPoint(p, target)), [`${PEER} SAH`]: loop((p) => best.closestPointToPoint(p, target)), rapier: loop((p) => collider.projectPoint(p, false)) };
  return {
    nearest: { [OURS]: () => tree.nearestMany(points, undefined, undefined, out), ...others },
    'nearest single': { [OURS]: loop((p) => tree.nearest(p, undefined, undefined, single)), ...others },
  };
}

function buildJobs({ Tree }, mesh) {
  const ours = (quality) => () => Tree.build(mesh, { quality }).dispose();
  const geometry = new three.BufferGeometry();
  const theirs = (strategy) => () => {
    // The index is sorted in place: a sorted one would be another mesh.
    geometry.setAttribute('position', new three.BufferAttribute(mesh.position, 3)).setIndex(new three.BufferAttribute(mesh.index.slice(), 1));
    return new meshBvh.MeshBVH(geometry, { strategy });
  };
  const world = new rapier.World({ x: 0, y: 0, z: 0 });
  const desc = rapier.ColliderDesc.trimesh(mesh.position, mesh.index);
  return {
    [`${OURS} fast`]: ours('fast'),
    [OURS]: ours('default'),
    [`${PEER} CENTER`]: theirs(meshBvh.CENTER),
    [`${PEER} AVERAGE`]: theirs(meshBvh.AVERAGE),
    [`${PEER} SAH`]: theirs(meshBvh.SAH),
    rapier: () => world.removeCollider(world.createCollider(desc), false),
  };
}

// Bytes of the trees; theirs needs its order of the index, too.
function memoryOf({ tree, bvh, best }, { index }) {
  const bytes = (one) => meshBvh.MeshBVH.serialize(one, { cloneBuffers: false }).roots.reduce((sum, root) => sum + root.byteLength, 0) + index.byteLength;
  return { [OURS]: tree.memory, [PEER]: bytes(bvh), [`${PEER} SAH`]: bytes(best) };
}

const scaled = (times, count) => Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, ms.map((one) => (1000 * one) / count)]));

/** All jobs of a mesh: { job: { contestant: [median, least] } } in microseconds an item, milliseconds of
 * builds, and bytes. */
export async function measure(engine, mesh, { count, rounds }) {
  const box = boxOf(mesh.position);
  const random = randomRays(box, count);
  const primary = primaryRays(box, count);
  const points = randomPoints(box, Math.ceil(count / 4));
  const over = contestants(engine, mesh);
  const results = {};
  for (const [job, runs] of Object.entries({ ...rayJobs(over, random, primary), ...pointJobs(over, points) })) {
    const items = job.startsWith('nearest') ? points.length / 3 : (job.startsWith('primary') ? primary : random).origins.length / 3;
    results[job] = scaled(await inTurn(runs, rounds), items);
  }
  results['build ms'] = await inTurn(buildJobs(engine, mesh), Math.min(rounds, 3));
  results.bytes = memoryOf(over, mesh);
  over.tree.dispose();
  over.world.free();
  return results;
}

// Where the eye is: the whole torus in the picture, of which a triangle then is a pixel or two wide; a part of it.
const EYES = { whole: [0, -2.2, 2.2], near: [0.9, -1.3, 0.5] };

function viewFrom(eye, viewOf) {
  const camera = new three.PerspectiveCamera(50, 16 / 9, 0.01, 100);
  camera.position.set(...eye);
  camera.lookAt(0, eye === EYES.near ? -1 : 0, 0);
  camera.updateMatrixWorld();
  return viewOf(camera, 1920, 1080);
}

/** Snaps with a radius of 5 pixels, and picks, on a mesh of a million triangles, where there is something: microseconds. */
export function measureSnap({ Tree, viewOf }) {
  const tree = Tree.build(torus(708));
  const topology = tree.topology();
  const def = { radius: 5, topologies: [topology] };
  const asks = { snap: (...at) => tree.snap(...at, def), pick: (...at) => tree.pick(...at, def) };
  const results = { triangles: tree.triangleCount };
  for (const [place, eye] of Object.entries(EYES)) {
    const view = viewFrom(eye, viewOf);
    for (const [job, ask] of Object.entries(asks)) {
      const times = [];
      for (let i = 0; times.length < 4000; i++) {
        const start = performance.now();
        const answer = ask(view, (i * 7919) % 1920, (i * 104729) % 1080);
        if (answer !== null) times.push(1000 * (performance.now() - start));
      }
      times.splice(0, 1000); // for the compiler
      times.sort((a, b) => a - b);
      results[`${job}, ${place}`] = { median: times[times.length >> 1], p90: times[Math.floor(0.9 * times.length)] };
    }
  }
  topology.dispose();
  tree.dispose();
  return results;
}

export const start = () => rapier.init();

// What sightline/three answers is what three.js answers, for each kind of object, on random scenes and rays.
//
// The two may differ at edges: three.js decides in rounded doubles, of a ray whose direction it has scaled to length 1, and
// sightline exactly.  A hit that only one of them has must have a barycentric coordinate within 1e-9 of 0, lie within
// rounding of the raycaster's limits, or be at rounding's reach of the ray's plane; anything else fails.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installed } from './support/installed.mjs';

const place = installed();
after(() => place.remove?.());
const { skip } = place;

async function load() {
  const file = join(place.folder, 'load.mjs');
  writeFileSync(file, "export * as sightline from 'sightline';\nexport * as THREE from 'three';\nexport * from 'sightline/three';\n");
  const loaded = await import(pathToFileURL(file));
  await loaded.sightline.init();
  return loaded;
}
const { sightline, THREE, Accelerator } = skip ? {} : await load();

let state = 1;
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}
const within = (least, most) => least + (most - least) * random();
const vector = (size) => new THREE.Vector3(within(-size, size), within(-size, size), within(-size, size));

// Objects with instances are scaled evenly: the sphere by which three.js passes over an instance is too small for one that is
// sheared, so that three.js misses what is there.
function place3(object) {
  object.position.copy(vector(2));
  object.rotation.set(within(0, 6), within(0, 6), within(0, 6));
  if (object.isInstancedMesh || object.isBatchedMesh) object.scale.setScalar(within(0.5, 2));
  else object.scale.set(within(0.5, 2), within(0.5, 2), within(0.5, 2));
  if (random() < 0.5) object.scale.x *= -1;
  object.updateMatrix();
  object.updateMatrixWorld();
  return object;
}

function knot(groups = 0) {
  const geometry = new THREE.TorusKnotGeometry(1, 0.4, 40, 8);
  geometry.setAttribute('uv1', geometry.attributes.uv.clone());
  const each = Math.floor(geometry.index.count / 3 / Math.max(1, groups)) * 3;
  for (let i = 0; i < groups; i++) geometry.addGroup(i * each, each, i % 3);
  return geometry;
}

const material = (side) => new THREE.MeshBasicMaterial({ side });
const sides = () => [THREE.FrontSide, THREE.BackSide, THREE.DoubleSide];

function raycasters(count) {
  return Array.from({ length: count }, () => {
    const from = vector(6);
    const raycaster = new THREE.Raycaster(from, vector(1.5).sub(from).normalize());
    if (random() < 0.3) Object.assign(raycaster, { near: within(0, 4), far: within(4, 8) });
    return raycaster;
  });
}

const keyOf = ({ object, faceIndex, instanceId, batchId, face }) => [object.id, faceIndex, instanceId, batchId, face.materialIndex].join();

// A hit that only one of the two has: nothing but rounding may be why.
function isAtEdge(hit, { near, far }) {
  const least = Math.min(hit.barycoord.x, hit.barycoord.y, hit.barycoord.z);
  return least < 1e-9 || Math.abs(hit.distance - near) < 1e-5 || Math.abs(hit.distance - far) < 1e-5;
}

function close(a, b, tolerance, what) {
  const list = (one) => (typeof one === 'number' ? [one] : one.toArray());
  list(a).forEach((value, i) => assert.ok(Math.abs(value - list(b)[i]) <= tolerance, `${what}: ${value} and ${list(b)[i]}`));
}

function compareHit(ours, theirs, tolerance) {
  assert.deepEqual(Object.keys(ours).sort(), Object.keys(theirs).sort());
  for (const corner of ['a', 'b', 'c']) assert.equal(ours.face[corner], theirs.face[corner]);
  for (const name of ['distance', 'point']) close(ours[name], theirs[name], 1e2 * tolerance, name);
  for (const name of ['uv', 'uv1', 'normal', 'barycoord']) if (theirs[name]) close(ours[name], theirs[name], 1e3 * tolerance, name);
  close(ours.face.normal, theirs.face.normal, 1e3 * tolerance, 'face.normal');
}

// Compares both on rays; returns how many hits there were, and how many only one had.
function compare(accelerator, root, rays, tolerance = 1e-7) {
  let hits = 0;
  const odd = [];
  for (const raycaster of rays) {
    const theirs = new Map(raycaster.intersectObject(root).map((hit) => [keyOf(hit), hit]));
    const list = accelerator.intersectObject(raycaster, root);
    const ours = new Map(list.map((hit) => [keyOf(hit), hit]));
    assert.equal(ours.size, list.length, 'no hit comes twice');
    for (let i = 1; i < list.length; i++) assert.ok(list[i - 1].distance <= list[i].distance);
    for (const [key, hit] of ours) {
      if (theirs.has(key)) compareHit(hit, theirs.get(key), tolerance);
      else odd.push(isAtEdge(hit, raycaster) ? 'ours' : assert.fail(`only ours: ${JSON.stringify({ ...hit, object: key })}`));
    }
    for (const [key, hit] of theirs) {
      if (!ours.has(key)) odd.push(isAtEdge(hit, raycaster) ? 'theirs' : assert.fail(`only theirs: ${JSON.stringify({ ...hit, object: key })}`));
    }
    hits += ours.size;
    raycaster.firstHitOnly = true;
    const [first] = accelerator.intersectObject(raycaster, root);
    assert.equal(first?.distance, list[0]?.distance);
    raycaster.firstHitOnly = false;
  }
  return { hits, odd };
}

test('meshes: sides, mirrored transforms, limits', { skip }, () => {
  const accelerator = new Accelerator(sightline);
  const root = new THREE.Group();
  const geometry = knot();
  for (const side of sides()) for (let i = 0; i < 3; i++) root.add(place3(new THREE.Mesh(geometry, material(side))));
  root.add(place3(new THREE.Mesh(geometry.toNonIndexed(), material(THREE.DoubleSide))));
  root.updateMatrixWorld();
  accelerator.addAll(root);
  const { hits, odd } = compare(accelerator, root, raycasters(300));
  assert.ok(hits > 1000, `${hits} hits`);
  assert.ok(odd.length < 3);
  accelerator.dispose();
  assert.equal(sightline.info().trees, 0);
});

test('groups of materials, draw ranges, and what does not begin at a triangle', { skip }, () => {
  const accelerator = new Accelerator(sightline);
  for (const range of [[0, Infinity], [30, 900], [300, 301], [31, 900], [0, 0]]) {
    const geometry = knot(7);
    geometry.addGroup(60, 90, 2); // over others
    geometry.addGroup(60, 90, 7); // of no material that is there, so three.js is not asked
    geometry.groups.pop();
    geometry.setDrawRange(...range);
    const mesh = place3(new THREE.Mesh(geometry, sides().map(material)));
    compare(accelerator.add(mesh), mesh, raycasters(100));
    mesh.material = material(THREE.DoubleSide);
    compare(accelerator, mesh, raycasters(100));
  }
  accelerator.dispose();
});

test('instanced meshes: moved, fewer, scaled to nothing, and over a changed geometry', { skip }, () => {
  const accelerator = new Accelerator(sightline);
  for (const side of sides()) {
    const mesh = place3(new THREE.InstancedMesh(knot(), material(side), 40));
    const move = (first) => {
      for (let i = first; i < 40; i++) mesh.setMatrixAt(i, place3(new THREE.Object3D()).matrix);
      mesh.setMatrixAt(first + 1, new THREE.Matrix4().makeScale(0, 0, 0));
      mesh.instanceMatrix.needsUpdate = true;
      mesh.computeBoundingSphere();
    };
    move(0);
    accelerator.add(mesh);
    assert.ok(compare(accelerator, mesh, raycasters(60)).hits > 300);
    move(20);
    assert.ok(compare(accelerator, mesh, raycasters(60)).hits > 300);
    mesh.count = 11;
    compare(accelerator, mesh, raycasters(60));
    mesh.geometry.scale(1.1, 0.9, 1);
    mesh.computeBoundingSphere();
    compare(accelerator, mesh, raycasters(60));
  }
  accelerator.dispose();
  assert.equal(sightline.info().trees, 0);
});

test('batched meshes: hidden, deleted and other geometries', { skip }, () => {
  const accelerator = new Accelerator(sightline);
  const mesh = place3(new THREE.BatchedMesh(30, 20000, 20000, material(THREE.DoubleSide)));
  const box = new THREE.BoxGeometry().deleteAttribute('uv1');
  const plain = knot().deleteAttribute('uv1');
  const geometries = [mesh.addGeometry(box), mesh.addGeometry(plain), mesh.addGeometry(new THREE.SphereGeometry(1, 20, 10))];
  const ids = Array.from({ length: 30 }, (_, i) => mesh.addInstance(geometries[i % 3]));
  for (const id of ids) mesh.setMatrixAt(id, place3(new THREE.Object3D()).matrix);
  accelerator.add(mesh);
  assert.ok(compare(accelerator, mesh, raycasters(100)).hits > 500);
  for (let i = 0; i < 30; i += 4) mesh.setVisibleAt(ids[i], false);
  mesh.deleteInstance(ids[1]);
  mesh.setGeometryIdAt(ids[2], geometries[0]);
  assert.ok(compare(accelerator, mesh, raycasters(100)).hits > 300);
  mesh.setMatrixAt(mesh.addInstance(geometries[1]), place3(new THREE.Object3D()).matrix);
  compare(accelerator, mesh, raycasters(100));
  accelerator.dispose();
  assert.equal(sightline.info().trees, 0);
});

function skinned() {
  const geometry = new THREE.CylinderGeometry(0.5, 0.5, 4, 12, 12, false);
  const { position } = geometry.attributes;
  const indices = [];
  const weights = [];
  for (let i = 0; i < position.count; i++) {
    const y = (position.getY(i) + 2) / 2;
    const bone = Math.min(1, Math.floor(y));
    indices.push(bone, bone + 1, 0, 0);
    weights.push(1 - (y - bone), y - bone, 0, 0);
  }
  geometry.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(indices, 4));
  geometry.setAttribute('skinWeight', new THREE.Float32BufferAttribute(weights, 4));
  const mesh = new THREE.SkinnedMesh(geometry, material(THREE.DoubleSide));
  const bones = [0, 1, 2].map(() => new THREE.Bone());
  bones[0].position.y = -2;
  bones[1].position.y = bones[2].position.y = 2;
  bones[0].add(bones[1]);
  bones[1].add(bones[2]);
  mesh.add(bones[0]);
  mesh.updateMatrixWorld(true);
  mesh.bind(new THREE.Skeleton(bones));
  return { mesh, bones };
}

test('skinned and morphing meshes: the pose of the last update()', { skip }, () => {
  const accelerator = new Accelerator(sightline);
  const { mesh, bones } = skinned();
  accelerator.add(mesh);
  for (const bend of [0, 0.4, 1.1]) {
    bones[1].rotation.z = bend;
    mesh.updateMatrixWorld(true);
    mesh.computeBoundingSphere();
    accelerator.update(mesh);
    assert.ok(compare(accelerator, mesh, raycasters(100), 1e-5).hits > 40);
  }
  const geometry = knot();
  geometry.morphAttributes.position = [geometry.attributes.position.clone()];
  geometry.morphAttributes.position[0].array.forEach((value, i, list) => (list[i] = 1.5 * value));
  const morphing = new THREE.Mesh(geometry, material(THREE.FrontSide));
  // Before it is added, three.js answers: the tree of the geometry has not what is drawn.
  accelerator.add(geometry);
  morphing.morphTargetInfluences[0] = 0.6;
  compare(accelerator, morphing, raycasters(50));
  accelerator.add(morphing);
  morphing.morphTargetInfluences[0] = 0.3;
  accelerator.update(morphing);
  assert.ok(compare(accelerator, morphing, raycasters(100), 1e-5).hits > 100);
  accelerator.dispose();
});

test('geometries change: needsUpdate refits, another index builds', { skip }, () => {
  const accelerator = new Accelerator(sightline);
  const mesh = new THREE.Mesh(knot(), material(THREE.DoubleSide));
  accelerator.add(mesh);
  const tree = accelerator.treeOf(mesh);
  mesh.geometry.scale(1.2, 1, 0.8);
  compare(accelerator, mesh, raycasters(60));
  assert.equal(accelerator.treeOf(mesh), tree);
  mesh.geometry.setIndex(mesh.geometry.index.clone().copyArray([...mesh.geometry.index.array].reverse()));
  compare(accelerator, mesh, raycasters(60));
  mesh.geometry = knot();
  compare(accelerator, mesh, raycasters(60));
  accelerator.dispose();
});

test('layers, raycasts of others, and three.js with our method in it', { skip }, () => {
  const accelerator = new Accelerator(sightline);
  const [shown, hidden] = [0, 1].map((layer) => {
    const mesh = new THREE.Mesh(knot(), material(THREE.DoubleSide));
    mesh.layers.set(layer);
    return mesh;
  });
  const root = new THREE.Group().add(shown, hidden);
  const stopping = new THREE.Group();
  stopping.raycast = () => false;
  stopping.add(new THREE.Mesh(knot(), material(THREE.DoubleSide)));
  root.add(stopping);
  accelerator.addAll(root);
  const { hits } = compare(accelerator, root, raycasters(60));
  assert.ok(hits > 0);
  const [raycaster] = raycasters(1);
  raycaster.set(new THREE.Vector3(1, 0, 9), new THREE.Vector3(0, 0, -1));
  const plain = raycaster.intersectObject(root).map(keyOf);
  const restore = accelerator.patch();
  raycaster.firstHitOnly = true;
  assert.deepEqual(raycaster.intersectObject(root).map(keyOf), plain.slice(0, 1));
  // An object that was not added is asked as before.
  const other = new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1).translate(1, 0, 0), material(THREE.FrontSide));
  assert.equal(raycaster.intersectObject(other)[0].distance, 8.5);
  restore();
  shown.raycast = accelerator.raycastMethod;
  assert.deepEqual(raycaster.intersectObject(root).map(keyOf), plain.slice(0, 1));
  accelerator.dispose();
  assert.deepEqual(raycaster.intersectObject(root).map(keyOf), plain);
});

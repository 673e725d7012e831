// What is there: parts, where their instances are, what three.js draws of them, and the scene that the engine asks.
// A move makes a new version of the scene; the version before the last one gives its memory to the next.
import { BufferAttribute, BufferGeometry, Color, Group, InstancedMesh, Matrix4, Quaternion, Vector3 } from 'three';
import { Scene, Tree } from 'sightline';
import { drawn, makeParts } from './parts.js';
import { material } from './look.js';

const FEATURE_ANGLE = 0.6; // Radians; parts.js breaks normals at the same angle.

// Numbers in [0, 1) that are the same for everyone (mulberry32).
function randomFrom(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// The `count` points of a face-centred lattice, nearest neighbours 1 apart, that are nearest to the origin.
function ballOf(count) {
  const reach = Math.ceil(Math.cbrt(count) * 0.9) + 2;
  const points = [];
  for (let i = -reach; i <= reach; i++) {
    for (let j = -reach; j <= reach; j++) {
      for (let k = -reach; k <= reach; k++) {
        if ((i + j + k) % 2 === 0) points.push([i, j, k]);
      }
    }
  }
  const size = ([i, j, k]) => i * i + j * j + k * k;
  points.sort((a, b) => size(a) - size(b) || a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return points.slice(0, count).map((point) => new Vector3(...point).multiplyScalar(Math.SQRT1_2));
}

// From the core outwards.
const shells = ['#ffd27a', '#f59d4c', '#e2654a', '#a84a6e', '#4f5d9e', '#3a8fb0', '#7cc4b8'].map((text) => new Color(text));

function shellColor(fraction, random) {
  const at = Math.min(fraction * fraction * (shells.length - 1), shells.length - 1.001);
  const color = shells[Math.floor(at)].clone().lerp(shells[Math.floor(at) + 1], at % 1);
  return color.offsetHSL((random() - 0.5) * 0.02, 0, (random() - 0.5) * 0.09);
}

// An instance's row of the transforms that Scene.next takes: the first three rows of its matrix.
function putRow(rows, instance, { elements }) {
  for (let axis = 0; axis < 3; axis++) {
    for (let column = 0; column < 4; column++) rows[12 * instance + 4 * axis + column] = elements[4 * column + axis];
  }
}

/** Kinds { name, tree, topology, geometry, flat } and items { kind, matrix, color }, drawn and asked. */
export class World {
  constructor(kinds, items, name) {
    const start = performance.now();
    Object.assign(this, { kinds, items, name, group: new Group(), spare: null, moved: new Map() });
    this.topologies = items.map((item) => kinds[item.kind].topology);
    this.scene = Scene.build(items.map((item) => this.placed(item)));
    this.sceneTime = performance.now() - start;
    this.triangleCount = 0;
    this.rows = new Float64Array(12 * items.length);
    items.forEach((item, instance) => putRow(this.rows, instance, item.matrix));
    kinds.forEach((kind, index) => this.draw(kind, items.filter((item) => item.kind === index)));
    const { min, max } = this.scene.bounds;
    this.center = new Vector3((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2);
    this.extent = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]) / 2;
    this.radius = Math.max(new Vector3(...min).distanceTo(this.center), 1e-6);
  }

  placed(item) {
    const { tree, topology } = this.kinds[item.kind];
    return { tree, topology, matrix: item.matrix };
  }

  draw(kind, items) {
    kind.mesh = new InstancedMesh(kind.geometry, material(kind.flat), items.length);
    kind.mesh.frustumCulled = false;
    items.forEach((item, slot) => {
      item.slot = slot;
      kind.mesh.setMatrixAt(slot, item.matrix);
      kind.mesh.setColorAt(slot, item.color);
    });
    this.triangleCount += kind.tree.triangleCount * items.length;
    this.group.add(kind.mesh);
  }

  nameOf(instance) {
    const { name } = this.kinds[this.items[instance].kind];
    return this.items.length > 1 ? `${name} ${instance}` : name;
  }

  /** Moves one instance: what is drawn, and by a new version what is asked. */
  move(instance, matrix) {
    const item = this.items[instance];
    if (!this.moved.has(instance)) this.moved.set(instance, item.matrix.clone());
    item.matrix.copy(matrix);
    const { mesh } = this.kinds[item.kind];
    mesh.setMatrixAt(item.slot, matrix);
    mesh.instanceMatrix.needsUpdate = true;
    putRow(this.rows, instance, matrix);
    const next = this.scene.next(this.rows, this.spare ? { recycle: this.spare } : undefined);
    this.spare = this.scene;
    this.scene = next;
  }

  /** Everything where it was. */
  moveBack() {
    for (const [instance, matrix] of [...this.moved]) this.move(instance, matrix);
    this.moved.clear();
  }

  tint(instance, color) {
    const item = this.items[instance];
    const { mesh } = this.kinds[item.kind];
    mesh.setColorAt(item.slot, color ?? item.color);
    mesh.instanceColor.needsUpdate = true;
  }

  dispose() {
    this.spare?.dispose();
    this.scene.dispose();
    for (const kind of this.kinds) {
      kind.topology?.dispose();
      kind.tree.dispose();
      kind.geometry.dispose();
      kind.mesh.material.dispose();
      kind.mesh.dispose();
    }
    this.group.removeFromParent();
  }
}

/** The ball of `count` parts; the same one for everyone. */
export function makeBall(count) {
  const kinds = makeParts().map(({ name, mesh }) => {
    const tree = Tree.build(mesh);
    return { name, tree, topology: tree.topology({ featureAngle: FEATURE_ANGLE }), geometry: drawn(mesh), flat: false };
  });
  const random = randomFrom(1);
  const points = ballOf(count);
  const reach = points.at(-1).length();
  const one = new Vector3(1, 1, 1);
  const items = points.map((point, index) => {
    const turn = new Quaternion(random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5).normalize();
    const color = shellColor(point.length() / reach, random);
    return { kind: index % kinds.length, matrix: new Matrix4().compose(point, turn, one), color };
  });
  return new World(kinds, items, 'the ball');
}

/** One instance of a file's mesh, about the origin and of radius 10. */
export function makeOne({ name, vertices, faces, bytes, origin }) {
  const tree = Tree.fromBytes(bytes);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(vertices, 3));
  geometry.setIndex(new BufferAttribute(faces, 1));
  const { min, max } = tree.bounds ?? { min: [0, 0, 0], max: [0, 0, 0] };
  const center = new Vector3(min[0] + max[0], min[1] + max[1], min[2] + max[2]).multiplyScalar(0.5);
  const scale = 10 / Math.max(new Vector3(...max).distanceTo(center), 1e-30);
  const matrix = new Matrix4().makeScale(scale, scale, scale).multiply(new Matrix4().makeTranslation(center.negate()));
  const kind = { name, tree, topology: tree.topology({ featureAngle: FEATURE_ANGLE }), geometry, flat: true };
  return Object.assign(new World([kind], [{ kind: 0, matrix, color: new Color('#c9b08a') }], name), { origin });
}

// The parts that the scene is made of: machine parts of some hundred triangles each.  A part has one set of triangles
// for both: welded for the engine, and with its own normals at creases for three.js; triangle i is the same in both.
import {
  BufferAttribute, BufferGeometry, CylinderGeometry, ExtrudeGeometry, IcosahedronGeometry, LatheGeometry, Path, Shape, TorusGeometry,
  Vector2,
} from 'three';
import { mergeGeometries, mergeVertices, toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';

const CREASE = 0.6; // Radians: below that, neighbours are one smooth surface.

function gearOutline(teeth, outer, inner) {
  const shape = new Shape();
  for (let tooth = 0; tooth < teeth; tooth++) {
    [[0, inner], [0.18, outer], [0.5, outer], [0.68, inner]].forEach(([along, radius], corner) => {
      const angle = ((tooth + along) / teeth) * 2 * Math.PI;
      const to = tooth + corner === 0 ? 'moveTo' : 'lineTo';
      shape[to](radius * Math.cos(angle), radius * Math.sin(angle));
    });
  }
  shape.closePath();
  shape.holes.push(new Path().absarc(0, 0, inner * 0.42, 0, 2 * Math.PI, true));
  return shape;
}

function gear() {
  const geometry = new ExtrudeGeometry(gearOutline(12, 0.48, 0.37), { depth: 0.18, bevelEnabled: false, curveSegments: 10 });
  return geometry.translate(0, 0, -0.09);
}

function bolt() {
  const head = new CylinderGeometry(0.24, 0.24, 0.16, 6).translate(0, 0.34, 0);
  const shaft = new CylinderGeometry(0.12, 0.12, 0.66, 16).translate(0, -0.07, 0);
  return mergeGeometries([head, shaft]);
}

function bracket() {
  const shape = new Shape([[-0.4, -0.4], [0.4, -0.4], [0.4, -0.18], [-0.18, -0.18], [-0.18, 0.4], [-0.4, 0.4]]
    .map(([x, y]) => new Vector2(x, y)));
  for (const [x, y] of [[0.2, -0.29], [-0.29, 0.2]]) {
    shape.holes.push(new Path().absarc(x, y, 0.065, 0, 2 * Math.PI, true));
  }
  return new ExtrudeGeometry(shape, { depth: 0.3, bevelEnabled: false, curveSegments: 7 }).translate(0, 0, -0.15);
}

function bushing() {
  const profile = [[0.16, -0.26], [0.34, -0.26], [0.34, -0.12], [0.24, -0.06], [0.24, 0.26], [0.16, 0.26], [0.16, -0.26]];
  return new LatheGeometry(profile.map(([x, y]) => new Vector2(x, y)), 14);
}

const shapes = {
  gear, bolt, bracket, bushing,
  ring: () => new TorusGeometry(0.32, 0.12, 9, 16),
  ball: () => new IcosahedronGeometry(0.36, 1),
};

// Welds a geometry by position alone, and leaves out triangles without area, which poles of spheres have.
function weld(geometry) {
  const bare = new BufferGeometry();
  bare.setAttribute('position', geometry.getAttribute('position'));
  bare.setIndex(geometry.index);
  const welded = mergeVertices(bare, 1e-5);
  const corners = welded.index.array;
  const kept = [];
  for (let i = 0; i < corners.length; i += 3) {
    const [a, b, c] = corners.subarray(i, i + 3);
    if (a !== b && b !== c && c !== a) kept.push(a, b, c);
  }
  return { position: welded.getAttribute('position').array, index: Uint32Array.from(kept) };
}

/** The geometry that three.js draws: every triangle has its own corners, with normals that creases break. */
export function drawn(mesh, crease = CREASE) {
  const geometry = new BufferGeometry();
  const position = new Float32Array(3 * mesh.index.length);
  mesh.index.forEach((vertex, corner) => {
    for (let axis = 0; axis < 3; axis++) position[3 * corner + axis] = mesh.position[3 * vertex + axis];
  });
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  return crease > 0 ? toCreasedNormals(geometry, crease) : geometry;
}

/** All parts: their name, and { position, index }. */
export function makeParts() {
  return Object.entries(shapes).map(([name, make]) => ({ name, mesh: weld(make()) }));
}

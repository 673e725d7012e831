// Two parts alone: where their surfaces cross is drawn as curves; apart, the shortest way between them.
import { Color, Matrix4, Mesh, Vector3 } from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { Scene } from 'sightline';
import { Gizmo } from '../gizmo.js';
import { material, palette } from '../look.js';
import { place } from '../marks.js';

const lines = new LineSegments2(new LineSegmentsGeometry(), new LineMaterial({ linewidth: 4, depthTest: false, transparent: true }));
lines.frustumCulled = false;
lines.renderOrder = 2;

let pair = null; // { kinds, matrices, meshes, seed }

// A part of the world, and the nearest one of another kind, moved until both cross.
function choose(app, seed) {
  const { items, kinds } = app.world;
  const first = seed % items.length;
  const at = app.middleOf(first);
  let second = first, least = Infinity;
  items.forEach((item, index) => {
    const distance = app.middleOf(index).distanceTo(at);
    if (index !== first && distance < least && (item.kind !== items[first].kind || kinds.length === 1)) {
      [second, least] = [index, distance];
    }
  });
  const matrices = [items[first].matrix.clone(), items[second].matrix.clone()];
  const towards = second === first ? new Vector3(0.4 * app.world.radius, 0, 0) : app.middleOf(second).sub(at).multiplyScalar(0.55);
  matrices[0].premultiply(new Matrix4().makeTranslation(towards));
  return { seed, matrices, kinds: [first, second].map((index) => kinds[items[index].kind]), size: towards.length() };
}

function draw(positions, color) {
  lines.geometry.dispose();
  lines.geometry = new LineSegmentsGeometry();
  lines.visible = positions.length > 0;
  if (lines.visible) lines.geometry.setPositions(positions);
  lines.material.color = new Color(color);
}

// Polylines, one after another, as pairs of points.
function pairsOf({ points, starts }) {
  const result = [];
  for (let line = 0; line < starts.length; line++) {
    const end = line + 1 < starts.length ? starts[line + 1] : points.length / 3;
    for (let at = starts[line]; at + 1 < end; at++) result.push(...points.slice(3 * at, 3 * at + 6));
  }
  return result;
}

function ask(app) {
  const [first, second] = pair.matrices.map((matrix, index) => Scene.build([{ tree: pair.kinds[index].tree, matrix }]));
  const names = pair.kinds.map((kind) => kind.name).join(' and ');
  app.clash = { touching: app.ask('Clash', () => first.clash(second)), segments: 0, distance: 0 };
  if (app.clash.touching) {
    const pairs = pairsOf(app.ask('Clash curves', () => first.clashCurves(second)));
    app.clash.segments = pairs.length / 6;
    draw(pairs, '#ff3b6b');
    app.say(`${names} clash:\n${app.clash.segments} segments of curves`);
  } else {
    const way = app.ask('Distance', () => first.distance(second));
    app.clash.distance = way?.distance ?? Infinity;
    draw(way ? [...way.pointA, ...way.pointB] : [], '#6cc3f5');
    app.say(`${names} are ${app.clash.distance.toPrecision(4)} apart${way ? `,\nat ${place(way.pointA)}` : ''}`);
  }
  first.dispose();
  second.dispose();
}

function close(app) {
  app.pairGizmo.detach();
  for (const mesh of pair?.meshes ?? []) {
    mesh.removeFromParent();
    mesh.material.dispose();
  }
  lines.removeFromParent();
  pair = null;
}

function open(app, seed) {
  close(app);
  pair = choose(app, seed);
  pair.meshes = pair.kinds.map((kind, index) => {
    const mesh = new Mesh(kind.geometry, material(kind.flat, index === 0 ? palette.first : palette.second));
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(pair.matrices[index]);
    return mesh;
  });
  app.drawing.add(...pair.meshes, lines);
  app.applyClip();
  app.pairGizmo.attach(pair.matrices[0]);
  app.look(new Vector3().setFromMatrixPosition(pair.matrices[1]), 6 * pair.size);
  ask(app);
}

export const clash = {
  enter(app) {
    app.pairGizmo ??= new Gizmo(app, (matrix) => {
      pair.matrices[0].copy(matrix);
      pair.meshes[0].matrix.copy(matrix);
      ask(app);
    });
    app.world.group.visible = false;
    open(app, 0);
  },

  leave(app) {
    close(app);
    app.clash = null;
    app.world.group.visible = true;
    app.home();
  },

  key(app, event) {
    return app.pairGizmo.key(event, 0.05 * pair.size);
  },

  start(app) {
    document.getElementById('clash-again').addEventListener('click', () => open(app, pair.seed + 1));
  },
};

// Hover: the face, edge or vertex under the pointer, or what the pointer snaps to.
import { place } from '../marks.js';

const chosen = () => Array.from(document.querySelectorAll('input[name=kind]:checked'), (input) => input.value);
const next = (corner) => (corner + 1) % 3;

/** Draws what a pick found. */
export function markPick(app, pick) {
  const corners = app.world.scene.triangle(pick.prim, pick.instance);
  const corner = (index) => corners.slice(3 * index, 3 * index + 3);
  if (pick.kind === 'face') app.marks.polygon(corners, 'face');
  if (pick.kind === 'edge') app.marks.segment(corner(pick.corner), corner(next(pick.corner)), 'edge');
  if (pick.kind === 'vertex') app.marks.dot(pick.point, 'vertex');
}

function sayAt(app, point, lines) {
  const at = app.marks.project(point) ?? [app.pointer.x, app.pointer.y];
  app.marks.say(...at, lines);
  app.say(lines.join('\n'));
}

function snap(app) {
  const { x, y } = app.pointer;
  const { view, dx, dy } = app.view();
  const { scene, topologies } = app.world;
  const question = () => scene.snap(view, x + dx, y + dy, { topologies, radius: 10 }, app.snap);
  app.snap = app.ask('Snap', question);
  if (!app.snap) return false;
  app.marks.symbol(app.snap.point, app.snap.kind);
  sayAt(app, app.snap.point, [`${app.snap.kind} of ${app.world.nameOf(app.snap.instance)}`, place(app.snap.point)]);
  return true;
}

export const inspect = {
  update(app) {
    const kinds = chosen();
    const snaps = kinds.includes('snap');
    app.hover = null;
    if (!snaps) app.snap = null;
    if (!app.pointer.inside) return;
    const picked = kinds.filter((kind) => kind !== 'snap');
    if (picked.length > 0) app.hover = app.pick(app.pointer.x, app.pointer.y, { kinds: picked });
    if (app.hover) markPick(app, app.hover);
    if (snaps && snap(app)) return;
    if (app.hover) {
      const { kind, point, instance, prim } = app.hover;
      sayAt(app, point, [`${kind} of ${app.world.nameOf(instance)}`, `triangle ${prim}`, place(point)]);
    } else {
      app.say('Nothing here.');
    }
  },

  enter(app) {
    app.say('Point at a part.');
  },

  leave(app) {
    app.hover = app.snap = null;
  },

  start(app) {
    document.querySelector('section[data-mode=inspect]').addEventListener('change', () => app.request());
  },
};

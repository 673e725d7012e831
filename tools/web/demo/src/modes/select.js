// Selection by a marquee, a lasso or a brush, live while it is drawn.  Parts selected are tinted; triangles are drawn
// once more over themselves.
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshBasicMaterial } from 'three';
import { palette } from '../look.js';

const TRIANGLES_MAX = 200000; // More than that are counted, but not drawn.
const value = (name) => document.querySelector(`input[name=${name}]:checked`).value;
const checked = (id) => document.getElementById(id).checked;
const brushSize = () => Number(document.getElementById('brush-size').value);

// Keys of triangles: whole numbers up to 2^53 are exact.
const keyOf = (instance, prim) => instance * 2 ** 32 + prim;

const overlay = new Mesh(new BufferGeometry(), new MeshBasicMaterial({
  color: palette.selected, transparent: true, opacity: 0.75, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2,
}));
overlay.frustumCulled = false;

let drawn = null; // What is being drawn: { shape, points, base, sign }, and the marquee that answers it.

function end() {
  drawn?.marquee?.dispose();
  drawn = null;
}

function regionOf({ shape, points }, dx, dy) {
  const [first, last] = [points[0], points.at(-1)];
  if (shape === 'rectangle') {
    const [left, right] = [first[0], last[0]].sort((a, b) => a - b);
    const [top, bottom] = [first[1], last[1]].sort((a, b) => a - b);
    return { rectangle: [left + dx, top + dy, right + dx, bottom + dy] };
  }
  if (shape === 'brush') return { brush: { x: last[0] + dx, y: last[1] + dy, radius: brushSize() } };
  return { lasso: points.flatMap(([x, y]) => [x + dx, y + dy]) };
}

// One marquee while the scene, the camera and what is asked stay the same: it looks only at what a move adds or takes
// away.
function marqueeOf(app, view, def) {
  const { matrixWorld, projectionMatrix } = app.camera;
  const { scene } = app.world;
  const key = JSON.stringify([matrixWorld.elements, projectionMatrix.elements, app.clip.enabled, def]);
  if (drawn.scene !== scene || drawn.key !== key) {
    drawn.marquee?.dispose();
    Object.assign(drawn, { marquee: scene.marquee(view, def), scene, key });
  }
  return drawn.marquee;
}

function found(app) {
  const { view, dx, dy } = app.view();
  const inside = checked('select-inside');
  const def = { what: value('what'), rule: inside ? 'inside' : 'touching', through: inside || checked('select-through') };
  const { instances, prims } = app.ask('Select', () => marqueeOf(app, view, def).update(regionOf(drawn, dx, dy)));
  if (def.what === 'instances') return Array.from(instances);
  return Array.from({ length: prims.length / 2 }, (_, row) => keyOf(prims[2 * row], prims[2 * row + 1]));
}

function show(app) {
  const triangles = value('what') === 'triangles';
  const set = triangles ? new Set() : app.selected;
  for (const instance of app.tinted) if (!set.has(instance)) app.world.tint(instance);
  for (const instance of set) if (!app.tinted.has(instance)) app.world.tint(instance, palette.selected);
  app.tinted = new Set(set);
  overlay.visible = triangles && app.selected.size > 0;
  if (overlay.visible) {
    const corners = new Float32Array(9 * Math.min(app.selected.size, TRIANGLES_MAX));
    let at = 0;
    for (const key of app.selected) {
      if (at === corners.length) break;
      corners.set(app.world.scene.triangle(key % 2 ** 32, Math.floor(key / 2 ** 32)), at);
      at += 9;
    }
    overlay.geometry.dispose();
    overlay.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(corners, 3));
  }
  const count = app.selected.size;
  app.say(count ? `${count.toLocaleString('en')} ${triangles ? 'triangles' : 'parts'} selected` : 'Nothing is selected.');
  app.request();
}

function clear(app) {
  app.selected = new Set();
  show(app);
}

// A brush adds to what it has painted; the other shapes begin again at what was there before.
function extend(app) {
  const result = new Set(drawn.shape === 'brush' ? app.selected : drawn.base);
  for (const key of found(app)) drawn.sign > 0 ? result.add(key) : result.delete(key);
  app.selected = result;
  drawn.stale = false;
  show(app);
}

export const select = {
  enter(app) {
    app.tinted = new Set();
    app.drawing.add(overlay);
    clear(app);
    app.canvas.style.cursor = 'cell';
  },

  leave(app) {
    end();
    clear(app);
    overlay.removeFromParent();
    app.canvas.style.cursor = '';
  },

  update(app) {
    if (drawn?.stale && drawn.points.length > 1) extend(app);
    const { x, y, inside } = app.pointer;
    if (drawn) app.marks.region(regionOf(drawn, 0, 0));
    else if (inside && value('shape') === 'brush') app.marks.region({ brush: { x, y, radius: brushSize() } });
  },

  down(app, event) {
    if (drawn && event.pointerType === 'touch') {
      // A second finger: the camera's gesture, after all.
      this.cancel(app);
      return false;
    }
    if (event.button !== 0 || !event.isPrimary) return false;
    this.begin(app, value('shape'), event);
    return true;
  },

  begin(app, shape, { shiftKey, altKey }) {
    const { x, y } = app.pointer;
    end();
    const base = shiftKey || altKey ? app.selected : new Set();
    if (!shiftKey && !altKey) app.selected = new Set();
    drawn = { shape, points: [[x, y], [x, y]], base, sign: altKey ? -1 : 1, stale: true };
    app.request();
  },

  drag(app) {
    if (!drawn) return false;
    const { x, y } = app.pointer;
    const last = drawn.points.at(-1);
    if (drawn.shape !== 'lasso') drawn.points = [drawn.points[0], [x, y]];
    else if (Math.hypot(x - last[0], y - last[1]) > 3) drawn.points.push([x, y]);
    drawn.stale = true;
    app.request();
    return true;
  },

  up(app) {
    if (!drawn) return false;
    if (drawn.stale) extend(app);
    end();
    app.request();
    return true;
  },

  cancel(app) {
    if (drawn) app.selected = new Set(drawn.base);
    end();
    show(app);
    return false;
  },

  // Enter begins a marquee at the keyboard's pointer, and ends it.
  enterKey(app, event) {
    if (drawn) this.up(app);
    else this.begin(app, value('shape'), { shiftKey: false, altKey: event.altKey });
  },

  key(app, event) {
    if (event.key !== 'Escape') return false;
    if (drawn) this.cancel(app);
    else clear(app);
    return true;
  },

  start(app) {
    document.getElementById('select-none').addEventListener('click', () => clear(app));
    for (const input of document.querySelectorAll('input[name=what]')) input.addEventListener('change', () => clear(app));
  },
};

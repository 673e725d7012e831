// Pick through: all parts under the pointer in the order of depth, and one of them chosen.  The wheel chooses the next.
import { markPick } from './inspect.js';

const list = document.getElementById('stack');

function ask(app, name, question) {
  const { x, y } = app.pointer;
  const { view, dx, dy } = app.view();
  const { scene, topologies } = app.world;
  const def = { topologies, kinds: ['face'], unit: 'instances' };
  return app.ask(name, () => question(scene, view, x + dx, y + dy, def));
}

function step(app, deeper) {
  if (!app.stack.length) return;
  if (deeper) {
    app.through = ask(app, 'Pick next', (scene, view, x, y, def) => scene.pickNext(view, x, y, app.through, def));
  } else {
    const at = app.stack.findIndex((pick) => pick.instance === app.through?.instance);
    app.through = app.stack.at(at - 1);
  }
  app.request();
}

function showList(app) {
  const rows = app.stack.map((pick) => {
    const row = document.createElement('li');
    const distance = document.createElement('span');
    distance.textContent = pick.distance.toFixed(2);
    row.append(app.world.nameOf(pick.instance), distance);
    if (pick.instance === app.through?.instance) row.setAttribute('aria-current', 'true');
    return row;
  });
  list.replaceChildren(...rows);
  list.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

// The triangles of a chosen part would be too many to outline; its box is enough.
function markBox(app, instance) {
  const { kinds, items } = app.world;
  const { geometry } = kinds[items[instance].kind];
  if (!geometry.boundingBox) geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox;
  const corner = (bits) => min.clone().set(...[0, 1, 2].map((axis) => ((bits >> axis) & 1 ? max : min).getComponent(axis)))
    .applyMatrix4(items[instance].matrix).toArray();
  for (let bits = 0; bits < 8; bits++) {
    for (const axis of [1, 2, 4]) {
      if (!(bits & axis)) app.marks.segment(corner(bits), corner(bits | axis), 'edge');
    }
  }
}

export const through = {
  enter(app) {
    app.stack = [];
    app.through = null;
    app.say('Point at a part, and turn the wheel.');
  },

  leave(app) {
    app.stack = [];
    app.through = null;
    list.replaceChildren();
  },

  update(app) {
    if (app.pointer.inside) {
      app.stack = ask(app, 'Pick all', (scene, view, x, y, def) => scene.pickAll(view, x, y, def));
      // The chosen part stays chosen as long as it is under the pointer; it is then picked where the pointer is.
      app.through = app.stack.find((pick) => pick.instance === app.through?.instance) ?? app.stack[0] ?? null;
    }
    showList(app);
    if (!app.through) return;
    markBox(app, app.through.instance);
    markPick(app, app.through);
    const at = app.stack.findIndex((pick) => pick.instance === app.through.instance) + 1;
    app.say(`${app.world.nameOf(app.through.instance)}: ${at} of ${app.stack.length} here`);
  },

  wheel(app, event) {
    if (app.stack.length) step(app, event.deltaY > 0);
    return true;
  },

  key(app, event) {
    if (event.key !== '[' && event.key !== ']') return false;
    step(app, event.key === ']');
    return true;
  },

  start(app) {
    document.getElementById('deeper').addEventListener('click', () => step(app, true));
    document.getElementById('shallower').addEventListener('click', () => step(app, false));
  },
};

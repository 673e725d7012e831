// A gizmo drags an instance; each step makes the next version of the scene, which every tool then asks.
import { palette } from '../look.js';
import { markPick } from './inspect.js';
import { Gizmo } from '../gizmo.js';

function hold(app, instance) {
  if (app.held !== null) app.world.tint(app.held);
  app.held = instance;
  if (instance === null) {
    app.gizmo.detach();
    app.say('Click a part, or press Enter.');
    return;
  }
  app.world.tint(instance, palette.selected);
  app.gizmo.attach(app.world.items[instance].matrix);
  app.say(`${app.world.nameOf(instance)}: drag it, or press x, y, z (Shift: backwards).`);
}

function moved(app, matrix) {
  app.ask('Next version', () => app.world.move(app.held, matrix));
  app.versions = (app.versions ?? 0) + 1;
}

export const move = {
  enter(app) {
    app.held = null;
    app.gizmo ??= new Gizmo(app, (matrix) => moved(app, matrix));
    app.gizmo.controls.setMode(document.querySelector('input[name=gizmo]:checked').value);
    hold(app, null);
  },

  leave(app) {
    hold(app, null);
  },

  update(app) {
    if (app.gizmo.controls.dragging || app.gizmo.controls.axis || !app.pointer.inside) return;
    app.hover = app.pick(app.pointer.x, app.pointer.y, { kinds: ['face'] });
    if (app.hover) markPick(app, app.hover);
  },

  click(app) {
    if (app.gizmo.controls.axis) return;
    hold(app, app.pick(app.pointer.x, app.pointer.y, { kinds: ['face'] })?.instance ?? null);
  },

  key(app, event) {
    if (event.key === 'Escape') hold(app, null);
    else return app.gizmo.key(event, 0.01 * app.world.radius);
    return true;
  },

  start(app) {
    document.getElementById('move-reset').addEventListener('click', () => {
      hold(app, null);
      app.world.moveBack();
      app.request();
    });
    document.querySelector('section[data-mode=move]').addEventListener('change', (event) => {
      if (event.target.name === 'gizmo') app.gizmo.controls.setMode(event.target.value);
      app.request();
    });
  },
};

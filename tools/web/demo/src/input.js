// Mouse, touch and keyboard: what the tool does not take is the camera's.
const STEP = 8; // Pixels that Shift and an arrow key move the pointer by.
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function makePointer(app) {
  const { canvas, pointer } = app;
  let down = null;
  const place = (event) => {
    Object.assign(pointer, { x: event.clientX, y: event.clientY, inside: true, keyboard: false });
    app.request();
  };
  const pass = (name, event) => {
    if (app.world && app.mode[name]?.(app, event)) {
      event.stopImmediatePropagation();
      event.preventDefault();
      return true;
    }
    return false;
  };
  // In the capture phase, so that the tool is asked before the controls of the camera.
  const on = (name, listener) => canvas.addEventListener(name, listener, { capture: true, passive: false });
  on('pointerdown', (event) => {
    place(event);
    down = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
    if (pass('down', event)) canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
  });
  on('pointermove', (event) => {
    if (!event.isPrimary) return;
    place(event);
    pass('drag', event);
  });
  on('pointerup', (event) => {
    if (!event.isPrimary) return;
    place(event);
    const still = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 4;
    down = null;
    if (!pass('up', event) && still) app.mode.click?.(app, event);
  });
  on('pointercancel', (event) => pass('cancel', event));
  on('pointerleave', (event) => {
    // What a finger has pointed at stays pointed at.
    if (event.pointerType === 'touch') return;
    pointer.inside = false;
    app.request();
  });
  on('wheel', (event) => {
    if (!event.ctrlKey) pass('wheel', event);
  });
}

function onCanvasKey(app, event) {
  const arrow = arrows[event.key];
  const { pointer } = app;
  if (arrow && event.shiftKey) {
    if (!pointer.inside && !pointer.keyboard) Object.assign(pointer, { x: innerWidth / 2, y: innerHeight / 2 });
    pointer.x = Math.min(Math.max(pointer.x + STEP * arrow[0], 0), innerWidth);
    pointer.y = Math.min(Math.max(pointer.y + STEP * arrow[1], 0), innerHeight);
    Object.assign(pointer, { inside: true, keyboard: true });
    app.mode.drag?.(app, event);
    app.request();
  } else if (arrow) {
    app.turn(-0.08 * arrow[0], -0.08 * arrow[1]);
  } else if (event.key === '+' || event.key === '=') {
    app.turn(0, 0, 0.9);
  } else if (event.key === '-') {
    app.turn(0, 0, 1 / 0.9);
  } else if (event.key === 'Enter' && pointer.inside) {
    (app.mode.enterKey ?? app.mode.click)?.call(app.mode, app, event);
  } else {
    return false;
  }
  return true;
}

function onPageKey(app, event) {
  const names = Object.keys(app.modes);
  if (event.key >= '1' && event.key <= String(names.length)) {
    app.setMode(names[Number(event.key) - 1]);
  } else if (event.key === 'c') {
    app.clip.set({ enabled: !app.clip.enabled });
  } else if (event.key === 'f') {
    app.home();
  } else {
    return Boolean(app.mode.key?.(app, event));
  }
  return true;
}

function makeKeyboard(app) {
  addEventListener('keydown', (event) => {
    const { target } = event;
    const writes = target.matches?.('select, input:not([type=checkbox]):not([type=radio])');
    if (!app.world || writes || event.ctrlKey || event.metaKey || document.querySelector('dialog[open]')) return;
    if ((target === app.canvas && onCanvasKey(app, event)) || onPageKey(app, event)) event.preventDefault();
  });
  const tools = document.getElementById('tools');
  tools.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (button) app.setMode(button.dataset.mode);
  });
  tools.addEventListener('keydown', (event) => {
    const arrow = arrows[event.key];
    if (!arrow) return;
    const buttons = [...tools.children];
    const next = buttons.indexOf(document.activeElement) + arrow[0] + arrow[1];
    const button = buttons[(next + buttons.length) % buttons.length];
    app.setMode(button.dataset.mode);
    button.focus();
    event.preventDefault();
  });
}

export function makeInput(app) {
  makePointer(app);
  makeKeyboard(app);
  const about = document.getElementById('about');
  document.getElementById('about-open').addEventListener('click', () => about.showModal());
}

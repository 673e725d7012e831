// What the test of the demo stands on: the demo, built and served; Chromium; and an oracle that knows only what three.js
// draws.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const wasm = process.env.SIGHTLINE_WASM ?? join(root, 'build/wasm/tools/web/sightline.wasm');
const engine = process.env.SIGHTLINE_ENGINE ? ['--engine', process.env.SIGHTLINE_ENGINE] : [];
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
const flags = `--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
  --disable-component-update --disable-sync --use-angle=swiftshader --enable-unsafe-swiftshader`.split(/\s+/);

function findPlaywright() {
  const folder = process.env.SIGHTLINE_WEB_MODULES ?? fileURLToPath(new URL('.', import.meta.url));
  try {
    return createRequire(join(folder, 'any.js'))('playwright-core');
  } catch {
    return null;
  }
}

/** Why the test cannot run here; false if it can. */
export function missing() {
  if (!existsSync(chromium)) return `there is no ${chromium}`;
  if (!findPlaywright()) return 'playwright-core is not installed (npm ci in test/web)';
  if (!existsSync(join(root, 'tools/web/demo/node_modules/three'))) return 'three.js is not installed (npm ci in tools/web/demo)';
  if (!existsSync(wasm)) return `there is no ${wasm}`;
  return false;
}

/** The demo, served; { address, stop }. */
export async function serve(out) {
  const build = join(root, 'tools/web/demo/build.mjs');
  const server = spawn(process.execPath, [build, '--serve', '--port', '0', '--wasm', wasm, '--out', out, ...engine], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    server.stdout.on('data', (text) => {
      const [found] = /http:\S+/.exec(text) ?? [];
      if (found) resolve(found);
    });
    server.on('exit', (code) => reject(new Error(`the server of the demo ended with ${code}`)));
  });
  return { address, stop: () => server.kill() };
}

export const launch = () => findPlaywright().chromium.launch({ executablePath: chromium, args: flags });

/** Opens the page; what the console says is an error of the test, at the end. */
export async function open(browser, address, { instances = 400, ...context } = {}) {
  // Software draws a quarter of the pixels in a fraction of the time; pictures for people are whole ones.
  const deviceScaleFactor = process.env.SIGHTLINE_SHOTS ? 1 : 0.5;
  const page = await (await browser.newContext({ viewport: { width: 1100, height: 640 }, deviceScaleFactor, ...context })).newPage();
  page.setDefaultTimeout(300000); // software that draws on a busy machine
  page.errors = [];
  page.on('console', (message) => {
    // What swiftshader says of its own speed is no fault of the page.
    const slow = /GPU stall|software WebGL|SwiftShader/i.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !slow) page.errors.push(message.text());
  });
  page.on('pageerror', (error) => page.errors.push(error.stack));
  await page.goto(`${address}?instances=${instances}`);
  await page.waitForFunction(() => globalThis.sightlineDemo?.frames > 0);
  await page.evaluate(oracle);
  return page;
}

/** Waits until nothing is left to draw. */
export async function settle(page) {
  await page.waitForFunction(() => sightlineDemo.pending === undefined);
}

export const state = (page, get) => page.evaluate(`(() => { const app = sightlineDemo; return ${get}; })()`);

export async function shot(page, name) {
  const { SIGHTLINE_SHOTS: folder } = process.env;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}

export async function mode(page, name) {
  await page.click(`#tools [data-mode=${name}]`);
  await settle(page);
}

export async function hover(page, x, y) {
  await page.mouse.move(x, y);
  await settle(page);
}

// Positions over the ball, from its middle outwards.
export const spiral = (count, [cx, cy] = [450, 320], reach = 150) => Array.from({ length: count }, (_, i) => {
  const radius = reach * Math.sqrt(i / count), angle = 2.4 * i;
  return [Math.round(cx + radius * Math.cos(angle)), Math.round(cy + radius * Math.sin(angle))];
});

export async function kinds(page, ...names) {
  await page.evaluate((chosen) => {
    for (const input of document.querySelectorAll('input[name=kind]')) input.checked = chosen.includes(input.value);
    document.querySelector('input[name=kind]').dispatchEvent(new Event('change', { bubbles: true }));
  }, names);
}

export async function clip(page, values) {
  await page.evaluate((given) => sightlineDemo.clip.set(given), values);
  await settle(page);
}

export async function drag(page, ...points) {
  await page.mouse.move(...points[0]);
  await page.mouse.down();
  for (const point of points.slice(1)) {
    await page.mouse.move(...point, { steps: 4 });
    await settle(page);
  }
  await page.mouse.up();
  await settle(page);
}

/** Serves and opens the page before the tests of a suite, and closes it after them; it is at .page. */
export function onPage() {
  const at = { folder: mkdtempSync(join(tmpdir(), 'sightline-demo-')) };
  before(async () => {
    at.server = await serve(at.folder);
    at.browser = await launch();
    at.page = await open(at.browser, at.server.address);
  });
  after(async () => {
    const errors = at.page?.errors ?? [];
    await at.browser?.close();
    at.server?.stop();
    rmSync(at.folder, { recursive: true, force: true });
    assert.deepEqual(errors, [], 'the console says nothing');
  });
  return at;
}

// Runs in the page.  Defines hitsAt(x, y): everything along the ray of a position of the canvas, { instance, prim,
// distance } from the eye, on the side of the clipping plane that stays; by trying every triangle that three.js draws.
function oracle() {
  const app = globalThis.sightlineDemo;
  const meshes = () => app.world.kinds.map((kind) => kind.mesh);

  function trianglesOf(instance) {
    const item = app.world.items[instance];
    const { geometry } = meshes()[item.kind];
    const { array } = geometry.attributes.position;
    const index = geometry.index?.array;
    const count = index ? index.length : array.length / 3;
    const m = item.matrix.elements;
    const out = new Float64Array(3 * count);
    for (let corner = 0; corner < count; corner++) {
      const at = 3 * (index ? index[corner] : corner);
      const [x, y, z] = [array[at], array[at + 1], array[at + 2]];
      for (let axis = 0; axis < 3; axis++) out[3 * corner + axis] = m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis];
    }
    return out;
  }

  const kept = new Map(); // instance: { key, triangles, middle, radius }
  function shapeOf(instance) {
    const key = app.world.items[instance].matrix.elements.join();
    const before = kept.get(instance);
    if (before?.key === key && before.world === app.world) return before;
    const triangles = trianglesOf(instance);
    const middle = [0, 1, 2].map((axis) => triangles[axis]);
    let radius = 0;
    for (let i = 0; i < triangles.length; i += 3) {
      radius = Math.max(radius, Math.hypot(triangles[i] - middle[0], triangles[i + 1] - middle[1], triangles[i + 2] - middle[2]));
    }
    const shape = { key, world: app.world, triangles, middle, radius };
    kept.set(instance, shape);
    return shape;
  }

  const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

  // Moller and Trumbore (1997).
  function hit(eye, dir, t, at) {
    const a = [t[at], t[at + 1], t[at + 2]];
    const e1 = sub([t[at + 3], t[at + 4], t[at + 5]], a), e2 = sub([t[at + 6], t[at + 7], t[at + 8]], a);
    const p = cross(dir, e2), det = dot(e1, p);
    if (det === 0) return Infinity;
    const s = sub(eye, a), u = dot(s, p) / det;
    if (u < 0 || u > 1) return Infinity;
    const q = cross(s, e1), v = dot(dir, q) / det;
    return v < 0 || u + v > 1 ? Infinity : dot(e2, q) / det;
  }

  // The clipping plane, from what the materials are given.
  function stays(point) {
    const [material] = meshes().map((mesh) => mesh.material);
    return (material.clippingPlanes ?? []).every(({ normal, constant }) => dot(normal.toArray(), point) + constant >= 0);
  }

  globalThis.hitsAt = (x, y) => {
    const { camera } = app;
    const eye = camera.position.toArray();
    const far = camera.position.clone().set((2 * x) / innerWidth - 1, 1 - (2 * y) / innerHeight, 0.5).unproject(camera);
    const way = sub(far.toArray(), eye), length = Math.hypot(...way), dir = way.map((value) => value / length);
    const found = [];
    for (let instance = 0; instance < app.world.items.length; instance++) {
      const { triangles, middle, radius } = shapeOf(instance);
      const to = sub(middle, eye), along = dot(to, dir);
      if (dot(to, to) - along * along > radius * radius * 1.001) continue;
      for (let at = 0; at < triangles.length; at += 9) {
        const distance = hit(eye, dir, triangles, at);
        if (distance > 0 && distance < Infinity && stays(eye.map((value, axis) => value + distance * dir[axis]))) {
          found.push({ instance, prim: at / 9, distance });
        }
      }
    }
    return found.sort((one, other) => one.distance - other.distance);
  };

  globalThis.instancesAt = (x, y) => [...new Set(globalThis.hitsAt(x, y).map(({ instance }) => instance))];

  /** The instances that are seen at the centres of the pixels for which holds(x, y), of a box. */
  globalThis.seenIn = ([x0, y0, x1, y1], holds = () => true) => {
    const seen = new Set();
    for (let y = Math.floor(y0); y <= y1; y++) {
      for (let x = Math.floor(x0); x <= x1; x++) {
        const [cx, cy] = [x + 0.5, y + 0.5];
        if (cx < x0 || cx > x1 || cy < y0 || cy > y1 || !holds(cx, cy)) continue;
        const [first] = globalThis.hitsAt(cx, cy);
        if (first) seen.add(first.instance);
      }
    }
    return [...seen].sort((a, b) => a - b);
  };
}

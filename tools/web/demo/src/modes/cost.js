// What rays cost, as a picture: a tile at a time, a few milliseconds a frame, so that the page stays alive.
import { Vector3 } from 'three';

const TILE = 24;          // Pixels of the canvas, across and down.
const RAYS = 16;          // Rays across and down a tile.
const SAMPLES = 3;
const FRAME_TIME = 12;    // Milliseconds of a frame that are spent here.
const colors = ['#0b0a2a', '#4b1d78', '#b63679', '#f7705c', '#fdb27a', '#fcfdbf']
  .map((text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16)));

// Runs of a sample: clocks have steps of 5 microseconds in a page that is isolated (build.mjs), and of 100 in others.
const runs = globalThis.crossOriginIsolated ? 1 : 8;
const heat = document.getElementById('heat');
let work = null; // { columns, rows, rays, out, measure, values, at, key, drawn }

function colorOf(fraction) {
  const at = Math.min(Math.max(fraction, 0), 0.9999) * (colors.length - 1);
  const [a, b] = [colors[Math.floor(at)], colors[Math.floor(at) + 1]];
  return a.map((value, channel) => value + (at % 1) * (b[channel] - value));
}

// The rays of a tile, from the eye; the clipping plane bounds them by tmin and tmax.
function aim(app, left, top) {
  const { camera, clip } = app;
  const eye = camera.position;
  const point = new Vector3();
  const { origins, dirs, tmin, tmax } = work.rays;
  origins.set(eye.toArray());
  for (let row = 0; row < RAYS; row++) {
    for (let column = 0; column < RAYS; column++) {
      const x = left + ((column + 0.5) / RAYS) * TILE, y = top + ((row + 0.5) / RAYS) * TILE;
      point.set((2 * x) / innerWidth - 1, 1 - (2 * y) / innerHeight, 0.5).unproject(camera).sub(eye).normalize();
      const ray = row * RAYS + column;
      point.toArray(dirs, 3 * ray);
      [tmin[ray], tmax[ray]] = clip.enabled ? clip.range(eye, point) : [0, Infinity];
    }
  }
  return work.rays;
}

// The least of some samples: what else the machine does only ever adds.
function timeOf(scene, rays) {
  let least = Infinity;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const start = performance.now();
    for (let run = 0; run < runs; run++) scene.closestMany(rays, undefined, work.out);
    least = Math.min(least, performance.now() - start);
  }
  return (1e6 * least) / (runs * RAYS * RAYS);
}

function depthOf(scene, rays) {
  return scene.countMany(rays).reduce((sum, count) => sum + count, 0) / (RAYS * RAYS);
}

function paint(app) {
  const context = heat.getContext('2d');
  const done = Array.from(work.values.subarray(0, work.at)).sort((a, b) => a - b);
  const low = done[0] ?? 0, high = done[Math.floor(0.99 * (done.length - 1))] ?? 1;
  const image = context.createImageData(work.columns, work.rows);
  for (let tile = 0; tile < work.at; tile++) {
    image.data.set([...colorOf((work.values[tile] - low) / (high - low || 1)), 255], 4 * tile);
  }
  context.putImageData(image, 0, 0);
  const unit = work.measure === 'time' ? ' ns' : '';
  document.getElementById('cost-low').textContent = low.toFixed(0) + unit;
  document.getElementById('cost-high').textContent = high.toFixed(0) + unit;
  app.cost = { low, high, done: work.at, tiles: work.values.length };
  app.say(work.at < work.values.length ? `${work.at} of ${work.values.length} tiles` : `A ray: ${low.toFixed(0)} to ${high.toFixed(0)}${unit || ' triangles'}`);
}

// Where answers go, so that nothing is allocated between two looks at the clock.
const outOf = (count) => ({
  t: new Float32Array(count), u: new Float32Array(count), v: new Float32Array(count),
  prim: new Uint32Array(count), instance: new Uint32Array(count), flags: new Uint32Array(count),
});

function begin(app) {
  const columns = Math.ceil(innerWidth / TILE), rows = Math.ceil(innerHeight / TILE), count = RAYS * RAYS;
  heat.width = columns;
  heat.height = rows;
  heat.style.width = `${columns * TILE}px`;
  heat.style.height = `${rows * TILE}px`;
  heat.hidden = false;
  const rays = { origins: new Float32Array(3), dirs: new Float32Array(3 * count), tmin: new Float32Array(count), tmax: new Float32Array(count) };
  const measure = document.querySelector('input[name=measure]:checked').value;
  work = { columns, rows, rays, measure, out: outOf(count), values: new Float32Array(columns * rows), at: 0, key: keyOf(app) };
}

const keyOf = (app) => app.camera.matrixWorld.elements.concat(app.camera.projectionMatrix.elements).join();

export const cost = {
  enter(app) {
    begin(app);
  },

  leave(app) {
    heat.hidden = true;
    app.cost = null;
    work = null;
  },

  // The plane or the size of the window has changed.
  changed(app) {
    if (work) begin(app);
  },

  update(app) {
    if (work.key !== keyOf(app)) begin(app);
    const { scene } = app.world;
    const start = performance.now();
    while (work.at < work.values.length && performance.now() - start < FRAME_TIME) {
      const left = (work.at % work.columns) * TILE, top = Math.floor(work.at / work.columns) * TILE;
      const rays = aim(app, left, top);
      work.values[work.at++] = work.measure === 'time' ? timeOf(scene, rays) : depthOf(scene, rays);
    }
    paint(app);
    if (work.at < work.values.length) app.request();
  },

  // While tiles are measured, the scene below them is drawn once.
  still() {
    const { drawn } = work;
    work.drawn = true;
    return drawn && work.at < work.values.length;
  },

  start(app) {
    document.querySelector('section[data-mode=cost]').addEventListener('change', () => {
      begin(app);
      app.request();
    });
  },
};

// Starts the engine for tests: SIGHTLINE_WASM names the module, or it is the one that the preset wasm has built.  And what
// tests share: shapes, random numbers, and what is expected of an error.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as sightline from '../../tools/web/src/index.js';

const built = new URL('../../build/wasm/tools/web/sightline.wasm', import.meta.url);
await sightline.init(readFileSync(process.env.SIGHTLINE_WASM ?? built));

export { sightline };

/** Numbers in [0, 1), the same in each run. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Triangles with corners near random centres of the unit cube: positions, three corners each. */
export function soup(count, seed, size = 0.1) {
  const next = random(seed);
  const position = new Float32Array(9 * count);
  for (let i = 0; i < count; i++) {
    const centre = [next(), next(), next()];
    for (let k = 0; k < 9; k++) position[9 * i + k] = centre[k % 3] + (next() - 0.5) * size;
  }
  return position;
}

/** The unit cube from 0 to 1, closed, wound outward. */
export const cube = {
  position: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1),
  index: Uint32Array.of(0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5),
};

/** A matrix that moves. */
export const moved = (x, y, z) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

/** A view from z = 3 on the square [-1, 1] x [-1, 1], moved by x, y; 800 pixels wide and high. */
export function viewFrom(x, y) {
  const projection = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -101 / 99, -1, 0, 0, -200 / 99, 0];
  return { view: moved(-x, -y, -3), projection, width: 800, height: 800 };
}

/** Expects a SightlineError of a code. */
export function throwsCode(code, run, what) {
  assert.throws(run, (error) => {
    assert.ok(error instanceof sightline.SightlineError, `${what ?? run}: ${error}`);
    assert.equal(error.code, code, `${what ?? run}: ${error.message}`);
    return true;
  });
}

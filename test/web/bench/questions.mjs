// What the benchmark asks of a mesh: rays and points, the same in each run, as Float32Arrays of three numbers an item.

/** Numbers in [0, 1), the same in each run. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The box of positions: its minimum and its size. */
export function boxOf(position) {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < position.length; i++) {
    min[i % 3] = Math.min(min[i % 3], position[i]);
    max[i % 3] = Math.max(max[i % 3], position[i]);
  }
  return { min, size: max.map((value, axis) => value - min[axis]) };
}

const inBox = ({ min, size }, next, out) => {
  for (let i = 0; i < out.length; i++) out[i] = Math.fround(min[i % 3] + next() * size[i % 3]);
  return out;
};

/** Rays from anywhere in the box in any direction. */
export function randomRays(box, count, seed = 1) {
  const next = random(seed);
  const origins = inBox(box, next, new Float32Array(3 * count));
  const dirs = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const z = 2 * next() - 1;
    const angle = 2 * Math.PI * next();
    const r = Math.sqrt(1 - z * z);
    dirs.set([r * Math.cos(angle), r * Math.sin(angle), z], 3 * i);
  }
  return { origins, dirs };
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** Rays from an eye outside of the box through the pixels of a square picture that has all of the box in it. */
export function primaryRays({ min, size }, count) {
  const side = Math.floor(Math.sqrt(count));
  const centre = min.map((value, axis) => value + size[axis] / 2);
  const radius = Math.hypot(...size) / 2;
  const forward = [-0.6, -0.48, -0.64];
  const right = cross(forward, [0, 1, 0]);
  const up = cross(right, forward);
  const eye = centre.map((value, axis) => Math.fround(value - 2 * radius * forward[axis]));
  const origins = new Float32Array(3 * side * side);
  const dirs = new Float32Array(3 * side * side);
  for (let i = 0; i < side * side; i++) {
    const x = ((i % side) + 0.5) / side - 0.5;
    const y = 0.5 - (Math.floor(i / side) + 0.5) / side;
    const dir = forward.map((value, axis) => value + x * right[axis] + y * up[axis]);
    const length = Math.hypot(...dir);
    origins.set(eye, 3 * i);
    dirs.set(dir.map((value) => value / length), 3 * i);
  }
  return { origins, dirs };
}

/** Points anywhere in the box. */
export const randomPoints = (box, count, seed = 2) => inBox(box, random(seed), new Float32Array(3 * count));

/** A closed torus of 2 * n * n triangles. */
export function torus(n) {
  const position = new Float32Array(3 * n * n);
  const index = new Uint32Array(6 * n * n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      const [a, b] = [(2 * Math.PI * i) / n, (2 * Math.PI * k) / n];
      const r = 1 + 0.4 * Math.cos(b);
      position.set([r * Math.cos(a), r * Math.sin(a), 0.4 * Math.sin(b)], 3 * (i * n + k));
      const at = (di, dk) => ((i + di) % n) * n + ((k + dk) % n);
      index.set([at(0, 0), at(1, 0), at(1, 1), at(0, 0), at(1, 1), at(0, 1)], 6 * (i * n + k));
    }
  }
  return { position, index };
}

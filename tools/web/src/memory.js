// The memory of the engine: its exports, views of its memory, and places in it that are made once and used by each call.
//
// A view ends when memory grows: its length is then 0.  Each call begins with begin(), which makes views anew where that
// has happened, and views() does so behind a call of C that may have allocated.
import { refuse } from './errors.js';

/** The functions of the engine; undefined before it is started. */
export let c;
export let memory;
export let u8 = new Uint8Array(0);
export let i32 = new Int32Array(0);
export let u32 = new Uint32Array(0);
export let i64 = new BigInt64Array(0);
export let u64 = new BigUint64Array(0);
export let f32 = new Float32Array(0);
export let f64 = new Float64Array(0);

let stack; // C's pointer
let emptyStack;
let untilReset = 0;
let inside = false; // a function of the caller's runs, called by C
const places = [];

/** Reserves size bytes, which are there once the engine has started: p is their address, and i and d are the indices of their
 * first word of 32 bits and of their first double. */
export function place(size) {
  const made = { size, p: 0, i: 0, d: 0 };
  places.push(made);
  return made;
}

// What a module does not export is asked for in vain: sightline_core.wasm has not all (../names.mjs).
const lacking = new Proxy(Object.create(null), {
  get: (_, name) => () => refuse(`sightline_core.wasm has no ${name}: give init() the URL of sightline.wasm, or import 'sightline'`, 'UNSUPPORTED'),
});

export function start(exports) {
  // What a prototype has is found faster than what so large an object has itself.
  c = Object.create(Object.assign(Object.create(lacking), exports));
  memory = exports.memory;
  exports._initialize?.();
  stack = exports.__stack_pointer;
  emptyStack = stack.value;
  const padded = (size) => (size + 63) & ~63;
  let at = exports.malloc(places.reduce((sum, { size }) => sum + padded(size), 64));
  views();
  at = padded(at);
  for (const made of places) {
    Object.assign(made, { p: at, i: at >>> 2, d: at >>> 3 });
    at += padded(made.size);
  }
}

/** Makes views anew where memory has grown. */
export function views() {
  if (f64.length !== 0) return;
  const { buffer } = memory;
  u8 = new Uint8Array(buffer);
  i32 = new Int32Array(buffer);
  u32 = new Uint32Array(buffer);
  i64 = new BigInt64Array(buffer);
  u64 = new BigUint64Array(buffer);
  f32 = new Float32Array(buffer);
  f64 = new Float64Array(buffer);
}

/** Each call of the caller's begins with this. */
export function begin() {
  if (f64.length === 0 || inside || --untilReset <= 0) beginSlowly();
}

function beginSlowly() {
  if (c === undefined) refuse('the engine has not been started: await init() first');
  if (inside) refuse('a filter or a progress function may not call the engine');
  // Where JavaScript's stack ended within C, C's was left as it was: it is empty now.  Setting it takes long enough to do so
  // but now and then.
  stack.value = emptyStack;
  untilReset = 16;
  views();
}

/** Runs a function of the caller's while C waits for its answer. */
export function outside(run, a, b) {
  inside = true;
  try {
    return run(a, b);
  } finally {
    inside = false;
  }
}

/** Memory of C's.  Its address is made what it is: WebAssembly's numbers have a sign, and addresses go to 4 GB, so shifts of
 * them are unsigned, too. */
export function alloc(size) {
  const p = size < 2 ** 32 ? c.malloc(size) >>> 0 : 0; // a larger one would be taken modulo 2^32
  views();
  if (p === 0) refuse(`no memory for ${size} bytes`, 'OUT_OF_MEMORY');
  return p;
}

/** Calls run with the address of size bytes, which are freed when it returns or throws. */
export function withRoom(size, run) {
  const p = alloc(size);
  try {
    return run(p);
  } finally {
    c.free(p);
  }
}

const decoder = new TextDecoder();

/** The text at an address, up to its 0. */
export function textAt(p) {
  return p === 0 ? '' : decoder.decode(u8.subarray(p, u8.indexOf(0, p)));
}

const VIEWS = { u8: () => u8, i32: () => i32, u32: () => u32, i64: () => i64, u64: () => u64, f32: () => f32, f64: () => f64 };
const SHIFTS = { u8: 0, i32: 2, u32: 2, f32: 2, i64: 3, u64: 3, f64: 3 };

/** The view of a kind of number, and by how much an address is shifted to be an index of it. */
export const viewOfKind = (kind) => VIEWS[kind]();
export const shiftOfKind = (kind) => SHIFTS[kind];

/** Writes a struct: zeros, but for the fields that are named; lists are written number by number. */
export function writeStruct(type, p, values) {
  u8.fill(0, p, p + type.size);
  for (const [name, kind, at, count] of type.fields) {
    const value = values[name];
    if (value === undefined) continue;
    const index = (p + at) >>> SHIFTS[kind];
    if (count === 1) VIEWS[kind]()[index] = value;
    else if (value.length === count) VIEWS[kind]().set(value, index);
    else refuse(`${name} is not ${count} numbers`);
  }
}

/** Reads fields of a struct: numbers, booleans of a byte as 0 or 1, rows as arrays. */
export function readStruct(type, p, names, out = {}) {
  for (const [name, kind, at, count] of type.fields) {
    if (!names.includes(name)) continue;
    const index = (p + at) >>> SHIFTS[kind];
    const view = VIEWS[kind]();
    out[name] = count === 1 ? view[index] : Array.from(view.subarray(index, index + count));
  }
  return out;
}

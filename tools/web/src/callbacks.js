// Functions of the caller's that C calls: filters of hits, and progress.
//
// C calls what is in its table, and only a function of WebAssembly can be there.  The bytes below are a module that imports
// two functions and exports them, which makes them such functions.  An error must not pass through C, whose stack would
// stay as it was: it is kept, and thrown once C has returned.
import { refuse } from './errors.js';
import { sl_hit } from './layouts.js';
import { c, f32, onStart, outside, textAt, u32, views } from './memory.js';

const MODULE = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 15, 2, 0x60, 3, 0x7f, 0x7f, 0x7f, 1, 0x7f, 0x60, 3, 0x7f, 0x7f, 0x7d, 1, 0x7f], // (i32 i32 i32), (i32 i32 f32)
  ...[2, 13, 2, 1, 0x65, 1, 0x66, 0, 0, 1, 0x65, 1, 0x70, 0, 1], // e.f, e.p
  ...[7, 9, 2, 1, 0x66, 0, 0, 1, 0x70, 0, 1],
);

let filter; // of the call that runs
let base = 0; // the index of the first item of its block
let progress;
let thrown = null;
const shown = { t: 0, u: 0, v: 0, prim: 0, instance: 0, flags: 0 };

/** Where C finds the two functions. */
export const table = { filter: 0, progress: 0 };

onStart(() => {
  const { f, p } = new WebAssembly.Instance(new WebAssembly.Module(MODULE), { e: { f: onHit, p: onProgress } }).exports;
  const functions = c.__indirect_function_table;
  table.filter = functions.grow(2);
  table.progress = table.filter + 1;
  functions.set(table.filter, f);
  functions.set(table.progress, p);
});

function guarded(run, a, b) {
  if (thrown !== null) return false;
  try {
    return outside(run, a, b);
  } catch (error) {
    thrown = { error };
    return false;
  }
}

function onHit(user, index, p) {
  views();
  const { at } = sl_hit;
  shown.t = f32[(p + at.t) >> 2];
  shown.u = f32[(p + at.u) >> 2];
  shown.v = f32[(p + at.v) >> 2];
  shown.prim = u32[(p + at.prim) >> 2];
  shown.instance = u32[(p + at.instance) >> 2];
  shown.flags = u32[(p + at.flags) >> 2];
  return guarded(filter, shown, base + index) ? 1 : 0;
}

function onProgress(user, phase, fraction) {
  views();
  return guarded(progress, textAt(phase), fraction) !== false && thrown === null ? 1 : 0;
}

/** The filter of the next call, and where it begins; returns what C is to be given. */
export function useFilter(run) {
  if (run === undefined || run === null) return 0;
  if (typeof run !== 'function') refuse('filter is no function');
  filter = run;
  base = 0;
  return table.filter;
}

export function startAt(first) {
  base = first;
}

export function useProgress(run) {
  if (run === undefined || run === null) return 0;
  if (typeof run !== 'function') refuse('progress is no function');
  progress = run;
  return table.progress;
}

/** Throws what a function of the caller's has thrown. */
export function settle() {
  if (thrown === null) return;
  const { error } = thrown;
  thrown = null;
  throw error;
}

// Functions of the caller's that C calls: filters of hits, and progress.
//
// The module imports the two functions below, and says where C finds them (../module.c).  An error must not pass through C,
// whose stack would stay as it was: it is kept, and thrown once C has returned.
import { refuse } from './errors.js';
import { sl_hit } from './layouts.js';
import { c, f32, outside, textAt, u32, views } from './memory.js';

let filter; // of the call that runs
let base = 0; // the index of the first item of its block
let progress;
let thrown = null;
const shown = { t: 0, u: 0, v: 0, prim: 0, instance: 0, flags: 0 };

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

/** What the module imports. */
export const FUNCTIONS = { filter: onHit, progress: onProgress };

/** The filter of the next call, and where it begins; returns what C is to be given. */
export function useFilter(run) {
  if (run === undefined || run === null) return 0;
  if (typeof run !== 'function') refuse('filter is no function');
  filter = run;
  base = 0;
  return c.sl_js_filter();
}

export function startAt(first) {
  base = first;
}

export function useProgress(run) {
  if (run === undefined || run === null) return 0;
  if (typeof run !== 'function') refuse('progress is no function');
  progress = run;
  return c.sl_js_progress();
}

/** Throws what a function of the caller's has thrown. */
export function settle() {
  if (thrown === null) return;
  const { error } = thrown;
  thrown = null;
  throw error;
}

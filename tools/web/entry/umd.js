// sightline.umd.js: the global sightline of classic scripts, with the functions of sightline/worker in it.
import * as core from './core.js';
import { simd } from './detect.js';
import { inWorker } from './job.js';
import { spelled } from './simd128.js';
import { decode } from './text.js';

export * from './core.js';
export { listen } from './listen.js';

const script = globalThis.document?.currentScript?.src;

// A host without SIMD128 takes the file that lies beside this script.
function load() {
  return simd ? decode(spelled) : new URL('sightline_base.wasm', script || globalThis.location.href);
}

function loadSync() {
  if (!simd) throw new Error('this host has no SIMD128: await init(), which loads what it needs');
  return decode(spelled);
}

export function init(source) {
  core.inner.provide(load, loadSync);
  return core.init(source);
}

export function initSync(source) {
  core.inner.provide(load, loadSync);
  core.initSync(source);
}

let url; // of what workers run

// package.mjs wraps this script in sightlineOf().  A worker runs its text, so nothing else is loaded, wherever it came from.
function makeWorker() {
  url ??= URL.createObjectURL(new Blob([`(${sightlineOf})().listen()`], { type: 'text/javascript' }));
  return new Worker(url);
}

export const { buildInWorker, loadInWorker } = inWorker(makeWorker, load);

// sightline/slim: the engine, whose module is a file beside it, sightline_core.wasm unless init() is told another.
import * as core from './core.js';
import { load, loadSync } from './neighbour.js';

export * from './core.js';

export function init(source) {
  core.inner.provide(load, loadSync);
  return core.init(source);
}

export function initSync(source) {
  core.inner.provide(load, loadSync);
  core.initSync(source);
}

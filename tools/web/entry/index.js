// sightline: the engine with its module inside.
//
// Nothing runs while this is loaded, and provide() is called by init(), because package.json says that there are no side
// effects: a bundler may pass by this file where only names of core.js are imported.
import * as core from './core.js';
import { load, loadSync } from './inline.js';

export * from './core.js';

export function init(source) {
  core.inner.provide(load, loadSync);
  return core.init(source);
}

export function initSync(source) {
  core.inner.provide(load, loadSync);
  core.initSync(source);
}

// The package's main entry: what index.d.ts describes.
export { info, init, initSync, ready } from './init.js';
export { SightlineError } from './errors.js';
export { Target } from './target.js';
export { Tree } from './tree.js';
export { Scene } from './scene.js';
export { Mesh } from './mesh.js';
export { Marquee } from './select.js';
export { Topology } from './topology.js';
export { viewOf } from './view.js';

export const NONE = 0xffffffff;
export const HIT_BACK = 1;
export const HIT_EDGE = 2;
export const HIT_VERTEX = 4;

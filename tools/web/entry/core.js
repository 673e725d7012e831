// The engine without a module: what index.js and slim.js share, so that a tree of one is a tree of the other.
export * from '../src/index.js';
export { provide } from '../src/init.js';

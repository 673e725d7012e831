/** The names of 'sightline'; init() loads sightline_core.wasm, which lies beside this file, unless it is told another place. */
export * from './index.js';

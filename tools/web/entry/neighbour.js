// The module for most, as a file beside this one.  Bundlers that know assets take both files along, by the URLs as they are written.
import { simd } from './detect.js';

const url = () =>
  simd ? new URL('./sightline_core.wasm', import.meta.url) : new URL('./sightline_core_base.wasm', import.meta.url);

// Node's fetch takes no files.  Asked this way, for it is no import that a bundler would look for.
function readIfFile(from) {
  const fs = from.protocol === 'file:' && globalThis.process?.getBuiltinModule?.('node:fs');
  return fs ? fs.readFileSync(from) : null;
}

export function load() {
  const from = url();
  return readIfFile(from) ?? from;
}

export function loadSync() {
  const bytes = readIfFile(url());
  if (bytes === null) throw new Error('give initSync the bytes of sightline_core.wasm or sightline.wasm, or await init()');
  return bytes;
}

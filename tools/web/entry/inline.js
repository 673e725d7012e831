// The bytes of the module, out of the text that package.mjs makes.  That of hosts without SIMD128 is loaded by such hosts.
import { simd } from './detect.js';
import { decode } from './text.js';
import { spelled } from './simd128.js';

/** The bytes, or a promise of them. */
export const load = () => (simd ? decode(spelled) : import('./base.js').then((base) => decode(base.spelled)));

/** The bytes at once, where the host has SIMD128, as every one since 2023 does. */
export function loadSync() {
  if (!simd) throw new Error('this host has no SIMD128, and what it needs is loaded by init(), not by initSync()');
  return decode(spelled);
}

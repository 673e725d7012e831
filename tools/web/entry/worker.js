// sightline/worker: builds trees and loads files in a worker, and gives back their bytes, which are transferred.
import { inWorker } from './job.js';

// The URL is written where bundlers look for it: they make a file of thread.js and put its name here.
function makeWorker() {
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
  if (threads) return new threads.Worker(new URL('./thread.js', import.meta.url));
  return new Worker(new URL('./thread.js', import.meta.url), { type: 'module' });
}

export const { buildInWorker, loadInWorker } = /* @__PURE__ */ inWorker(makeWorker, async () => (await import('./inline.js')).load());

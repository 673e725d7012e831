// What goes wrong in workers: each promise is settled, and says why.
import { Worker } from 'node:worker_threads';
import { SightlineError } from 'sightline';
import { buildInWorker } from 'sightline/worker';

const position = Float32Array.from({ length: 9 * 200000 }, Math.random);
const thread = () => new Worker(new URL(import.meta.resolve('sightline/thread.js')));
const codeOf = (build) => build().then(() => 'built', (error) => (error instanceof SightlineError ? error.code : error.message));
const mine = new Error('mine');
const gone = position.slice(0, 9);
const cases = [
  ['IO', () => buildInWorker(position, null, { worker: new Worker('process.exit(3)', { eval: true }) })],
  ['IO', () => buildInWorker(position, null, { worker: new Worker('throw new Error("broken")', { eval: true }) })],
  ['IO', () => buildInWorker(position, null, { worker: new Worker(new URL('nothing.mjs', import.meta.url)) })],
  ['IO', () => {
    const worker = thread();
    return buildInWorker(position, null, { worker, onProgress: () => worker.terminate() });
  }],
  ['mine', () => buildInWorker(position, null, { onProgress: () => { throw mine; } })],
  ['INVALID_ARGUMENT', () => buildInWorker(position, null, { progress: () => true })],
  ['built', () => buildInWorker(gone, null, { transfer: true })],
  ['INVALID_ARGUMENT', () => buildInWorker(gone, null, { transfer: true })],
  ['INVALID_ARGUMENT', () => buildInWorker(new Float32Array(new SharedArrayBuffer(36)))],
  ['BAD_DATA', () => buildInWorker(position, null, { engine: new Uint8Array(9) })],
  ['IO', () => buildInWorker(position, null, { engine: 'http://127.0.0.1:1/sightline.wasm' })],
];
for (const [expected, build] of cases) {
  const code = await codeOf(build);
  if (code !== expected) throw new Error(`${build}: ${code}, not ${expected}`);
}
console.log('fine');

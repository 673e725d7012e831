// One job in a worker of its own, which ends with it: what a build allocates is given back whole.
import { SightlineError } from './core.js';

// The compiled module by what it was made of: a worker starts sooner with it.
const modules = new Map();

function moduleOf(engine, load) {
  if (engine instanceof WebAssembly.Module) return engine;
  if (!modules.has(engine)) {
    const made = compiled(engine, load);
    modules.set(engine, made);
    made.catch(() => modules.delete(engine));
  }
  return modules.get(engine);
}

async function compiled(engine, load) {
  const source = await (engine ?? load());
  if (typeof source !== 'string' && !(source instanceof URL)) return WebAssembly.compile(source);
  const response = await fetch(source);
  if (!response.ok) throw new SightlineError('IO', `${source}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

// Runs listener when the worker fails: in browsers it is an EventTarget, in Node an EventEmitter.
function onFailure(worker, listener) {
  if (worker.addEventListener) {
    worker.addEventListener('error', listener);
    worker.addEventListener('messageerror', listener);
  } else worker.on('error', listener);
}

const failed = (event) =>
  new SightlineError('IO', `the worker ended: ${event.message ?? 'thread.js could not be loaded; def.worker may name another'}`);

function answerOf(worker, job, transfer, onProgress, signal) {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve, reject) => {
    onFailure(worker, (event) => reject(failed(event)));
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    port1.onmessage = ({ data: { progress, error, value } }) => {
      if (progress !== undefined) onProgress?.(...progress);
      else if (error !== undefined) reject(new SightlineError(error.code, error.message, error.where));
      else resolve(value);
    };
    worker.postMessage({ ...job, port: port2 }, [port2, ...transfer]);
  });
  return answer.finally(() => {
    port1.close();
    worker.terminate();
  });
}

async function runJob(job, { onProgress, signal, engine, worker, ...def }, transfer, { makeWorker, load }) {
  signal?.throwIfAborted();
  const module = await moduleOf(engine, load);
  signal?.throwIfAborted();
  const made = typeof worker === 'function' ? worker() : (worker ?? makeWorker());
  return answerOf(made, { ...job, def, module, reports: onProgress !== undefined }, transfer, onProgress, signal);
}

/** The two jobs, for one way of making workers, and one of having the module. */
export function inWorker(makeWorker, load) {
  const how = { makeWorker, load };
  return {
    async buildInWorker(position, index, { transfer, ...def } = {}) {
      const mesh = { position, index: index ?? null };
      const buffers = [position, index].map((list) => list?.buffer).filter((buffer) => buffer instanceof ArrayBuffer);
      return runJob({ kind: 'build', mesh }, def, transfer ? [...new Set(buffers)] : [], how);
    },
    async loadInWorker(file, def = {}) {
      return runJob({ kind: 'load', file }, def, [], how);
    },
  };
}

// One job in a worker of its own, which ends with it: what a build allocates is given back whole.
import { inner, SightlineError } from './core.js';

// The compiled module by what it was made of: a worker starts sooner with it.
const modules = new Map();

function moduleOf(engine, load) {
  if (engine instanceof WebAssembly.Module) return engine;
  if (!modules.has(engine)) {
    const made = Promise.resolve(engine ?? load()).then(inner.moduleOf);
    modules.set(engine, made);
    made.catch(() => modules.delete(engine));
  }
  return modules.get(engine);
}

// Runs listener when the worker fails: in browsers it is an EventTarget, in Node an EventEmitter.  One that is ended by
// another says nothing but that its port is closed, for which what it has to say itself is waited for.
function onFailure(worker, port, listener) {
  if (worker.addEventListener) {
    worker.addEventListener('error', listener);
    worker.addEventListener('messageerror', listener);
  } else worker.on('error', listener);
  const ended = () => setTimeout(listener, 100, { message: 'it has not answered' });
  port.addEventListener('close', ended);
  if (worker.threadId === -1) ended(); // in Node, one that has ended before it got its job
}

const failed = (event) =>
  new SightlineError('IO', `the worker ended: ${event.message ?? 'thread.js could not be loaded; def.worker may name another'}`);

function answerOf(worker, job, transfer, onProgress, signal) {
  const { port1, port2 } = new MessageChannel();
  let abort;
  const answer = new Promise((resolve, reject) => {
    abort = () => reject(signal.reason);
    onFailure(worker, port1, (event) => reject(failed(event)));
    signal?.addEventListener('abort', abort);
    port1.onmessage = ({ data: { progress, error, value } }) => {
      if (progress !== undefined) new Promise((done) => done(onProgress(...progress))).catch(reject);
      else if (error !== undefined) reject(new SightlineError(error.code, error.message, error.where));
      else resolve(value);
    };
    worker.postMessage({ ...job, port: port2 }, [port2, ...transfer]);
  });
  return answer.finally(() => {
    signal?.removeEventListener('abort', abort);
    port1.close();
    worker.terminate();
  });
}

const DEF = ['quality', 'bad', 'masks', 'onProgress', 'signal', 'engine', 'worker'];

async function runJob(job, given, names, transfer, { makeWorker, load }) {
  const { onProgress, signal, engine, worker, ...def } = inner.record(given, 'def', [...DEF, ...names]);
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
    async buildInWorker(position, index, def) {
      const mesh = { position: inner.numberList(position, 'positions', 3), index: index ? inner.numberList(index, 'index', 3) : null };
      const buffers = def?.transfer ? [position, index].flatMap((list) => list?.buffer ?? []) : [];
      return runJob({ kind: 'build', mesh }, def, ['transfer'], [...new Set(buffers)], how);
    },
    async loadInWorker(file, def) {
      return runJob({ kind: 'load', file }, def, ['name', 'recentre'], [], how);
    },
  };
}

// Starts the engine: compiles the module, and gives it the few functions of the system that it imports.
import { refuse } from './errors.js';
import { bytesIn } from './numbers.js';
import { c, memory, start, textAt, views, u32 } from './memory.js';
import { emptyTree } from './tree.js';
import { infoOf, livingTargets } from './target.js';

/** Whether the engine has started. */
export let ready = false;

let starting = null; // the promise of init()

// Where the module comes from when nothing is said.
let load = async () => {
  const { readFile } = await import('node:fs/promises');
  return readFile(new URL('./sightline.wasm', import.meta.url));
};
let loadSync = () => refuse('give initSync the bytes of sightline.wasm');

/** What init() and initSync() take when they are given nothing: the package says it. */
export function provide(later, atOnce) {
  load = later;
  loadSync = atOnce;
}

// A C library that has no system below it asks for little: there is no environment, and there are no files.
const ENOSYS = 52;
const SYSTEM = {
  environ_sizes_get(count, size) {
    views();
    u32[count >> 2] = u32[size >> 2] = 0;
    return 0;
  },
  environ_get: () => 0,
  clock_time_get(id, precision, out) {
    views();
    const now = BigInt(Math.round(performance.now() * 1e6));
    new DataView(memory.buffer).setBigUint64(out, now, true);
    return 0;
  },
  proc_exit(code) {
    throw new Error(`the engine ended with ${code}`);
  },
};

function importsOf(module) {
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = SYSTEM[name] ?? (() => ENOSYS);
  }
  return imports;
}

function startWith({ exports }) {
  if (ready) return;
  start(exports);
  ready = true;
}

async function moduleOf(given) {
  const source = await given;
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string' || source instanceof URL) return moduleOf(fetchOf(source));
  if (typeof Response === 'undefined' || !(source instanceof Response)) return WebAssembly.compile(bytesIn(source, 'the source'));
  if (!source.ok) refuse(`${source.url || 'the response'}: ${source.status} ${source.statusText}`, source.status === 404 ? 'NOT_FOUND' : 'IO');
  return WebAssembly.compile(await source.arrayBuffer());
}

async function fetchOf(url) {
  try {
    return await fetch(url);
  } catch (error) {
    return refuse(`${url}: ${error.message}`, 'IO');
  }
}

async function begin(source) {
  let module;
  try {
    module = await moduleOf(source === undefined ? load() : source);
  } catch (error) {
    if (error instanceof WebAssembly.CompileError) refuse(`the source is no module that runs here: ${error.message}`, 'BAD_DATA');
    throw error;
  }
  startWith(await WebAssembly.instantiate(module, importsOf(module)));
}

export function init(source) {
  if (ready) return (starting ??= Promise.resolve());
  if (starting === null) {
    starting = begin(source);
    // After a failure it may be tried again.
    starting.catch(() => (starting = null));
  }
  return starting;
}

export function initSync(source) {
  if (ready) return;
  const given = source === undefined ? loadSync() : source;
  const module = given instanceof WebAssembly.Module ? given : new WebAssembly.Module(bytesIn(given, 'the source'));
  startWith(new WebAssembly.Instance(module, importsOf(module)));
}

/** What runs. */
export function info() {
  const tree = emptyTree();
  const { kernel } = infoOf(tree);
  const version = textAt(c.sl_version());
  c.sl_bvh_destroy(tree);
  return { version, kernel: kernel === 'scalar' ? 'scalar' : 'simd128', memory: memory.buffer.byteLength, trees: livingTargets() };
}

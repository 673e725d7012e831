// Starts the engine: compiles the module, and gives it the few functions of the system that it imports.
import { FUNCTIONS } from './callbacks.js';
import { refuse } from './errors.js';
import { bytesIn } from './numbers.js';
import { c, memory, start, textAt, views, u32 } from './memory.js';
import { bytesOfResponse, bytesOfURL } from './response.js';
import { emptyTree } from './tree.js';
import { infoOf, livingTargets } from './target.js';

/** Whether the engine has started. */
export let ready = false;

let starting = null; // the promise of init()

// Where the module comes from when nothing is said.
let load = () => refuse('give init the bytes of sightline.wasm, or where it is');
let loadSync = load;

/** What init() and initSync() take when they are given nothing: the package says it. */
export function provide(later, atOnce) {
  load = later;
  loadSync = atOnce;
}

// A C library that has no system below it asks for little: there is no environment, and there are no files.  And what it
// calls of ours.
const ENOSYS = 52;
const SYSTEM = {
  environ_sizes_get(count, size) {
    views();
    u32[count >> 2] = u32[size >> 2] = 0;
    return 0;
  },
  environ_get: () => 0,
  proc_exit(code) {
    throw new Error(`the engine ended with ${code}`);
  },
  ...FUNCTIONS,
};

const NEEDED = ['memory', '__stack_pointer', 'malloc', 'free', 'sl_version', 'sl_bvh_build', 'sl_js_filter', 'sl_js_progress'];

function importsOf(module) {
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = SYSTEM[name] ?? (() => ENOSYS);
  }
  return imports;
}

// Throws what is wrong with a source, as an error of ours.
function explained(error) {
  const { CompileError, LinkError } = WebAssembly;
  if (!(error instanceof CompileError || error instanceof LinkError)) throw error;
  refuse(`the source is no module that runs here: ${error.message}`, 'BAD_DATA');
}

function startWith({ exports }) {
  if (ready) return;
  if (!NEEDED.every((name) => name in exports)) refuse(`the source is no sightline.wasm: it lacks ${NEEDED.find((name) => !(name in exports))}`, 'BAD_DATA');
  start(exports);
  ready = true;
}

async function bytesOf(source) {
  if (typeof source === 'string' || source instanceof URL) return bytesOfURL(source);
  if (typeof Response !== 'undefined' && source instanceof Response) return bytesOfResponse(source);
  return bytesIn(source, 'the source');
}

/** The module of what init() takes. */
export async function moduleOf(given) {
  const source = await given;
  try {
    return source instanceof WebAssembly.Module ? source : await WebAssembly.compile(await bytesOf(source));
  } catch (error) {
    return explained(error);
  }
}

async function begin(source) {
  try {
    const module = await moduleOf(source === undefined ? load() : source);
    startWith(await WebAssembly.instantiate(module, importsOf(module)));
  } catch (error) {
    explained(error);
  }
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
  try {
    const module = given instanceof WebAssembly.Module ? given : new WebAssembly.Module(bytesIn(given, 'the source'));
    startWith(new WebAssembly.Instance(module, importsOf(module)));
  } catch (error) {
    explained(error);
  }
}

/** What runs. */
export function info() {
  const tree = emptyTree();
  const { kernel } = infoOf(tree);
  const version = textAt(c.sl_version());
  c.sl_bvh_destroy(tree);
  return { version, kernel: kernel === 'scalar' ? 'scalar' : 'simd128', memory: memory.buffer.byteLength, trees: livingTargets() };
}

// What a worker of job.js does: one job, whose answer goes through the port that comes with it.
import { init, Mesh, SightlineError, Tree } from './core.js';

async function meshOf(job) {
  if (job.kind === 'build') return job.mesh;
  const { name = job.file.name, bad, recentre } = job.def;
  if (job.file instanceof Blob) return Mesh.read(job.file, { name, bad, recentre });
  return Mesh.load(job.file, { name, bad, recentre });
}

async function run(job) {
  await init(job.module);
  const progress = job.reports ? (...at) => job.port.postMessage({ progress: at }) : undefined;
  const mesh = await meshOf(job);
  const { quality, bad, masks } = job.def;
  const tree = Tree.build(mesh, { quality, bad, masks, progress }).toBytes();
  if (job.kind === 'build') return { value: tree, transfer: [tree.buffer] };
  const { vertices, faces, origin, notes, parts } = mesh;
  return { value: { tree, vertices, faces, origin, notes, parts }, transfer: [tree.buffer, vertices.buffer, faces.buffer] };
}

// What a copy of an error loses.
function described(error) {
  const { message, file, line, byte, index } = error;
  const where = Object.fromEntries(Object.entries({ file, line, byte, index }).filter(([, value]) => value !== undefined));
  return { code: error instanceof SightlineError ? error.code : 'INVALID_ARGUMENT', message, where };
}

async function answer({ data: job }) {
  try {
    const { value, transfer } = await run(job);
    job.port.postMessage({ value }, transfer);
  } catch (error) {
    job.port.postMessage({ error: described(error) });
  }
  job.port.close();
}

/** Waits for the job, in a worker of the web or of Node. */
export function listen() {
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
  (threads?.parentPort ?? globalThis).onmessage = answer;
}

const position = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]);

/** Builds a tree here, and one in a worker where that can be, and asks both. */
export async function check({ init, Tree, info, SightlineError }, buildInWorker) {
  await init();
  if (info().trees !== 0) throw new Error('there are trees already');
  const tree = Tree.build({ position });
  const { prim, t } = tree.closest([0.25, 0.25, 5], [0, 0, -1]);
  if (prim !== 0 || t !== 5) throw new Error(`hit ${prim} at ${t}`);
  if (buildInWorker === undefined) return;
  const reports = [];
  const bytes = await buildInWorker(position, null, { onProgress: (...at) => reports.push(at) });
  if (Tree.fromBytes(bytes).hash !== tree.hash) throw new Error('the worker built another tree');
  const code = await buildInWorker(position, new Uint32Array([0, 1, 9])).catch((error) => error instanceof SightlineError && error.code);
  if (code !== 'BAD_INDEX') throw new Error(`a bad index gave ${code}`);
  const name = await buildInWorker(position, null, { signal: AbortSignal.abort() }).catch((error) => error.name);
  if (name !== 'AbortError') throw new Error(`an aborted job gave ${name}`);
}

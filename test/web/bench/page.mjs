// One measurement a page: what the address asks for; what it found is globalThis.found.
const query = Object.fromEntries(new URL(location.href).searchParams);

async function meshOf(name) {
  const part = async (which) => (await fetch(`mesh/${name}/${which}`)).arrayBuffer();
  return { position: new Float32Array(await part('position')), index: new Uint32Array(await part('index')) };
}

// From the start of the page: milliseconds until its code is there, until the engine runs, until the mesh is there, until its
// tree stands, and until the first ray has its answer.
const FIRST = {
  async sightline() {
    const { init, Tree } = await import('sightline');
    const code = performance.now();
    await init();
    return { code, build: (mesh) => Tree.build(mesh), ask: (tree, origin) => tree.closest(origin, [-1, -1, -1]) };
  },
  async 'three-mesh-bvh'() {
    const [three, { MeshBVH }] = await Promise.all([import('three'), import('three-mesh-bvh')]);
    const build = ({ position, index }) => {
      const geometry = new three.BufferGeometry().setAttribute('position', new three.BufferAttribute(position, 3));
      return new MeshBVH(geometry.setIndex(new three.BufferAttribute(index, 1)));
    };
    const ask = (bvh, origin) => bvh.raycastFirst(new three.Ray(new three.Vector3(...origin), new three.Vector3(-1, -1, -1).normalize()), three.DoubleSide);
    return { code: performance.now(), build, ask };
  },
};

async function first(name, mesh) {
  const { code, build, ask } = await FIRST[name]();
  const engine = performance.now();
  const arrays = await meshOf(mesh);
  const loaded = performance.now();
  const tree = build(arrays);
  const built = performance.now();
  ask(tree, [10, 10, 10]);
  return { code, engine: engine - code, mesh: loaded - engine, build: built - loaded, ask: performance.now() - built, all: performance.now() };
}

async function all() {
  if (query.first) return first(query.first, query.mesh);
  const engine = await import('sightline');
  await engine.init();
  const { measure, measureSnap, start } = await import('./measure.mjs');
  await start();
  if (query.snap) return measureSnap(engine);
  return measure(engine, await meshOf(query.mesh), { count: Number(query.count), rounds: Number(query.rounds) });
}

globalThis.found = await all().catch((error) => ({ error: error.stack }));

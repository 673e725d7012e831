// bench.mjs: the package beside three-mesh-bvh and rapier's casts, in one run, in Node and in Chromium.
//
//     node test/web/bench/bench.mjs FOLDER [--meshes igea,sponza] [--count 20000] [--rounds 5] [--node] [--chromium] [--json out.json]
//
// FOLDER has meshes in OBJ, PLY, STL or OFF.  The package is build/web/package (tools/web/package.mjs makes it), or what
// SIGHTLINE_PACKAGE names; npm ci in this folder installs the others.  Single calls of ours are in doubles.
// three-mesh-bvh has no any-hit query: its closest hit is beside ours.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

const here = fileURLToPath(new URL('.', import.meta.url));
const made = resolve(process.env.SIGHTLINE_PACKAGE ?? join(here, '../../../build/web/package'));
const { values: given, positionals: [folder] } = parseArgs({
  allowPositionals: true,
  options: {
    meshes: { type: 'string', default: 'igea,sponza,kitchen,apartment,level_zdm2' },
    count: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    node: { type: 'boolean' },
    chromium: { type: 'boolean' },
    json: { type: 'string' },
  },
});
if (!folder) {
  console.error('usage: node test/web/bench/bench.mjs FOLDER [--meshes A,B] [--count N] [--rounds N] [--node] [--chromium] [--json FILE]');
  process.exit(2);
}
if (!existsSync(join(here, 'node_modules/three'))) execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' });

const started = performance.now();
const engine = await import(pathToFileURL(join(made, 'index.js')));
await engine.init();
const startMs = performance.now() - started;

const names = given.meshes.split(',');
const meshes = names.map((name) => {
  const file = readdirSync(folder).find((one) => one.split('.')[0] === name);
  if (!file) throw new Error(`there is no mesh ${name} in ${folder}`);
  const mesh = engine.Mesh.load(readFileSync(join(folder, file)), { name: file, bad: 'leave-out' });
  const arrays = { name, position: mesh.vertices, index: mesh.faces };
  mesh.dispose();
  return arrays;
});
const how = { count: Number(given.count), rounds: Number(given.rounds) };

async function inNode() {
  const { measure, measureSnap, start } = await import('./measure.mjs');
  await start();
  const results = { start: { sightline: startMs }, snap: measureSnap(engine), meshes: {} };
  for (const mesh of meshes) results.meshes[mesh.name] = await measure(engine, mesh, how);
  return results;
}

// Job, theirs, ours, and how many times as long theirs has to take.
const MUSTS = [
  ['random closest', 'three-mesh-bvh', 'sightline', 5],
  ['primary closest', 'three-mesh-bvh', 'sightline', 5],
  ['random any', 'three-mesh-bvh', 'sightline', 5],
  ['random single', 'three-mesh-bvh', 'sightline', 2.5],
  ['primary single', 'three-mesh-bvh', 'sightline', 2.5],
  ['build ms', 'three-mesh-bvh SAH', 'sightline', 3],
  ['build ms', 'three-mesh-bvh CENTER', 'sightline fast', 1],
  ['nearest', 'three-mesh-bvh', 'sightline', 3],
];

const number = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

function ratiosOf(all, job, theirs, ours, which) {
  const ratios = Object.entries(all).map(([mesh, jobs]) => ({ mesh, ratio: jobs[job][theirs][which] / jobs[job][ours][which] }));
  const [worst] = ratios.sort((a, b) => a.ratio - b.ratio);
  const mean = Math.exp(ratios.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / ratios.length);
  return { mean, words: `${mean.toFixed(2)} (${worst.ratio.toFixed(2)} ${worst.mesh})` };
}

function printResults(where, { start, snap, meshes: all }) {
  console.log(`\n${where}; microseconds an item, medians of ${how.rounds} rounds`);
  const contestants = [...new Set(Object.values(all).flatMap((jobs) => Object.values(jobs).flatMap(Object.keys)))];
  console.log(['mesh', 'job', ...contestants].join(' | '));
  for (const [mesh, jobs] of Object.entries(all)) {
    for (const [job, row] of Object.entries(jobs)) {
      console.log([mesh, job, ...contestants.map((one) => (one in row ? number([row[one]].flat()[0]) : ''))].join(' | '));
    }
  }
  console.log('\ntheirs / ours, geometric mean (worst mesh); at least');
  for (const [job, theirs, ours, least] of MUSTS) {
    const [median, shortest] = [0, 1].map((which) => ratiosOf(all, job, theirs, ours, which));
    const missed = median.mean < least ? '  MISSED' : '';
    console.log(`${job}: ${theirs} / ${ours}: ${median.words}, of the shortest times ${shortest.words}; ${least}${missed}`);
  }
  console.log('start, ms:', JSON.stringify(start));
  console.log('snap and pick, microseconds:', JSON.stringify(snap));
}

const gzipped = (file) => gzipSync(readFileSync(file), { level: 9 }).length;
const results = {
  processor: cpus()[0].model,
  node: process.version,
  sizes: {
    'sightline.wasm': gzipped(join(made, 'sightline.wasm')),
    'three-mesh-bvh (bundle)': gzipped(join(here, 'node_modules/three-mesh-bvh/build/index.module.js')),
    'rapier.mjs': gzipped(join(here, 'node_modules/@dimforge/rapier3d-compat/dist/rapier.mjs')),
  },
  kernel: engine.info().kernel,
};
console.log(`${results.processor}; ${results.kernel}; bytes gzipped: ${JSON.stringify(results.sizes)}`);
const all = !given.node && !given.chromium;
if (all || given.node) printResults(`Node ${process.version}`, (results.inNode = await inNode()));
if (all || given.chromium) {
  const { inChromium } = await import('./chromium.mjs');
  const found = await inChromium(here, made, meshes, how);
  results.inChromium = found;
  printResults(`Chromium ${found.version}`, found);
}
if (given.json) writeFileSync(given.json, `${JSON.stringify(results, null, 2)}\n`);

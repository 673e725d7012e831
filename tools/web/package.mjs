// package.mjs: the npm package, as a folder that npm packs or installs.
//
//     node tools/web/package.mjs --simd sightline.wasm --base sightline_base.wasm --out build/web/package
//
// The modules are made by the CMake presets wasm and wasm-base, with sightline_core.wasm beside each.  esbuild joins the files of src and entry, and takes
// white space and comments out; npm ci installs it beside this script.  Prints what each file has in bytes, and gzipped.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { encode } from './entry/text.js';

const web = fileURLToPath(new URL('.', import.meta.url));
const root = join(web, '../..');
const { values: given } = parseArgs({ options: { simd: { type: 'string' }, base: { type: 'string' }, out: { type: 'string' } } });
if (!given.simd || !given.base || !given.out) {
  console.error('usage: node tools/web/package.mjs --simd sightline.wasm --base sightline_base.wasm --out FOLDER');
  process.exit(2);
}

if (!existsSync(join(web, 'node_modules/esbuild'))) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: web, stdio: 'inherit' });
}
const { build } = await import('esbuild');

// The files of the package that other files of it import; what is not here is a part of each file that uses it.
const FILES = {
  core: 'entry/core.js',
  inline: 'entry/inline.js',
  index: 'entry/index.js',
  slim: 'entry/slim.js',
  worker: 'entry/worker.js',
  thread: 'entry/thread.js',
  three: 'three.js',
  simd128: 'entry/simd128.js',
  base: 'entry/base.js',
};
// The wasm as text, of which there are no sources.
const TEXTS = { simd128: given.simd, base: given.base };

// The build makes sightline_core.wasm beside each of them.
const coreBeside = (module) => join(dirname(module), 'sightline_core.wasm');

const nameOf = (path) => Object.keys(FILES).find((name) => path === `./${basename(FILES[name])}`);

// Makes modules of the texts, and leaves imports of other files of the package as imports.
const parts = (extension) => ({
  name: 'parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\// }, ({ path, kind }) => {
      const name = nameOf(path);
      if (extension && name && kind !== 'entry-point') return { path: `./${name}${extension}`, external: true };
      return TEXTS[name] ? { path: name, namespace: 'text' } : undefined;
    });
    onResolve({ filter: /^text:/ }, ({ path }) => ({ path: path.slice(5), namespace: 'text' }));
    onLoad({ filter: /./, namespace: 'text' }, ({ path }) => ({
      contents: `export const spelled = ${JSON.stringify(encode(readFileSync(TEXTS[path])))}`,
    }));
  },
});

const shared = {
  absWorkingDir: web,
  bundle: true,
  minify: true,
  target: 'es2022',
  charset: 'ascii',
  external: ['three'],
  logLevel: 'warning',
  legalComments: 'none',
};
const version = readFileSync(join(root, 'lib/include/sightline/base.h'), 'utf8').match(/^#define SL_VERSION_M?[AIP]\w* +\d+/gm)
  .map((line) => line.match(/\d+$/)[0]).join('.');
const licence = `/* sightline ${version}, MIT licence */`;
const entryPoints = Object.entries(FILES).map(([out, file]) => ({ out, in: TEXTS[out] ? `text:${out}` : `./${file}` }));

async function buildAll(out) {
  const esm = { ...shared, outdir: out, entryPoints, format: 'esm', banner: { js: licence }, plugins: [parts('.js')] };
  const url = 'const __url=require("node:url").pathToFileURL(__filename).href;';
  const cjs = {
    ...esm,
    entryPoints: entryPoints.filter(({ out }) => out !== 'thread'),
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    plugins: [parts('.cjs')],
    supported: { 'dynamic-import': false }, // require() instead, which gives the names of the other file
    define: { 'import.meta.url': '__url' },
    banner: { js: licence + url },
  };
  const umd = {
    ...esm,
    entryPoints: [{ out: 'sightline.umd', in: './entry/umd.js' }],
    format: 'cjs',
    plugins: [parts(null)],
    define: { 'import.meta.url': '""' },
    banner: { js: `${licence}\n(function(root){"use strict";function sightlineOf(){var module={exports:{}};` },
    footer: {
      js: `return module.exports}const made=sightlineOf();if(typeof module==="object"&&module.exports)module.exports=made;
else if(typeof define==="function"&&define.amd)define([],()=>made);else root.sightline=made})(globalThis);`,
    },
  };
  await Promise.all([esm, cjs, umd].map(build));
}

// Types for CommonJS are the same, with the names of its files.
function copyTypes(out) {
  for (const name of ['index', 'slim', 'three', 'worker']) {
    const text = readFileSync(join(web, name === 'index' ? 'index.d.ts' : `types/${name}.d.ts`), 'utf8');
    writeFileSync(join(out, `${name}.d.ts`), text);
    writeFileSync(join(out, `${name}.d.cts`), text.replaceAll(/(from ')(\.\/\w+)\.js'/g, "$1$2.cjs'"));
  }
}

function copyRest(out) {
  copyFileSync(given.simd, join(out, 'sightline.wasm'));
  copyFileSync(given.base, join(out, 'sightline_base.wasm'));
  copyFileSync(coreBeside(given.simd), join(out, 'sightline_core.wasm'));
  copyFileSync(coreBeside(given.base), join(out, 'sightline_core_base.wasm'));
  copyFileSync(join(web, 'README.md'), join(out, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
  const { devDependencies, ...manifest } = JSON.parse(readFileSync(join(web, 'package.json'), 'utf8'));
  writeFileSync(join(out, 'package.json'), `${JSON.stringify({ name: manifest.name, version, ...manifest }, null, 2)}\n`);
}

function printSizes(out) {
  const size = (files) => files.reduce((sum, file) => sum + gzipSync(readFileSync(join(out, file)), { level: 9 }).length, 0);
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1).padStart(8)} kB`;
  console.log('      size       gzipped');
  for (const file of readdirSync(out).sort()) {
    console.log(`${kilobytes(readFileSync(join(out, file)).length)} ${kilobytes(size([file]))}  ${file}`);
  }
  console.log(`loaded, gzipped: sightline ${kilobytes(size(['index.js', 'core.js', 'inline.js', 'simd128.js'])).trim()}, ` +
    `sightline/slim ${kilobytes(size(['slim.js', 'core.js', 'sightline_core.wasm'])).trim()}`);
}

const out = resolve(given.out);
if (existsSync(join(out, 'thread.js'))) rmSync(out, { recursive: true }); // an older package
mkdirSync(out, { recursive: true });
await buildAll(out);
copyTypes(out);
copyRest(out);
printSizes(out);

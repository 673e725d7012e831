// The package as users have it: packed, installed into an empty project, and used from Node, TypeScript, bundlers and pages.
// The projects are in consumers.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installed } from './support/installed.mjs';

const place = installed();
const { folder, skip } = place;
if (!skip) cpSync(fileURLToPath(new URL('./consumers', import.meta.url)), folder, { recursive: true });
after(() => place.remove?.());

function run(program, ...words) {
  try {
    return execFileSync(program, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    return assert.fail(`${program} ${words.join(' ')}: ${error.stdout}${error.stderr}`.slice(0, 4000));
  }
}
const write = (name, text) => writeFileSync(join(folder, name), text);

test('Node: modules and CommonJS', { skip }, () => {
  assert.equal(run('node', 'esm.mjs'), 'fine\n');
  assert.equal(run('node', 'common.cjs'), 'fine\n');
  assert.equal(run('node', 'worker.mjs'), 'fine\n');
});

test('TypeScript, strict, by each way of finding modules', { skip }, () => {
  for (const [module, resolution] of [['nodenext', 'nodenext'], ['esnext', 'bundler']]) {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      exactOptionalPropertyTypes: true,
      target: 'es2022',
      lib: ['es2022', 'esnext.disposable', 'dom'],
      types: [],
      module,
      moduleResolution: resolution,
      moduleDetection: 'force',
    };
    write('package.json', '{ "private": true, "type": "module" }');
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
    run(place.bin('tsc'), '-p', '.');
  }
});

test('are the types wrong?', { skip }, () => {
  run(place.bin('attw'), place.tarball, '--profile', 'node16', '--exclude-entrypoints', 'thread.js', 'sightline.umd.js', 'sightline.wasm', 'sightline_base.wasm', 'sightline_core.wasm', 'sightline_core_base.wasm');
});

const TYPES = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.html': 'text/html', '.wasm': 'application/wasm' };

// Serves the folder; a page is a title that its script sets.
async function withBrowser(use) {
  const { chromium } = createRequire(join(folder, 'x.js'))('playwright-core');
  const server = createServer((request, response) => {
    const file = join(folder, decodeURIComponent(new URL(request.url, 'http://x').pathname));
    if (!existsSync(file) || !extname(file)) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
  try {
    const page = await browser.newPage();
    await use(async (path) => {
      await page.goto(`http://127.0.0.1:${server.address().port}/${path}`);
      await page.waitForFunction(() => document.title !== '', undefined, { timeout: 60000 });
      return page.title();
    });
  } finally {
    await browser.close();
    server.close();
  }
}

const noBrowser = skip ?? (existsSync('/usr/bin/chromium') ? false : 'there is no /usr/bin/chromium');
const html = (head) => `<!doctype html><html lang="en"><meta charset="utf-8"><title></title>${head}</html>`;

test('pages without a bundler: a module, and a classic script', { skip: noBrowser }, async () => {
  const imports = { sightline: './node_modules/sightline/index.js', 'sightline/slim': './node_modules/sightline/slim.js', 'sightline/worker': './node_modules/sightline/worker.js' };
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  write('module.html', html(`${map}<script type="module" src="page.mjs"></script>`));
  write('slim.html', html(`${map}<script type="module" src="slim.mjs"></script>`));
  const classic = `import('./check.mjs').then(({ check }) => check(sightline, sightline.buildInWorker)).then(() => (document.title = 'fine'), (error) => (document.title = error.stack));`;
  // Not served as UTF-8: the script is ASCII.
  write('classic.html', html(`<script src="node_modules/sightline/sightline.umd.js"></script><script>${classic}</script>`).replace('utf-8', 'windows-1252'));
  await withBrowser(async (titleOf) => {
    for (const page of ['module.html', 'slim.html', 'classic.html']) assert.equal(await titleOf(page), 'fine', page);
  });
});

// Where a bundler puts what it makes of page.mjs, and what it is called with.
const BUNDLERS = {
  vite: () => {
    mkdirSync(join(folder, 'vite'), { recursive: true });
    write('vite/index.html', html('<script type="module" src="../page.mjs"></script>'));
    run(place.bin('vite'), 'build', 'vite', '--base', './', '--outDir', '../out/vite', '--logLevel', 'error');
    return 'out/vite/index.html';
  },
  webpack: () => {
    write('webpack.config.cjs', `module.exports = { mode: 'production', entry: './page.mjs', output: { path: __dirname + '/out/webpack' } };`);
    run(place.bin('webpack'), '--no-stats');
    write('out/webpack/index.html', html('<script defer src="main.js"></script>'));
    return 'out/webpack/index.html';
  },
  esbuild: () => {
    run(place.bin('esbuild'), 'page.mjs', '--bundle', '--minify', '--format=esm', '--splitting', '--outdir=out/esbuild', '--log-level=error');
    for (const file of ['thread.js', 'core.js']) cpSync(join(folder, 'node_modules/sightline', file), join(folder, 'out/esbuild', file));
    write('out/esbuild/index.html', html('<script type="module" src="page.js"></script>'));
    return 'out/esbuild/index.html';
  },
  rollup: () => {
    run(place.bin('rollup'), 'page.mjs', '-p', '@rollup/plugin-node-resolve', '-d', 'out/rollup', '--silent');
    for (const file of ['thread.js', 'core.js']) cpSync(join(folder, 'node_modules/sightline', file), join(folder, 'out/rollup', file));
    write('out/rollup/index.html', html('<script type="module" src="page.js"></script>'));
    return 'out/rollup/index.html';
  },
};

test('bundlers: vite, webpack, esbuild and rollup', { skip: noBrowser }, async () => {
  const pages = Object.entries(BUNDLERS).map(([name, make]) => [name, make()]);
  await withBrowser(async (titleOf) => {
    for (const [name, page] of pages) assert.equal(await titleOf(page), 'fine', name);
  });
});

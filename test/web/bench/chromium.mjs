// The same in a page of headless Chromium: serves this folder, the package and the meshes, and takes what the page found.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';

const TYPES = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.html': 'text/html', '.wasm': 'application/wasm' };
const ARGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--enable-precise-memory-info'];

function serve(here, made, meshes) {
  const places = { package: made, modules: join(here, 'node_modules') };
  const fileOf = (path) => {
    const [, first, ...rest] = path.split('/');
    return places[first] ? join(places[first], ...rest) : join(here, path);
  };
  return createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://x');
    // Pages that are isolated have clocks of 5 microseconds instead of 100.
    const headers = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
    const [, folder, name, part] = pathname.split('/');
    if (folder === 'mesh') return response.writeHead(200, headers).end(Buffer.from(meshes.find((mesh) => mesh.name === name)[part].buffer));
    const file = fileOf(pathname);
    if (!existsSync(file) || !extname(file)) return response.writeHead(404).end();
    return response.writeHead(200, { ...headers, 'content-type': TYPES[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
  });
}

export async function inChromium(here, made, meshes, how) {
  const server = serve(here, made, meshes);
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGS });
  const run = async (query) => {
    const page = await browser.newPage();
    const address = `http://127.0.0.1:${server.address().port}/bench.html?${new URLSearchParams(query)}`;
    page.on('pageerror', (error) => console.error(error));
    await page.goto(address);
    await page.waitForFunction(() => globalThis.found !== undefined, undefined, { timeout: 0 });
    const found = await page.evaluate(() => globalThis.found);
    await page.close();
    if (found.error) throw new Error(found.error);
    return found;
  };
  try {
    const results = { version: browser.version(), start: {}, meshes: {} };
    for (const first of ['sightline', 'three-mesh-bvh']) results.start[first] = await run({ first, mesh: meshes[0].name });
    results.snap = await run({ snap: 1 });
    for (const { name } of meshes) results.meshes[name] = await run({ mesh: name, ...how });
    return results;
  } finally {
    await browser.close();
    server.close();
  }
}

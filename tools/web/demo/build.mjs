// Bundles the demo into dist, a folder that any server of static files can give away; with --serve it is one.
//
//     node build.mjs [--serve [--port 8080]] [--wasm FILE] [--engine FILE] [--out dist]
//
// The address is printed once it answers.  The server sends the two headers that give pages a finer clock
// (cross-origin isolation); the page works without them.
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: options } = parseArgs({
  options: {
    serve: { type: 'boolean', default: false },
    port: { type: 'string', default: '8080' },
    wasm: { type: 'string', default: here('../../../build/wasm/tools/web/sightline.wasm') },
    engine: { type: 'string', default: here('../src/index.js') },
    out: { type: 'string', default: here('dist') },
  },
});

const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.map': 'application/json',
};

async function bundle() {
  await mkdir(options.out, { recursive: true });
  await build({
    entryPoints: { main: here('src/main.js'), worker: here('src/worker.js') },
    outdir: options.out,
    bundle: true, minify: true, sourcemap: true, format: 'esm', target: 'es2022', logLevel: 'warning',
    alias: { sightline: options.engine }, external: ['node:*'],
  });
  await copyFile(options.wasm, join(options.out, 'sightline.wasm'));
  for (const name of ['index.html', 'style.css']) await copyFile(here(name), join(options.out, name));
}

async function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost');
  const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp', 'Cache-Control': 'no-cache' };
  try {
    const path = normalize(join(options.out, decodeURIComponent(pathname), pathname.endsWith('/') ? 'index.html' : ''));
    if (!path.startsWith(normalize(options.out) + sep)) throw new Error('outside');
    const body = await readFile(path);
    response.writeHead(200, { ...headers, 'Content-Type': types[extname(path)] ?? 'application/octet-stream' });
    response.end(body);
  } catch {
    response.writeHead(404, headers).end('There is no such file.');
  }
}

await bundle();
if (options.serve) {
  const server = createServer(answer);
  server.on('error', (error) => {
    console.error(error.code === 'EADDRINUSE' ? `Port ${options.port} is taken; --port N takes another, and 0 any.` : error.message);
    process.exit(1);
  });
  server.listen(Number(options.port), 'localhost', () => {
    console.log(`The demo is at http://localhost:${server.address().port}/ (Ctrl-C ends it)`);
  });
} else {
  console.log(`The demo is in ${options.out}`);
}

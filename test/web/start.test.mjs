// How the engine starts: what is no module of ours, trying again, and hosts that compile nothing at run time.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as sightline from '../../tools/web/src/index.js';

const { init, initSync, Tree } = sightline;
const built = new URL('../../build/wasm/tools/web/sightline.wasm', import.meta.url);
const bytes = readFileSync(process.env.SIGHTLINE_WASM ?? built);
const module = await WebAssembly.compile(bytes);

const HEAD = [0, 97, 115, 109, 1, 0, 0, 0];
const EMPTY = Uint8Array.from(HEAD);
const IMPORTS_MEMORY = Uint8Array.of(...HEAD, 2, 8, 1, 1, 101, 1, 109, 2, 0, 1);
const detached = new ArrayBuffer(9);
structuredClone(detached, { transfer: [detached] });
const shared = new Uint8Array(new SharedArrayBuffer(9));

test('what is no module is refused, and leaves nothing behind', async () => {
  const rejected = (code, source) => assert.rejects(() => init(source), { name: 'SightlineError', code }, `${code}: ${source}`);
  for (const source of [new Uint8Array(0), new Uint8Array(9), bytes.subarray(0, 1000), EMPTY, IMPORTS_MEMORY, new Response('<!doctype html>')]) await rejected('BAD_DATA', source);
  for (const source of [null, 5, {}, [], detached, shared, new Float32Array(4), undefined]) await rejected('INVALID_ARGUMENT', source);
  await rejected('NOT_FOUND', new Response('', { status: 404 }));
  await rejected('IO', new Response('', { status: 500 }));
  await rejected('IO', 'no address');
  await rejected('IO', new URL('http://127.0.0.1:1/sightline.wasm'));
  const read = new Response(bytes);
  await read.arrayBuffer();
  await rejected('IO', read);
  const throws = (code, source) => assert.throws(() => initSync(source), { name: 'SightlineError', code });
  for (const source of [new Uint8Array(9), EMPTY, IMPORTS_MEMORY]) throws('BAD_DATA', source);
  for (const source of [undefined, null, 'address', detached]) throws('INVALID_ARGUMENT', source);
  assert.equal(sightline.ready, false);
  for (const ask of [() => Tree.build({ position: [] }), () => sightline.info(), () => Tree.fromBytes(bytes)]) {
    assert.throws(ask, { name: 'SightlineError', message: /await init\(\)/ });
  }
});

test('a host that compiles nothing at run time takes a module', async () => {
  const { Module, compile, instantiate } = WebAssembly;
  const refuse = () => {
    throw new WebAssembly.CompileError('Wasm code generation disallowed by embedder');
  };
  WebAssembly.Module = new Proxy(Module, { construct: refuse });
  WebAssembly.compile = refuse;
  WebAssembly.instantiate = (source, imports) => (source instanceof Module ? instantiate(source, imports) : refuse());
  try {
    const started = [init(module), init(EMPTY), init()];
    assert.equal(new Set(started).size, 1);
    await Promise.all(started);
    initSync(EMPTY);
    await init(EMPTY);
    const tree = Tree.build({ position: [0, 0, 0, 1, 0, 0, 0, 1, 0] }, { progress: () => true });
    assert.equal(tree.closest([0.25, 0.25, 1], [0, 0, -1], { filter: () => true }).t, 1);
    assert.equal(tree.closest([0.25, 0.25, 1], [0, 0, -1], { filter: () => false }), null);
  } finally {
    Object.assign(WebAssembly, { Module, compile, instantiate });
  }
});

// What index.d.ts says is there, and nothing else is; what is checked in of what a program makes is what it makes now.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { cube, sightline } from './engine.mjs';

const web = new URL('../../tools/web/', import.meta.url);
const types = readFileSync(new URL('index.d.ts', web), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*/g, '');

test('each exported name is described, and each that is described is exported', () => {
  const values = [...types.matchAll(/^export (?:abstract )?(?:class|function|const) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual([...new Set(values)].sort(), Object.keys(sightline).sort());
});

// The names in a class of the declarations: what stands at the beginning of a line of its body, two spaces in.
function membersOf(name) {
  const [, body] = types.match(new RegExp(`^export (?:abstract )?class ${name}\\b[^{]*\\{\n([^]*?)^\\}`, 'm'));
  const all = [...body.matchAll(/^ {2}(static )?(?:readonly )?(?:get )?(\w+|\[Symbol\.dispose\])\??[(:<]/gm)];
  const named = (wanted) => all.filter(([, fixed]) => (fixed !== undefined) === wanted).map(([, , member]) => member);
  return { own: [...new Set(named(false))].sort(), fixed: [...new Set(named(true))].sort() };
}

test('each member of a class is described, and each that is described is there', () => {
  const text = (key) => (typeof key === 'symbol' ? '[Symbol.dispose]' : key);
  const inherited = Reflect.ownKeys(Object.getPrototypeOf(sightline.Mesh.prototype)).filter((key) => key !== 'constructor').map(text);
  for (const name of ['Target', 'Tree', 'Scene', 'Mesh', 'Marquee', 'Topology']) {
    const { prototype } = sightline[name];
    const there = Reflect.ownKeys(prototype).filter((key) => key !== 'constructor').map(text);
    const parent = name === 'Tree' || name === 'Scene' ? [] : inherited;
    const { own, fixed } = membersOf(name);
    assert.deepEqual([...there, ...parent].sort(), own, name);
    const ours = Object.getOwnPropertyNames(sightline[name]).filter((key) => !['length', 'name', 'prototype'].includes(key));
    assert.deepEqual(ours.sort(), fixed, name);
  }
});

test('objects have the fields that are described', () => {
  const fieldsOf = (name) => types.match(new RegExp(`interface ${name}\\b[^{]*\\{([^]*?)\\n\\}`))[1].match(/(?<=^ {2}(?:readonly )?)\w+(?=\??:)/gm).sort();
  const tree = sightline.Tree.build(cube);
  const up = [[0.25, 0.5, -1], [0, 0, 1]];
  const view = { view: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.5, -0.5, -3, 1], projection: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.02, -1, 0, 0, -2.02, 0], width: 800, height: 800 };
  const objects = {
    Hit: tree.closest(...up),
    Nearest: tree.nearest(up[0]),
    Contact: tree.sweep({ sphere: { centre: up[0], radius: 0.1 } }, [0, 0, 9]),
    Pick: tree.pick(view, 400, 400),
    Snap: tree.snap(view, 400, 400),
    Selection: tree.select(view, { rectangle: [0, 0, 9, 9] }),
    Hits: tree.closestMany({ origins: Float32Array.of(...up[0]), dirs: Float32Array.of(...up[1]) }),
    Nearests: tree.nearestMany(Float32Array.of(0, 0, 0)),
    Lists: tree.withinMany(Float32Array.of(0, 0, 0), 1, 1),
  };
  for (const [name, object] of Object.entries(objects)) assert.deepEqual(Object.keys(object).sort(), fieldsOf(name), name);
});

test('layouts.js is what clang says of the headers', (t) => {
  const clang = process.env.CLANG ?? 'clang-19';
  try {
    execFileSync(clang, ['--version']);
  } catch {
    return t.skip(`${clang} is not here`);
  }
  const made = execFileSync(process.execPath, [new URL('layouts.mjs', web).pathname], { encoding: 'utf8' });
  assert.equal(readFileSync(new URL('src/layouts.js', web), 'utf8'), made, 'node tools/web/layouts.mjs > tools/web/src/layouts.js');
});

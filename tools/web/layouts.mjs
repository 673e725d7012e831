// Prints src/layouts.js: where the fields of the structs are that src/*.js reads and writes, as clang lays them out for
// wasm32.
//
//   node tools/web/layouts.mjs > tools/web/src/layouts.js        CLANG=clang-19 names another compiler
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { structs } from './names.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const WORDS = { float: 'f32', double: 'f64', _Bool: 'u8', uint8_t: 'u8', char: 'u8', int32_t: 'i32', uint64_t: 'u64', int64_t: 'i64' };

function dump() {
  const folder = mkdtempSync(join(tmpdir(), 'layouts-'));
  try {
    const file = join(folder, 'all.c');
    writeFileSync(file, '#include <sightline/sightline.h>\n');
    const args = ['--target=wasm32-wasi', '-fsyntax-only', '-Xclang', '-fdump-record-layouts-complete'];
    const headers = [`-I${root}lib/include`, `-I${root}bvh/include`];
    return execFileSync(process.env.CLANG ?? 'clang-19', [...args, ...headers, file], { encoding: 'utf8', maxBuffer: 1 << 26 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// A line "    32 |     double[3] dir" is a field two spaces deeper than what has it.  What has fields of its own is not
// listed itself, but where they begin.
function fieldsOf(lines) {
  const fields = [];
  const path = [];
  lines.forEach((line, k) => {
    const [, at, indent, type, name] = line.match(/^ *(\d+) \| ( +)(.*) (\w+)$/);
    const depth = indent.length / 2;
    path.length = depth - 1;
    path.push(name);
    const inner = lines[k + 1]?.match(/\| ( +)/)[1].length / 2;
    const counts = [...type.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n));
    const word = inner > depth ? 'struct' : WORDS[type.replace(/[[\]\d]+$/, '').replace('const ', '')] ?? 'u32';
    fields.push([path.join('_'), word, Number(at), counts.reduce((a, b) => a * b, 1)]);
  });
  return fields;
}

const records = new Map();
for (const record of dump().split('*** Dumping AST Record Layout')) {
  const lines = record.trim().split('\n');
  const [, name] = lines[0].match(/^0 \| struct (\w+)$/) ?? [];
  const size = record.match(/\[sizeof=(\d+)/)?.[1];
  if (name !== undefined) records.set(name, { size, fields: fieldsOf(lines.slice(1, -1)) });
}

console.log('// Where the fields of the C structs are; made by tools/web/layouts.mjs: do not edit.');
console.log("import { struct } from './struct.js';");
for (const name of structs) {
  const { size, fields } = records.get(name);
  const rows = fields.map(([field, word, at, count]) => `  ['${field}', '${word}', ${at}, ${count}],`);
  console.log(`\nexport const ${name} = struct(${size}, [\n${rows.join('\n')}\n]);`);
}

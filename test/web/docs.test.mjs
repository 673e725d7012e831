// What the documents show of JavaScript is true, and the reference is up to date.
//
// The ```js blocks of a page run one after the other, as one module in a folder with spot.obj; a ```text block right after
// one has what it prints: a line "..." stands for any lines, and "..." at the end of a line for the rest of it.  Without one,
// each line that prints says at its end, in a comment, what.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pageOf } from '../../tools/web/reference.mjs';
import { installed } from './support/installed.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const place = installed();
const { folder, skip } = place;
after(() => place.remove?.());

const MARK = '\u0001';

const comments = (code) => [...code.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, words]) => `${words}\n`).join('');

/** { line, code, said } of each js block. */
function blocksOf(page) {
  const found = [];
  let end = null;
  for (const match of page.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    const [all, kind, body] = match;
    if (kind === 'js') found.push({ line: page.slice(0, match.index).split('\n').length + 1, code: body, said: comments(body) });
    else if (kind === 'text' && end !== null && page.slice(end, match.index).trim() === '') found.at(-1).said = body;
    end = kind === 'js' ? match.index + all.length : null;
  }
  return found;
}

function alike(said, printed) {
  const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = said.split('\n').slice(0, -1).map((line) => {
    if (line.trim() === '...') return '(?:.*\n)*';
    return line.endsWith('...') ? `${escaped(line.slice(0, -3))}.*\n` : `${escaped(line)}\n`;
  });
  return new RegExp(`^${pattern.join('')}$`).test(printed);
}

/** The faults of a page, each with its line. */
function faultsOf(page) {
  const blocks = blocksOf(page);
  assert.notEqual(blocks.length, 0, 'the page shows no JavaScript');
  copyFileSync(join(root, 'test/data/spot.obj'), join(folder, 'spot.obj'));
  writeFileSync(join(folder, 'page.mjs'), blocks.map(({ code }) => `console.log('${MARK}');\n${code}`).join('\n'));
  const run = spawnSync('node', ['page.mjs'], { cwd: folder, encoding: 'utf8', timeout: 300000 });
  const printed = run.stdout.split(`${MARK}\n`).slice(1);
  const faults = blocks.flatMap(({ line, said }, i) => {
    if (printed[i] === undefined) return [`${line}: was not run`];
    return alike(said, printed[i]) ? [] : [`${line}: the page says\n${said}but this is what comes:\n${printed[i]}`];
  });
  return run.status === 0 ? faults : [...faults, run.stderr];
}

for (const page of ['docs/web.md', 'tools/web/README.md']) {
  test(`${page} is true`, { skip }, () => {
    const text = readFileSync(join(root, page), 'utf8');
    assert.deepEqual(faultsOf(text).join('\n'), '');
  });
}

test('what is not true is found', { skip }, () => {
  const shown = (code, said) => faultsOf(`\`\`\`js\n${code}\n\`\`\`\n${said === undefined ? '' : `\`\`\`text\n${said}\n\`\`\`\n`}`).length;
  assert.equal(shown('console.log(1)', '1'), 0);
  assert.equal(shown('console.log(1); console.log(2); console.log(345)', '1\n...\n3...'), 0);
  assert.notEqual(shown('console.log(2)', '1'), 0);
  assert.notEqual(shown('console.log(1)'), 0);
  assert.notEqual(shown('const x = 1', '1'), 0);
  assert.notEqual(shown('throw new Error()'), 0);
});

test('the reference is what reference.mjs makes of index.d.ts', () => {
  const there = readFileSync(join(root, 'docs/web-reference.md'), 'utf8');
  assert.equal(there, pageOf(), 'run node tools/web/reference.mjs');
});

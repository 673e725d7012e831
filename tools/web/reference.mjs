// Writes docs/web-reference.md, every name of the package on one page, from index.d.ts and types/*.d.ts.
//
//     node tools/web/reference.mjs
//
// A test says when the page is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const HEAD = `# The JavaScript package, name by name

Made from the types by \`tools/web/reference.mjs\`; a test says when it is out of date. [The tutorial](web.md) goes through
most of it; what the words mean is in [conventions](conventions.md).
`;
const FILES = { sightline: 'index.d.ts', 'sightline/slim': 'types/slim.d.ts', 'sightline/three': 'types/three.d.ts', 'sightline/worker': 'types/worker.d.ts' };

const textOf = (file) => readFileSync(new URL(file, import.meta.url), 'utf8');

/** What a comment says, on one line. */
const words = (comment) => comment.replaceAll(/^\s*(?:\/\*\*|\*\/|\*(?!\/)|\/\/)|\*\/\s*$/gm, '').replaceAll(/\s+/g, ' ').trim();

const cell = (text) => text.replaceAll('|', '\\|');

const depthOf = (line) => (line.match(/[{(]/g) ?? []).length - (line.match(/[})]/g) ?? []).length;

/** { comment, code } of each declaration in lines, which are formatted: a comment has lines of its own. */
function declarations(lines) {
  const found = [];
  let [comment, code, depth, inComment] = [[], [], 0, false];
  for (const line of lines) {
    const begins = code.length === 0 && /^\s*\/\*\*/.test(line);
    if (begins) comment = [];
    if (begins || inComment) {
      comment.push(line);
      inComment = !line.includes('*/');
    } else if (code.length > 0 || /^\s*[\w[]/.test(line)) {
      code.push(line);
      depth += line.trim().startsWith('/') || line.trim().startsWith('*') ? 0 : depthOf(line);
      if (depth > 0 || !/[;}]$/.test(line)) continue;
      found.push({ comment: words(comment.join('\n')), code: code.join('\n') });
      [comment, code] = [[], []];
    }
  }
  return found;
}

function members(lines) {
  const rows = declarations(lines).map(({ comment, code }) => `| \`${cell(words(code).replace(/;$/, ''))}\` | ${cell(comment)} |`);
  return ['| member | what it is |', '|---|---|', ...rows, ''];
}

function entry({ comment, code }) {
  const [, kind, name] = code.match(/^export (?:abstract )?(\w+) (\w+)/);
  const head = [`### ${name}`, '', ...(comment === '' ? [] : [comment, ''])];
  if (kind !== 'class' && kind !== 'interface') return [...head, '```ts', code.replace(/^export /, ''), '```', ''];
  const [first, ...rest] = code.split('\n');
  return [...head, `\`${first.replace(/^export | \{$/g, '')}\``, '', ...members(rest.slice(0, -1))];
}

/** The text before the first declaration, in which a line that begins with a word and spaces is about that word. */
function introduction(text) {
  const lines = text.split('\n');
  const comment = lines.slice(0, lines.findIndex((line) => !line.startsWith('//')));
  const points = comment.map((line) => line.slice(3)).join('\n').split(/\n(?=[A-Z]\w+ {2,})/).slice(1);
  return points.map((point) => `- **${point.match(/^\w+/)[0]}**: ${words(point.replace(/^\w+/, ''))}`);
}

/** The whole page. */
export function pageOf() {
  const lines = [HEAD, ...introduction(textOf('index.d.ts')), ''];
  for (const [name, file] of Object.entries(FILES)) {
    lines.push(`## ${name}`, '');
    const found = declarations(textOf(file).split('\n')).filter(({ code }) => /^export (?!\*)/.test(code)).map(entry);
    lines.push(...(found.length > 0 ? found.flat() : ['The names of `sightline`.', '']));
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(new URL('../../docs/web-reference.md', import.meta.url), pageOf());

// What tools/web/src asks of the C library: the functions that it calls, c.sl_..., and the structs whose layouts it imports.
import { readFileSync, readdirSync } from 'node:fs';

const src = new URL('./src/', import.meta.url);
const text = readdirSync(src)
  .filter((name) => name.endsWith('.js') && name !== 'layouts.js')
  .map((name) => readFileSync(new URL(name, src), 'utf8'))
  .join('\n');

const unique = (names) => [...new Set(names)].sort();

export const functions = unique(text.match(/(?<=\bc\.)(sl_\w+|malloc|free)(?=\()/g));
export const structs = unique(
  [...text.matchAll(/import \{([^}]*)\} from '\.\/layouts\.js'/g)].flatMap(([, names]) => names.match(/sl_\w+/g)),
);

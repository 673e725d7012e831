// What tools/web/src asks of the C library: the functions that it calls, c.sl_..., and the structs whose layouts it imports.
import { readFileSync, readdirSync } from 'node:fs';

// What sightline_core.wasm lacks is what these files alone call: clashes and distances of two targets, files of meshes,
// selections, and volumes.
const NOT_IN_CORE = ['contact.js', 'mesh.js', 'select.js', 'volumes.js'];

const src = new URL('./src/', import.meta.url);
const files = readdirSync(src).filter((name) => name.endsWith('.js') && name !== 'layouts.js');
const textOf = (names) => names.map((name) => readFileSync(new URL(name, src), 'utf8')).join('\n');
const text = textOf(files);

const unique = (names) => [...new Set(names)].sort();
const functionsIn = (source) => unique(source.match(/(?<=\bc\.)(sl_\w+|malloc|free)(?=\()/g));

export const functions = functionsIn(text);
export const coreFunctions = functionsIn(textOf(files.filter((name) => !NOT_IN_CORE.includes(name))));
export const structs = unique(
  [...text.matchAll(/import \{([^}]*)\} from '\.\/layouts\.js'/g)].flatMap(([, names]) => names.match(/sl_\w+/g)),
);

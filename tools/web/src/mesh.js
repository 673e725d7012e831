// A mesh from a file.
import { check, error } from './check.js';
import { BAD } from './geometry.js';
import { sl_mesh_def, sl_mesh_info, sl_mesh_note, sl_mesh_part, sl_soup } from './layouts.js';
import { KEY, Owner, pointerOf } from './lifetime.js';
import { begin, c, f32, f64, i64, place, textAt, u32, u8, withRoom, writeStruct } from './memory.js';
import { bytesIn, flag, record, whole, word } from './numbers.js';
import { refuse } from './errors.js';
import { bytesOfResponse } from './response.js';

const def = place(sl_mesh_def.size);
const made = place(8);
const information = place(sl_mesh_info.size);
const soup = place(sl_soup.size);
const part = place(sl_mesh_part.size);

const wordAt = (p) => u32[p >>> 2];

// Makes an sl_mesh of a file's bytes; a name gives the ending, and appears in errors.
function meshOfFile(bytes, name, bad, recentre) {
  const text = new TextEncoder().encode(`${name}\0`);
  writeStruct(sl_mesh_def, def.p, { bad: word(bad, 'bad', BAD), recentre: flag(recentre, 'recentre') });
  return withRoom(bytes.length + text.length, (p) => {
    u8.set(bytes, p);
    u8.set(text, p + bytes.length);
    check(c.sl_mesh_load_memory(p, bytes.length, name === '' ? 0 : p + bytes.length, def.p, made.p, error.p));
    return u32[made.i];
  });
}

export class Mesh extends Owner {
  constructor(key, pointer) {
    super(key, pointer, (p) => c.sl_mesh_destroy(p));
  }

  static load(bytes, given) {
    begin();
    const { name = '', bad, recentre } = record(given, 'def', ['name', 'bad', 'recentre']);
    if (typeof name !== 'string') refuse('name is no text');
    return new Mesh(KEY, meshOfFile(bytesIn(bytes, 'bytes'), name, bad, recentre));
  }

  static async read(source, given) {
    return Mesh.load(await bytesOf(source), given);
  }

  // Where a field is of what C says of the mesh.
  #at(name) {
    const pointer = pointerOf(this);
    begin();
    c.sl_mesh_get_info(information.p, pointer);
    return information.p + sl_mesh_info.at[name];
  }

  #soup() {
    const pointer = pointerOf(this);
    begin();
    c.sl_mesh_soup(soup.p, pointer);
    return (name) => u32[(soup.p + sl_soup.at[name]) >>> 2];
  }

  get vertices() {
    const { vertexCount } = this;
    const from = this.#soup()('xyz') >>> 2;
    return f32.slice(from, from + 3 * vertexCount);
  }

  get faces() {
    const { triangleCount } = this;
    const from = this.#soup()('indices') >>> 2;
    return u32.slice(from, from + 3 * triangleCount);
  }

  get triangleCount() {
    return wordAt(this.#at('triangle_count'));
  }

  get vertexCount() {
    return wordAt(this.#at('vertex_count'));
  }

  get origin() {
    const from = this.#at('origin') >>> 3;
    return f64.slice(from, from + 3);
  }

  get notes() {
    const count = wordAt(this.#at('note_count'));
    const first = wordAt(this.#at('notes'));
    return Array.from({ length: count }, (_, i) => noteAt(first + i * sl_mesh_note.size));
  }

  get parts() {
    const count = wordAt(this.#at('part_count'));
    const pointer = pointerOf(this);
    return Array.from({ length: count }, (_, i) => {
      c.sl_mesh_get_part(pointer, i, part.p);
      const field = (name) => wordAt(part.p + sl_mesh_part.at[name]);
      return { name: textAt(field('name')), material: textAt(field('material')), first: field('first'), count: field('count') };
    });
  }

  faceOf(prim) {
    begin();
    return c.sl_mesh_face(pointerOf(this), this.#prim(prim)) >>> 0;
  }

  partOf(prim) {
    begin();
    return c.sl_mesh_part_of(pointerOf(this), this.#prim(prim)) >>> 0;
  }

  #prim(prim) {
    const count = this.triangleCount;
    if (whole(prim, 'prim') >= count) refuse(`there is no triangle ${prim}`, 'BAD_INDEX');
    return prim;
  }
}

function noteAt(p) {
  const { at } = sl_mesh_note;
  const what = textAt(p + at.what);
  const words = textAt(wordAt(p + at.words));
  const line = Number(i64[(p + at.line) >>> 3]);
  const note = { message: what === '' ? words : `${words}: ${what}`, count: wordAt(p + at.count) };
  return line > 0 ? { ...note, line } : note;
}

const GZIP = [0x1f, 0x8b];

// All bytes of a blob, response or stream, unpacked where they are packed by gzip.
async function bytesOf(source) {
  if (source === null || typeof source !== 'object') refuse('the source is no Blob, Response or ReadableStream');
  const bytes = await bytesOfResponse(source);
  if (!GZIP.every((byte, i) => bytes[i] === byte)) return bytes;
  if (typeof DecompressionStream === 'undefined') refuse('the file is packed by gzip, and DecompressionStream is not here', 'UNSUPPORTED');
  return bytesOfResponse(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
}

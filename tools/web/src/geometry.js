// What a tree or a mesh can be made of: arrays, or what looks like a BufferGeometry of three.js, which is never imported.
import { refuse, SightlineError } from './errors.js';
import { check, error } from './check.js';
import { sl_mesh_def } from './layouts.js';
import { alloc, c, f32, place, u32, writeStruct } from './memory.js';
import { fits, number, numberList, record, whole, word } from './numbers.js';

const def = place(sl_mesh_def.size);
const made = place(8);
/** What is done with triangles that are none. */
export const BAD = ['refuse', 'leave-out'];
const NONE = 0xffffffff;

// Positions of an attribute that is not plain: interleaved, normalized, or with more than three numbers an item.
function attributeList(attribute) {
  if (typeof attribute?.getX !== 'function') refuse('attributes.position is no attribute');
  const { count } = attribute;
  fits(3 * count, 'position');
  const list = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    list[3 * i] = attribute.getX(i);
    list[3 * i + 1] = attribute.getY(i);
    list[3 * i + 2] = attribute.getZ(i);
  }
  return list;
}

function positionsOf(attribute) {
  if (attribute === undefined) refuse('mesh.attributes has no position');
  const { array, itemSize, count, isInterleavedBufferAttribute, normalized } = record(attribute, 'attributes.position');
  whole(count, 'position.count');
  const plain = itemSize === 3 && isInterleavedBufferAttribute !== true && normalized !== true;
  if (!plain) return attributeList(attribute);
  const list = numberList(array, 'position', 3);
  return list.length === 3 * count ? list : list.slice(0, 3 * count);
}

// A number that is no index would become one, and name a vertex that was not meant: it names none.
const vertexOf = (value) => (value >>> 0 === value ? value : NONE);

function bound(value, what) {
  if (!(number(value, what) >= 0)) refuse(`${what} is negative, or not a number`);
  return value;
}

/** The positions and the index of a mesh of the caller's; index is null where corners are vertices in turn.  Triangles keep
 * the numbers that they have in the whole geometry: those outside of its draw range are left out. */
export function arraysOf(mesh) {
  const { attributes, drawRange } = record(mesh, 'mesh');
  if (attributes === undefined) {
    const { position, index } = record(mesh, 'mesh', ['position', 'index']);
    return { position: numberList(position, 'position', 3), index: index ? numberList(index, 'index', 3) : null };
  }
  const { index } = mesh;
  const positions = positionsOf(attributes.position);
  const given = index ? numberList(index.array, 'index', 1) : null;
  const corners = given === null ? positions.length / 3 : Math.min(given.length, index.count ?? given.length);
  const count = corners - (corners % 3);
  const start = bound(drawRange?.start ?? 0, 'drawRange.start');
  const first = Math.ceil(start / 3) * 3;
  const last = Math.min(count, start + bound(drawRange?.count ?? Infinity, 'drawRange.count'));
  if (first === 0 && last === count) return { position: positions, index: given?.subarray(0, count) ?? null };
  const drawn = new Uint32Array(count).fill(NONE);
  for (let i = first; i < last - (last % 3); i++) drawn[i] = given === null ? i : vertexOf(given[i]);
  return { position: positions, index: drawn, drawn: { first: first / 3, last: Math.floor(last / 3) } };
}

// Triangles outside of a draw range are left out, as bad ones are; so those inside are looked at here.
function checkDrawn({ position, index, drawn }) {
  for (let prim = drawn.first; prim < drawn.last; prim++) {
    for (let k = 0; k < 3; k++) {
      const vertex = index[3 * prim + k];
      if (vertex >= position.length / 3) throw new SightlineError('BAD_INDEX', `triangle ${prim} names vertex ${vertex}, which is not there`, { index: prim });
      for (let axis = 0; axis < 3; axis++) {
        if (!Number.isFinite(Math.fround(position[3 * vertex + axis]))) {
          throw new SightlineError('NOT_FINITE', `triangle ${prim} has a coordinate that is not finite`, { index: prim });
        }
      }
    }
  }
}

/** Copies numbers into memory of C's; free it. */
export function floatsIn(list) {
  const p = alloc(Math.max(4, 4 * list.length));
  f32.set(list, p >>> 2);
  return p;
}

function indicesIn(list) {
  const p = alloc(Math.max(4, 4 * list.length));
  u32.set(list, p >>> 2);
  if (/^Uint/.test(list.constructor.name)) return p;
  for (let i = 0; i < list.length; i++) u32[(p >>> 2) + i] = vertexOf(list[i]);
  return p;
}

/** Runs with positions and index in memory of C's, which is freed behind it. */
export function withArrays({ position, index }, run) {
  const xyz = floatsIn(position);
  let indices = 0;
  try {
    if (index !== null) indices = indicesIn(index);
    return run(xyz, position.length / 3, indices, Math.floor(index === null ? position.length / 9 : index.length / 3));
  } finally {
    c.free(xyz);
    c.free(indices);
  }
}

/** Makes an sl_mesh of arrays; returns its address. */
export function meshOfArrays(arrays, bad) {
  const leaveOut = word(bad, 'bad', BAD);
  if (arrays.drawn !== undefined && leaveOut === 0) checkDrawn(arrays);
  return withArrays(arrays, (xyz, vertices, indices, triangles) => {
    writeStruct(sl_mesh_def, def.p, { bad: arrays.drawn === undefined ? leaveOut : 1 });
    check(c.sl_mesh_from_arrays(xyz, vertices, indices, triangles, def.p, made.p, error.p));
    return u32[made.i];
  });
}

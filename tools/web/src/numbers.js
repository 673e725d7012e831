// Numbers of the caller's: looked at before anything changes, and copied.
import { refuse } from './errors.js';
import { f64, memory } from './memory.js';

// The getters of the language itself, which nothing that a caller makes can stand for.
const typed = Object.getPrototypeOf(Uint8Array.prototype);
const getter = (object, name) => Object.getOwnPropertyDescriptor(object, name).get;
const tagOf = getter(typed, Symbol.toStringTag);
const bufferOf = getter(typed, 'buffer');
const lengthOf = getter(typed, 'length');
const offsetOf = getter(typed, 'byteOffset');
const bytesOf = getter(ArrayBuffer.prototype, 'byteLength');

/** The typed arrays of numbers, by their names.  Float16Array is where the host has it. */
export const ARRAYS = Object.fromEntries(
  ['Int8', 'Uint8', 'Uint8Clamped', 'Int16', 'Uint16', 'Int32', 'Uint32', 'Float16', 'Float32', 'Float64']
    .map((kind) => [`${kind}Array`, globalThis[`${kind}Array`]])
    .filter(([, constructor]) => constructor !== undefined),
);

/** What is wrong with a buffer, or "". */
function faultOf(buffer) {
  let size;
  try {
    size = bytesOf.call(buffer);
  } catch {
    return 'is in a SharedArrayBuffer';
  }
  if (memory !== undefined && buffer === memory.buffer) return "is a view of the engine's own memory";
  if (buffer.resizable === true) return 'is in a resizable ArrayBuffer';
  if (size > 0) return '';
  try {
    new Uint8Array(buffer); // throws for one that is detached
    return '';
  } catch {
    return 'is detached';
  }
}

/** Checks a typed array of one of the names, and returns a plain view of it. */
export function typedArray(value, what, ...names) {
  const tag = tagOf.call(value);
  if (tag === undefined || !names.includes(tag)) refuse(`${what} is no ${names.length > 2 ? 'array of numbers' : names.join(' or ')}`);
  const buffer = bufferOf.call(value);
  const fault = faultOf(buffer);
  if (fault !== '') refuse(`${what} ${fault}`);
  return new ARRAYS[tag](buffer, offsetOf.call(value), lengthOf.call(value));
}

/** The bytes of an ArrayBuffer or a Uint8Array. */
export function bytesIn(value, what) {
  if (tagOf.call(value) !== undefined) return typedArray(value, what, 'Uint8Array');
  if (Object.prototype.toString.call(value) !== '[object ArrayBuffer]') refuse(`${what} is no ArrayBuffer or Uint8Array`);
  const fault = faultOf(value);
  if (fault !== '') refuse(`${what}: the buffer ${fault}`);
  return new Uint8Array(value);
}

/** A list of numbers, multiple for each item: typed arrays are looked at, and others are copied. */
export function numberList(value, what, multiple) {
  let list;
  if (tagOf.call(value) !== undefined) list = typedArray(value, what, ...Object.keys(ARRAYS));
  else {
    if (value === null || typeof value !== 'object' || !Number.isInteger(value.length)) refuse(`${what} is no array`);
    fits(value.length, what);
    list = Float64Array.from(value, (x, i) => number(x, `${what}[${i}]`));
  }
  if (list.length % multiple !== 0) refuse(`${what}: ${list.length} numbers, which is no multiple of ${multiple}`);
  return list;
}

/** Refuses a count of numbers that the memory of the engine, which has at most 4 GB, cannot hold as floats. */
export function fits(count, what) {
  if (count >= 2 ** 30) refuse(`${what}: ${count} numbers do not fit into 4 GB`, 'TOO_LARGE');
}

export function number(value, what) {
  if (typeof value !== 'number') refuse(`${what} is no number`);
  return value;
}

/** A whole number from least on that a word of 32 bits can hold. */
export function whole(value, what, least = 0, most = 0xffffffff) {
  if (!Number.isInteger(value) || value < least || value > most) refuse(`${what} is no whole number from ${least} to ${most}`);
  return value;
}

/** One of the words; undefined is the first one.  Returns its number. */
export function word(value, what, words) {
  const index = value === undefined ? 0 : words.indexOf(value);
  if (index < 0) refuse(`${what} is none of ${words.join(', ')}`);
  return index;
}

/** What may be left out, or is true or false; as a number. */
export function flag(value, what, otherwise = false) {
  if (value !== undefined && typeof value !== 'boolean') refuse(`${what} is neither true nor false`);
  return (value ?? otherwise) ? 1 : 0;
}

/** An object of the caller's, or nothing: an empty one.  Where names are given it may have no others, since one that is
 * misspelled would be passed over. */
export function record(value, what, names) {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object') refuse(`${what} is no object`);
  if (names !== undefined) checkNames(value, what, names);
  return value;
}

function checkNames(value, what, names) {
  for (const name in value) if (!names.includes(name)) refuse(`${name} is unknown in ${what}, where there may be ${names.join(', ')}`);
}

/** Writes three numbers as doubles, from the double numbered index on. */
export function putVec3(index, value, what) {
  let x, y, z;
  if (value !== null && typeof value === 'object') {
    if (typeof value.length !== 'number') ({ x, y, z } = value);
    else if (value.length === 3) ({ 0: x, 1: y, 2: z } = value);
  }
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') refuse(`${what} is not three numbers`);
  f64[index] = x;
  f64[index + 1] = y;
  f64[index + 2] = z;
}

/** Three numbers as an array. */
export function vec3(value, what) {
  const { x, y, z } = value !== null && typeof value === 'object' && value.length === 3 ? { x: value[0], y: value[1], z: value[2] } : (value ?? {});
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') refuse(`${what} is not three numbers`);
  return [x, y, z];
}

/** The sixteen numbers of a matrix. */
export function mat4(value, what) {
  const elements = value?.elements ?? value;
  if (elements === null || typeof elements !== 'object' || elements.length !== 16) refuse(`${what} is not sixteen numbers`);
  for (let k = 0; k < 16; k++) number(elements[k], what);
  return elements;
}

/** Writes an affine matrix, sixteen numbers column by column from from on, as an sl_transform. */
export function putTransform(index, elements, from, what) {
  if (elements[from + 3] !== 0 || elements[from + 7] !== 0 || elements[from + 11] !== 0 || elements[from + 15] !== 1) {
    refuse(`${what} is not affine: its last row is not 0 0 0 1`);
  }
  const view = f64;
  for (let axis = 0, to = index, at = from; axis < 3; axis++, to += 4, at++) {
    view[to] = elements[at];
    view[to + 1] = elements[at + 4];
    view[to + 2] = elements[at + 8];
    view[to + 3] = elements[at + 12];
  }
}

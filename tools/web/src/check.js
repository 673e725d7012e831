// Results of C as errors: sl_error, which calls that can fail fill in.
import { SightlineError } from './errors.js';
import { sl_error } from './layouts.js';
import { i64, place, textAt, views } from './memory.js';

const CODES = ['OK', 'INVALID_ARGUMENT', 'OUT_OF_MEMORY', 'NOT_FOUND', 'IO', 'BAD_DATA', 'BAD_INDEX', 'NOT_FINITE', 'UNSUPPORTED', 'TOO_LARGE', 'CANCELLED', 'UNSUPPORTED'];

/** Where C writes its error. */
export const error = place(sl_error.size);

// Pairs: advice as messages in C have it, and what stands there in JavaScript.
const ADVICE = [
  ['set sl_mesh_def.formats to sl_io_formats(), or convert', 'have GLTFLoader of three.js read it, or convert'],
  ['set sl_mesh_def.formats to sl_io_formats()', 'give it to Mesh.read()'],
  ['sl_bvh_load', 'Tree.fromBytes()'],
  [/, or let sl_refit_def.bad be SL_BAD_LEAVE_OUT/, ''],
  [/\bsl_(\w+_def|clash)\./g, ''],
];

/** Throws what went wrong, unless nothing did. */
export function check(result) {
  views();
  if (result === 0) return;
  const { at } = sl_error;
  const where = {};
  const file = textAt(error.p + at.file);
  const line = Number(i64[(error.p + at.line) >>> 3]);
  const byte = Number(i64[(error.p + at.byte) >>> 3]);
  const message = ADVICE.reduce((text, [from, to]) => text.replace(from, to), textAt(error.p + at.message));
  const index = message.match(/\b(?:triangle|instance|index|corner) (\d+)/);
  if (file !== '') where.file = file;
  if (line > 0) where.line = line;
  if (byte >= 0) where.byte = byte;
  if (index !== null) where.index = Number(index[1]);
  throw new SightlineError(CODES[result] ?? 'INVALID_ARGUMENT', message, where);
}

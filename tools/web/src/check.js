// Results of C as errors: sl_error, which calls that can fail fill in.
import { SightlineError } from './errors.js';
import { sl_error } from './layouts.js';
import { i64, place, textAt, views } from './memory.js';

const CODES = ['OK', 'INVALID_ARGUMENT', 'OUT_OF_MEMORY', 'NOT_FOUND', 'IO', 'BAD_DATA', 'BAD_INDEX', 'NOT_FINITE', 'UNSUPPORTED', 'TOO_LARGE', 'CANCELLED', 'UNSUPPORTED'];

/** Where C writes its error. */
export const error = place(sl_error.size);

/** Throws what went wrong, unless nothing did. */
export function check(result) {
  views();
  if (result === 0) return;
  const { at } = sl_error;
  const where = {};
  const file = textAt(error.p + at.file);
  const line = Number(i64[(error.p + at.line) >> 3]);
  const byte = Number(i64[(error.p + at.byte) >> 3]);
  const message = textAt(error.p + at.message);
  const index = message.match(/\b(?:triangle|instance|index|corner) (\d+)/);
  if (file !== '') where.file = file;
  if (line > 0) where.line = line;
  if (byte >= 0) where.byte = byte;
  if (index !== null) where.index = Number(index[1]);
  throw new SightlineError(CODES[result] ?? 'INVALID_ARGUMENT', message, where);
}

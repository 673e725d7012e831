// Options of a query: sl_options.
import { useFilter } from './callbacks.js';
import { refuse } from './errors.js';
import { sl_options } from './layouts.js';
import { alloc, c, place, u32, u8 } from './memory.js';
import { flag, record, whole, word } from './numbers.js';

const { at, size } = sl_options;
const CULLS = ['none', 'back', 'front'];
const OPEN_START = 1;
const OPEN_END = 2;
const CROSSINGS = 4;

const ALL = ['mask', 'cull', 'skip', 'ignore', 'crossings', 'openStart', 'openEnd', 'filter'];
/** The names of what single rays may vary, and of what questions about points and volumes may. */
export const OF_RAY = [...ALL, 'tmin', 'tmax'];
export const OF_PLACE = ['mask', 'skip', 'ignore'];

// A list of pairs of words: a place that grows, since lists are mostly short and always few.
class Pairs {
  constructor() {
    this.room = place(1024);
    this.grown = 0;
    this.size = 1024;
  }

  /** Writes words; returns where they are. */
  put(words) {
    const bytes = 4 * words.length;
    if (bytes === 0) return 0;
    if (bytes > this.size) {
      const grown = alloc(2 * bytes);
      if (this.grown !== 0) c.free(this.grown);
      Object.assign(this, { grown, size: 2 * bytes });
    }
    const p = this.grown || this.room.p;
    u32.set(words, p >>> 2);
    return p;
  }
}

const room = place(size);
const skipped = new Pairs();
const ignored = new Pairs();

const skipOf = (one, what) => [whole(one.instance ?? 0, `${what}.instance`), whole(one.prim, `${what}.prim`)];

function ignoreOf(one, what) {
  if (typeof one !== 'object') return [whole(one, what), 1];
  return [whole(one.first, `${what}.first`), whole(one.count, `${what}.count`)];
}

// The words of a list, all of which are read before any is written: what reads them may change the list.
function wordsOf(list, what, pairOf) {
  if (list === undefined) return [];
  if (!Array.isArray(list)) refuse(`${what} is no array`);
  return Array.from(list, (one, i) => {
    if (one === null || one === undefined) refuse(`${what}[${i}] is ${one}`);
    return pairOf(one, `${what}[${i}]`);
  }).flat();
}

/** Writes options; returns what C is to be given: 0 where there are none. */
export function putOptions(options, names = ALL) {
  if (options === undefined || options === null) return 0;
  const { mask = 0, cull, skip, ignore, crossings, openStart, openEnd, filter } = record(options, 'options', names);
  const flags = OPEN_START * flag(openStart, 'openStart') + OPEN_END * flag(openEnd, 'openEnd') + CROSSINGS * flag(crossings, 'crossings');
  const side = word(cull, 'cull', CULLS);
  if (mask !== 0) whole(mask, 'mask');
  const skips = wordsOf(skip, 'skip', skipOf);
  const ignores = wordsOf(ignore, 'ignore', ignoreOf);
  if (skips.length + ignores.length + side + flags + mask === 0 && filter === undefined) return 0;
  const { p, i } = room;
  u8.fill(0, p, p + size);
  u32[i + (at.mask >> 2)] = mask;
  u32[i + (at.cull >> 2)] = side;
  u32[i + (at.flags >> 2)] = flags;
  u32[i + (at.skip >> 2)] = skipped.put(skips);
  u32[i + (at.skip_count >> 2)] = skips.length / 2;
  u32[i + (at.ignore >> 2)] = ignored.put(ignores);
  u32[i + (at.ignore_count >> 2)] = ignores.length / 2;
  u32[i + (at.filter >> 2)] = useFilter(filter);
  return p;
}

/** The same in memory of its own, which the caller frees: for what C goes on reading. */
export function keepOptions(options) {
  const p = putOptions(options);
  if (p === 0) return 0;
  const lists = [at.skip, at.ignore].map((field) => ({ field, from: u32[(p + field) >>> 2], bytes: 8 * u32[(p + field + 4) >>> 2] }));
  const kept = alloc(size + lists.reduce((sum, { bytes }) => sum + bytes, 0));
  u8.copyWithin(kept, p, p + size);
  let end = kept + size;
  for (const { field, from, bytes } of lists) {
    u8.copyWithin(end, from, from + bytes);
    u32[(kept + field) >>> 2] = end;
    end += bytes;
  }
  return kept;
}

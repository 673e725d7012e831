// Options of a query: sl_options.
import { useFilter } from './callbacks.js';
import { refuse } from './errors.js';
import { sl_options } from './layouts.js';
import { alloc, c, place, u32, u8 } from './memory.js';
import { whole, word } from './numbers.js';

const { at, size } = sl_options;
const CULLS = ['none', 'back', 'front'];
const OPEN_START = 1;
const OPEN_END = 2;
const CROSSINGS = 4;

// Lists of pairs of words: a place that grows, since lists are mostly short and always few.
class Pairs {
  constructor() {
    this.room = place(1024);
    this.grown = 0;
    this.size = 1024;
  }

  /** Writes pairs; returns where they are. */
  put(list, first, second) {
    if (list.length === 0) return 0;
    const bytes = 8 * list.length;
    if (bytes > this.size) {
      const grown = alloc(2 * bytes);
      if (this.grown !== 0) c.free(this.grown);
      Object.assign(this, { grown, size: 2 * bytes });
    }
    const p = this.grown || this.room.p;
    for (let i = 0; i < list.length; i++) {
      u32[(p >> 2) + 2 * i] = first(list[i]);
      u32[(p >> 2) + 2 * i + 1] = second(list[i]);
    }
    return p;
  }
}

/** A place for options; calls about two trees have two of them. */
export class OptionsPlace {
  constructor() {
    this.room = place(size);
    this.skip = new Pairs();
    this.ignore = new Pairs();
  }

  /** Writes options; returns what C is to be given: 0 where there are none. */
  put(options) {
    if (options === undefined || options === null) return 0;
    if (typeof options !== 'object') refuse('options are no object');
    const { mask = 0, cull, skip, ignore, crossings, openStart, openEnd, filter } = options;
    const flags = (openStart === true ? OPEN_START : 0) | (openEnd === true ? OPEN_END : 0) | (crossings === true ? CROSSINGS : 0);
    const side = word(cull, 'cull', CULLS);
    if (mask !== 0) whole(mask, 'mask');
    const skips = skip === undefined ? 0 : listed(skip, 'skip');
    const ignores = ignore === undefined ? 0 : listed(ignore, 'ignore');
    if (skips === 0 && ignores === 0 && side === 0 && flags === 0 && mask === 0 && filter === undefined) return 0;
    const skipped = skips && this.skip.put(skip, (one) => numbered(one.instance ?? 0), (one) => numbered(one.prim));
    const ignored = ignores && this.ignore.put(ignore, (one) => numbered(one.first ?? one), (one) => numbered(one.count ?? 1));
    const { p, i } = this.room;
    u8.fill(0, p, p + size);
    u32[i + (at.mask >> 2)] = mask;
    u32[i + (at.cull >> 2)] = side;
    u32[i + (at.flags >> 2)] = flags;
    u32[i + (at.skip >> 2)] = skipped;
    u32[i + (at.skip_count >> 2)] = skips;
    u32[i + (at.ignore >> 2)] = ignored;
    u32[i + (at.ignore_count >> 2)] = ignores;
    u32[i + (at.filter >> 2)] = useFilter(filter);
    return p;
  }
}

function listed(list, what) {
  if (!Array.isArray(list)) refuse(`${what} is no array`);
  for (const one of list) if (one === null || one === undefined) refuse(`${what} has ${one} in it`);
  return list.length;
}

const numbered = (value) => whole(value, 'a number of a triangle or instance');

const shared = new OptionsPlace();

/** Options of a call about one tree. */
export const putOptions = (options) => shared.put(options);

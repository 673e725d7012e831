// What a rectangle, a lasso or a brush in the picture has in it.
import { settle, useFilter } from './callbacks.js';
import { check, error } from './check.js';
import { refuse } from './errors.js';
import { sl_region, sl_selected, sl_selection_def, sl_selection_info } from './layouts.js';
import { beginOn, KEY, ownedBy, Owner, pointerOf } from './lifetime.js';
import { c, f64, place, u32, u64, withRoom, writeStruct } from './memory.js';
import { flag, number, numberList, record, word } from './numbers.js';
import { keepOptions } from './options.js';
import { putView } from './view.js';

const RULES = ['touching', 'inside'];
const VISIBLE = 2;
const WHAT = ['triangles', 'instances'];
const UNITS = [4, 1];
const DEF = ['what', 'rule', 'through', 'options'];
const REGIONS = ['rectangle', 'lasso', 'brush'];

const def = place(sl_selection_def.size);
const region = place(sl_region.size);
const information = place(sl_selection_info.size);
const made = place(8);

// Runs with the region in memory of C's.
function withRegion(given, run) {
  const kinds = Object.keys(record(given, 'region', REGIONS));
  if (kinds.length !== 1) refuse(`a region is one of ${REGIONS.join(', ')}`);
  const kind = REGIONS.indexOf(kinds[0]);
  const shape = given[kinds[0]];
  const put = (values) => {
    writeStruct(sl_region, region.p, { kind, ...values });
    return run(region.p);
  };
  if (kind === 1) {
    const list = numberList(shape, 'lasso', 2);
    return withRoom(8 * list.length + 8, (p) => {
      f64.set(list, p >>> 3);
      return put({ corners: p, corner_count: list.length / 2 });
    });
  }
  if (kind === 2) {
    const { x, y, radius } = record(shape, 'brush');
    const at = [number(x, 'brush.x'), number(y, 'brush.y')];
    return put({ p: at, q: at, radius: number(radius, 'brush.radius') });
  }
  const corners = numberList(shape, 'rectangle', 4);
  if (corners.length !== 4) refuse('rectangle is not four numbers');
  return put({ p: [corners[0], corners[1]], q: [corners[2], corners[3]] });
}

function modeOf(rule, through) {
  const mode = word(rule, 'rule', RULES);
  if (flag(through, 'through')) return mode;
  if (mode !== 0) refuse("rule 'inside' needs through: true");
  return VISIBLE;
}

// The rows of a selection, as (instance, element), in rising order.
function listOf(selection) {
  c.sl_selection_get_info(information.p, selection);
  const count = Number(u64[(information.p + sl_selection_info.at.selected) >>> 3]);
  return withRoom(count * sl_selected.size + 8, (p) => {
    c.sl_selection_list(selection, 0n, p, count);
    return u32.slice(p >>> 2, (p >>> 2) + 2 * count);
  });
}

export class Marquee extends Owner {
  #unit;
  #filter;

  constructor(key, pointer, target, options, { unit, filter } = {}) {
    super(key, pointer, (p) => (c.sl_selection_destroy(p), c.free(options)), [target]);
    this.#unit = unit;
    this.#filter = filter;
  }

  update(where) {
    beginOn(this);
    return withRegion(where, (p) => {
      const pointer = pointerOf(this);
      useFilter(this.#filter);
      const result = c.sl_selection_update(pointer, p, 0, error.p);
      try {
        settle();
      } catch (thrown) {
        this.dispose(); // it remembers what the filter has not said
        throw thrown;
      }
      check(result);
      const rows = listOf(pointer);
      const instances = Uint32Array.from(rows.filter((instance, i) => i % 2 === 0 && instance !== rows[i - 2]));
      return { instances, prims: this.#unit === UNITS[0] ? rows : new Uint32Array(0) };
    });
  }
}

export const questions = {
  marquee(view, given) {
    beginOn(this);
    const { what, rule, through, options } = record(given, 'def', DEF);
    const unit = UNITS[word(what, 'what', WHAT)];
    const mode = modeOf(rule, through);
    const seen = putView(view);
    const kept = keepOptions(options);
    try {
      writeStruct(sl_selection_def, def.p, { unit, mode, options: kept });
      check(c.sl_selection_create(pointerOf(this), seen, def.p, made.p, error.p));
      return new Marquee(KEY, u32[made.i], ownedBy(this), kept, { unit, filter: options?.filter });
    } catch (thrown) {
      c.free(kept);
      throw thrown;
    }
  },

  select(view, where, given) {
    const marquee = this.marquee(view, given);
    try {
      return marquee.update(where);
    } finally {
      marquee.dispose();
    }
  },
};

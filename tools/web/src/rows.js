// Rows of C and columns of JavaScript: batches go through two blocks of memory, items in and answers out, so that memory does
// not grow with a batch.
import { startAt, settle } from './callbacks.js';
import { refuse } from './errors.js';
import { sl_hit, sl_hit_d, sl_nearest, sl_nearest_d } from './layouts.js';
import { place, shiftOfKind, u32, views, viewOfKind, withRoom } from './memory.js';
import { ARRAYS, record, typedArray, whole } from './numbers.js';

const ROOM = 1 << 19;
export const input = place(ROOM);
export const output = place(ROOM);

const ARRAY = { f32: 'Float32Array', u32: 'Uint32Array', f64: 'Float64Array' };

// The fields that answers have as columns.
function rowsOf(type, names) {
  const fields = type.fields.filter(([name]) => names.includes(name));
  return { size: type.size, names, columns: fields.map(([key, kind, at, width]) => ({ key, kind, at, width })) };
}

// Of each kind of answer, rows in floats and in doubles.
const HIT = ['t', 'u', 'v', 'prim', 'instance', 'flags'];
const NEAREST = ['distance', 'u', 'v', 'prim', 'instance', 'point'];
export const HITS = [rowsOf(sl_hit, HIT), rowsOf(sl_hit_d, HIT)];
export const NEARESTS = [rowsOf(sl_nearest, NEAREST), rowsOf(sl_nearest_d, NEAREST)];

const newColumn = ({ kind, width }, count) => new ARRAYS[ARRAY[kind]](count * width);

/** Columns for count answers: those of the caller's are looked at, and others are made. */
export function columnsFor(rows, count, given) {
  const columns = {};
  const out = record(given, 'out', rows.names);
  for (const column of rows.columns) {
    const { key, kind, width } = column;
    const old = out[key];
    if (old === undefined) columns[key] = newColumn(column, count);
    else {
      if (typedArray(old, `out.${key}`, ARRAY[kind]).length !== count * width) {
        refuse(`out.${key} has ${old.length} numbers, not ${count * width}`);
      }
      columns[key] = old;
    }
  }
  return columns;
}

// Copies count rows from an address to columns, from row first on.
function scatter(rows, p, count, columns, first) {
  for (const { key, kind, at, width } of rows.columns) {
    const view = viewOfKind(kind);
    const shift = shiftOfKind(kind);
    const column = columns[key];
    const step = rows.size >>> shift;
    let from = (p + at) >>> shift;
    let to = first * width;
    for (let i = 0; i < count; i++, from += step) {
      for (let k = 0; k < width; k++) column[to++] = view[from + k];
    }
  }
}

/** Writes items to the input block by block, and calls run(first, count) for each: an item takes items.bytes of the input and
 * bytesOut of the output. */
export function inBlocks(items, bytesOut, run) {
  const most = Math.max(1, Math.floor(Math.min(ROOM / items.bytes, ROOM / bytesOut)));
  for (let first = 0; first < items.count; first += most) {
    const count = Math.min(most, items.count - first);
    views();
    items.put(first, count);
    startAt(first);
    run(first, count);
    settle();
  }
}

/** One row for each item: ask(at, count) has C write them. */
export function answerEach(items, rows, given, ask) {
  const columns = columnsFor(rows, items.count, given);
  inBlocks(items, rows.size, (first, count) => {
    ask(output.p, count);
    scatter(rows, output.p, count, columns, first);
  });
  return columns;
}

/** A byte for each item, where C writes bytes, or words of 64 bits, of which a byte says whether they are 0. */
export function answerBytes(items, given, ask) {
  const bytes = given ?? new Uint8Array(items.count);
  if (typedArray(bytes, 'out', 'Uint8Array').length !== items.count) refuse(`out has ${bytes.length} bytes, not ${items.count}`);
  inBlocks(items, 1, (first, count) => {
    ask(output.p, count);
    bytes.set(viewOfKind('u8').subarray(output.p, output.p + count), first);
  });
  return bytes;
}

/** How many there are for each item: ask(at, count) has C write words of 64 bits. */
export function answerCounts(items, ask) {
  const counts = new Uint32Array(items.count);
  inBlocks(items, 8, (first, count) => {
    ask(output.p, count);
    for (let i = 0; i < count; i++) counts[first + i] = u32[(output.p >>> 2) + 2 * i];
  });
  return counts;
}

// Columns that grow.
class Growing {
  constructor(rows) {
    Object.assign(this, { rows, count: 0, room: 64, columns: columnsFor(rows, 64) });
  }

  add(p, count) {
    while (this.count + count > this.room) this.grow();
    scatter(this.rows, p, count, this.columns, this.count);
    this.count += count;
  }

  grow() {
    this.room *= 2;
    for (const column of this.rows.columns) {
      const wider = newColumn(column, this.room);
      wider.set(this.columns[column.key]);
      this.columns[column.key] = wider;
    }
  }

  finished() {
    const values = {};
    for (const { key, width } of this.rows.columns) values[key] = this.columns[key].slice(0, this.count * width);
    return values;
  }
}

const ALL_AT_ONCE = 32; // rows of each item; of one that is alone:
const ALL_OF_ONE = 4096;

/** Lists of at most capacity rows for each item.  ask(at, totals, k, count) has C write k rows for each item at the one
 * address and how many there are at the other.  Most lists are short: those that may be longer are asked for once more, alone;
 * as long as most(total) says. */
export function answerLists(items, rows, capacity, most, ask) {
  whole(capacity, 'capacity', 1);
  const k = Math.min(capacity, items.count === 1 ? ALL_OF_ONE : ALL_AT_ONCE);
  const list = new Growing(rows);
  const offsets = new Uint32Array(items.count + 1);
  const totals = new Uint32Array(items.count);
  inBlocks(items, k * rows.size + 8, (first, count) => {
    const at = output.p + 8 * count;
    ask(at, output.p, k, count);
    const found = Array.from({ length: count }, (_, i) => u32[(output.p >>> 2) + 2 * i]);
    found.forEach((total, i) => {
      const needed = Math.min(capacity, most(total));
      totals[first + i] = total;
      if (total < k || needed <= k) list.add(at + i * k * rows.size, Math.min(total, k));
      else totals[first + i] = again(items, first + i, rows, needed, list, ask);
      offsets[first + i + 1] = list.count;
    });
  });
  return { values: list.finished(), offsets, totals };
}

// The list of one item; the block that it is in has been answered, so that its first places can be used.
function again(items, index, rows, needed, list, ask) {
  return withRoom(needed * rows.size + 8, (p) => {
    items.put(index, 1);
    startAt(index);
    ask(p + 8, p, needed, 1);
    const total = u32[p >>> 2];
    list.add(p + 8, Math.min(total, needed));
    return total;
  });
}

/** The rows of a list as objects. */
export function objectsOf({ values }, rows) {
  return Array.from(values.prim, (_, i) => {
    const object = {};
    for (const { key, width } of rows.columns) {
      object[key] = width === 1 ? values[key][i] : Array.from(values[key].subarray(i * width, (i + 1) * width));
    }
    return object;
  });
}

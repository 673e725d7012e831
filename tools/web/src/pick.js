// What is under the mouse.
import { settle } from './callbacks.js';
import { refuse } from './errors.js';
import { sl_pick, sl_pick_def } from './layouts.js';
import { beginOn, pointerOf } from './lifetime.js';
import { c, f64, place, readStruct, u32, withRoom, writeStruct } from './memory.js';
import { flag, number, record, word } from './numbers.js';
import { putOptions } from './options.js';
import { infoOf } from './target.js';
import { topologyList } from './topologies.js';
import { putView } from './view.js';

const KINDS = ['face', 'edge', 'vertex'];
const DEF = ['kinds', 'radius', 'hidden', 'allVertices', 'unit', 'topologies', 'options'];
const UNITS = ['objects', 'instances', 'parts', 'faces'];
const NAMES = ['point', 'distance', 'pixels', 'xy', 'along', 'u', 'v', 'instance', 'prim', 'corner', 'part', 'face', 'edge', 'vertex', 'flags'];

const def = place(sl_pick_def.size);
const pick = place(sl_pick.size);
const selected = place(sl_pick.size);
export const xy = place(16);

/** Bits of words: the first is bit 0. */
export function bitsOf(words, what, known) {
  if (words === undefined) return 0;
  if (!Array.isArray(words) || words.length === 0) refuse(`${what} is no array of ${known.join(', ')}`);
  return words.reduce((bits, one) => bits | (1 << word(one ?? null, what, known)), 0);
}

export function putPosition(x, y) {
  f64[xy.d] = number(x, 'x');
  f64[xy.d + 1] = number(y, 'y');
  return xy.p;
}

/** The list of topologies for a target: what the call says, or what the instances of a scene were given. */
export function topologiesFor(target, given) {
  const chosen = given === undefined ? (target.topologies ?? null) : given;
  return chosen === null ? 0 : topologyList(chosen, infoOf(pointerOf(target)).instanceCount);
}

function putDef(target, given) {
  const { kinds, radius = 0, hidden, allVertices, unit, topologies, options } = record(given, 'def', DEF);
  // The options before the topologies, which what reads the options could dispose.
  const values = {
    options: putOptions(options),
    kinds: bitsOf(kinds, 'kinds', KINDS),
    radius: number(radius, 'radius'),
    hidden: flag(hidden, 'hidden'),
    all_vertices: flag(allVertices, 'allVertices'),
    unit: word(unit, 'unit', UNITS),
    topologies: topologiesFor(target, topologies),
  };
  writeStruct(sl_pick_def, def.p, values);
  return def.p;
}

function pickAt(p) {
  const kind = KINDS[31 - Math.clz32(u32[(p + sl_pick.at.kind) >> 2])];
  return readStruct(sl_pick, p, NAMES, { kind });
}

function putPick(given) {
  if (given === null || given === undefined) return 0;
  const { kind, ...rest } = record(given, 'selected');
  const values = Object.fromEntries(NAMES.map((name) => [name, rest[name] ?? refuse(`selected is no Pick: it has no ${name}`)]));
  for (const name of NAMES) for (const one of [values[name]].flat()) number(one, `selected.${name}`);
  writeStruct(sl_pick, selected.p, { ...values, kind: 1 << word(kind ?? null, 'selected.kind', KINDS) });
  return selected.p;
}

const ENOUGH = 64; // picks that are listed at once

export const questions = {
  pick(view, x, y, given) {
    beginOn(this);
    const [seen, at, chosen] = [putView(view), putPosition(x, y), putDef(this, given)];
    const found = c.sl_pick_at(pointerOf(this), seen, at, chosen, pick.p);
    settle();
    return found === 0 ? null : pickAt(pick.p);
  },

  pickAll(view, x, y, given) {
    beginOn(this);
    const [seen, at, chosen] = [putView(view), putPosition(x, y), putDef(this, given)];
    const list = (capacity) =>
      withRoom(capacity * sl_pick.size, (p) => {
        const count = c.sl_pick_all(pointerOf(this), seen, at, chosen, p, capacity);
        settle();
        return count > capacity ? list(count) : Array.from({ length: count }, (_, i) => pickAt(p + i * sl_pick.size));
      });
    return list(ENOUGH);
  },

  pickNext(view, x, y, previous, given) {
    beginOn(this);
    const [seen, at, last, chosen] = [putView(view), putPosition(x, y), putPick(previous), putDef(this, given)];
    const found = c.sl_pick_next(pointerOf(this), seen, at, chosen, last, pick.p);
    settle();
    return found === 0 ? null : pickAt(pick.p);
  },
};

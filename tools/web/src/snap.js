// What the mouse snaps to.
import { settle } from './callbacks.js';
import { refuse } from './errors.js';
import { sl_snap, sl_snap_def, sl_snap_grid } from './layouts.js';
import { beginOn, pointerOf } from './lifetime.js';
import { c, place, readStruct, u32, u8, writeStruct } from './memory.js';
import { flag, number, record, vec3 } from './numbers.js';
import { putOptions } from './options.js';
import { bitsOf, putPosition, topologiesFor } from './pick.js';
import { putView } from './view.js';

const KINDS = ['vertex', 'edge', 'midpoint', 'crossing', 'edge-foot', 'centre', 'face-foot', 'face', 'grid', 'grid-line'];
const NAMES = ['point', 'locked', 'normal', 'xy', 'pixels', 'distance', 'along', 'target', 'instance', 'prim', 'corner'];
const DEF = ['kinds', 'radius', 'hold', 'margin', 'hidden', 'allVertices', 'from', 'line', 'plane', 'grid', 'topologies', 'options'];
const LOCK_LINE = 1;
const LOCK_PLANE = 2;

const def = place(sl_snap_def.size);
const grid = place(sl_snap_grid.size);
const snap = place(sl_snap.size);
const before = place(sl_snap.size);

// What locks points to a line or a plane.
function lockOf(line, plane) {
  if (line !== undefined && plane !== undefined) refuse('points are locked to a line or to a plane, not to both');
  if (line !== undefined) return { lock: LOCK_LINE, lock_at: vec3(line?.at, 'line.at'), lock_dir: vec3(line?.dir, 'line.dir') };
  if (plane === undefined) return {};
  return { lock: LOCK_PLANE, lock_at: vec3(plane?.at, 'plane.at'), lock_dir: vec3(plane?.normal, 'plane.normal') };
}

function putGrid(given) {
  if (given === undefined) return 0;
  const { origin, x, y } = record(given, 'grid');
  writeStruct(sl_snap_grid, grid.p, { origin: vec3(origin, 'grid.origin'), x: vec3(x, 'grid.x'), y: vec3(y, 'grid.y') });
  return grid.p;
}

function putDef(target, given) {
  const { kinds, radius = 0, hold = 0, margin = 0, hidden, allVertices, from, line, plane, topologies, options, ...rest } = record(given, 'def', DEF);
  const values = {
    options: putOptions(options), // before the topologies, as in pick.js
    kinds: bitsOf(kinds, 'kinds', KINDS),
    radius: number(radius, 'radius'),
    hold: number(hold, 'hold'),
    margin: number(margin, 'margin'),
    hidden: flag(hidden, 'hidden'),
    all_vertices: flag(allVertices, 'allVertices'),
    grid: putGrid(rest.grid),
    ...(from === undefined ? {} : { has_from: 1, from: vec3(from, 'from') }),
    ...lockOf(line, plane),
    topologies: topologiesFor(target, topologies),
  };
  writeStruct(sl_snap_def, def.p, values);
  return def.p;
}

// All of the struct goes with the object, so that the call after it can be told what the last one was.
const structs = new WeakMap();

function putPrevious(given) {
  if (given === null || given === undefined) return 0;
  const bytes = structs.get(record(given, 'previous'));
  if (bytes === undefined) refuse('previous is not what snap() returned');
  u8.set(bytes, before.p);
  return before.p;
}

export const questions = {
  snap(view, x, y, given, previous) {
    beginOn(this);
    const [seen, at, chosen, last] = [putView(view), putPosition(x, y), putDef(this, given), putPrevious(previous)];
    const found = c.sl_snap_at(pointerOf(this), seen, at, chosen, last, snap.p);
    settle();
    if (found === 0) return null;
    const kind = KINDS[31 - Math.clz32(u32[(snap.p + sl_snap.at.kind) >> 2])];
    const answer = readStruct(sl_snap, snap.p, NAMES, { kind, kept: u8[snap.p + sl_snap.at.kept] !== 0 });
    structs.set(answer, u8.slice(snap.p, snap.p + sl_snap.size));
    return answer;
  },
};

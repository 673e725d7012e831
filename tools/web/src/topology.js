// Neighbours and features of a mesh, for picking, snapping and selecting.
import { check, error } from './check.js';
import { sl_edge, sl_topology_def, sl_topology_info } from './layouts.js';
import { KEY, Owner, pointerOf } from './lifetime.js';
import { begin, c, place, u32, writeStruct } from './memory.js';
import { number, record } from './numbers.js';

const def = place(sl_topology_def.size);
const information = place(sl_topology_info.size);
const edge = place(sl_edge.size);
const made = place(8);
const EDGES = 1;

let destroyed = 0;

/** How many topologies there were: a list of pointers to them is good as long as that does not change. */
export const disposals = () => destroyed;

function destroy(pointer) {
  destroyed++;
  c.sl_topology_destroy(pointer);
}

export class Topology extends Owner {
  constructor(key, pointer) {
    super(key, pointer, destroy);
  }

  #info(name) {
    const pointer = pointerOf(this);
    begin();
    c.sl_topology_get_info(information.p, pointer);
    return u32[(information.p + sl_topology_info.at[name]) >> 2];
  }

  get edgeCount() {
    return this.#info('edge_count');
  }

  get vertexCount() {
    return this.#info('vertex_count');
  }

  get faceCount() {
    return this.#info('face_count');
  }

  get partCount() {
    return this.#info('part_count');
  }

  get featureEdges() {
    const pairs = new Uint32Array(2 * this.#info('feature_edge_count'));
    const pointer = pointerOf(this);
    const count = this.edgeCount;
    for (let i = 0, to = 0; i < count; i++) {
      if (c.sl_topology_is_feature(pointer, EDGES, i) === 0) continue;
      c.sl_topology_get_edge(pointer, i, edge.p);
      for (let end = 0; end < 2; end++) {
        pairs[to++] = c.sl_topology_mesh_vertex(pointer, u32[((edge.p + sl_edge.at.vertex) >> 2) + end]);
      }
    }
    return pairs;
  }
}

/** What a topology may vary: its angle of features. */
export function featureAngleOf(given) {
  const { featureAngle = 0 } = record(given, 'def', ['featureAngle']);
  return number(featureAngle, 'featureAngle');
}

/** The topology of a mesh at an address. */
export function topologyOf(mesh, angle) {
  writeStruct(sl_topology_def, def.p, { crease_rad: angle });
  check(c.sl_topology_build(mesh, def.p, made.p, error.p));
  return new Topology(KEY, u32[made.i]);
}

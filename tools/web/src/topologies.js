// The topologies of a scene as C takes them: a list of pointers, one for each instance number.  It is made once for each array
// of the caller's, and kept as long as that: an array is read when it is first given.
import { refuse } from './errors.js';
import { pointerOf } from './lifetime.js';
import { alloc, c, u32 } from './memory.js';
import { Topology, disposals } from './topology.js';

const lists = new WeakMap();
const forgotten = new FinalizationRegistry(({ p }) => c.free(p));

/** The address of the list, or 0 where there is none. */
export function topologyList(topologies, count) {
  if (topologies === undefined || topologies === null) return 0;
  if (!Array.isArray(topologies)) refuse('topologies are no array');
  if (topologies.length !== count) refuse(`topologies: ${topologies.length} for ${count} instances`);
  const known = lists.get(topologies);
  if (known?.disposals === disposals() && known.held.length === count) return known.p;
  // The objects stay as long as the list, so that none of them is freed when it is forgotten.
  const held = Array.from({ length: count }, (_, i) => topologies[i]);
  const pointers = held.map((one, i) => {
    if (one === null) return 0;
    if (!(one instanceof Topology)) refuse(`topologies[${i}] is no Topology, and not null`);
    return pointerOf(one, `topologies[${i}]`);
  });
  const list = known ?? {};
  if (known === undefined || known.held.length < count) {
    const p = alloc(Math.max(4, 4 * count));
    if (known === undefined) forgotten.register(topologies, list);
    else c.free(known.p);
    list.p = p;
  }
  u32.set(pointers, list.p >>> 2);
  lists.set(topologies, Object.assign(list, { disposals: disposals(), held }));
  return list.p;
}

// The topologies of a scene as C takes them: a list of pointers, one for each instance number.  It is made once for each array
// of the caller's, and kept as long as that: an array is read when it is first given.
import { refuse } from './errors.js';
import { pointerOf } from './lifetime.js';
import { alloc, c, u32 } from './memory.js';
import { Topology, disposals } from './topology.js';

const lists = new WeakMap();
const forgotten = new FinalizationRegistry((p) => c.free(p));

/** The address of the list, or 0 where there is none. */
export function topologyList(topologies, count) {
  if (topologies === undefined || topologies === null) return 0;
  if (!Array.isArray(topologies)) refuse('topologies are no array');
  if (topologies.length !== count) refuse(`topologies: ${topologies.length} for ${count} instances`);
  const known = lists.get(topologies);
  if (known !== undefined && known.disposals === disposals()) return known.p;
  const pointers = topologies.map((one) => {
    if (one === null) return 0;
    if (!(one instanceof Topology)) refuse('topologies has something else in it');
    return pointerOf(one, 'a topology');
  });
  const p = known?.p ?? alloc(Math.max(4, 4 * count));
  u32.set(pointers, p >> 2);
  if (known === undefined) forgotten.register(topologies, p);
  // The objects stay as long as the list, so that none of them is freed when it is forgotten.
  lists.set(topologies, { p, disposals: disposals(), held: topologies.slice() });
  return p;
}

/* search_steps.h: what the parts of a search (search.h) give one another: the pool that candidates
 * wait in (search_pool.c), triangles that may have some (search_triangles.c), and the walk to
 * these (search.c).
 * Callers  hold the floating-point environment. */
#ifndef SLI_PICK_SEARCH_STEPS_H
#define SLI_PICK_SEARCH_STEPS_H

#include "bvh/pick/search.h"

/* Asks for what waits within a distance (squared), nearest first, until one is seen, or so many are
 * left: what is behind that one is worse. */
void sli_pick_search_resolve(sli_pick_search *s, double distance2, int leave);

/* A candidate that appears within the limit; all but its line of sight is set. */
void sli_pick_search_offer(sli_pick_search *s, sli_candidate *candidate);

/* Whether all of a box of the present instance's tree is hidden, as far as it is within reach. */
bool sli_pick_search_hides(sli_pick_search *s, const sl_aabb *box);

/* Offers what the triangles of a leaf, or one by its number, of the present instance have. */
void sli_pick_search_look_at(sli_pick_search *s, const sli_tri_pack *pack);
void sli_pick_search_look_at_prim(sli_pick_search *s, uint32_t prim);

#endif

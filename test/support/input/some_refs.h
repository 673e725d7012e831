/* some_refs.h: references for tests of the builder's steps, and what every split must fulfil. */
#ifndef TEST_SUPPORT_SOME_REFS_H
#define TEST_SUPPORT_SOME_REFS_H

#include "bvh/builder/split/split.h"

/* Those of a mesh, which stays the caller's; to be released by sli_refs_destroy. */
sli_refs some_refs_of(const sl_mesh *mesh);

/* A box with centre x, y, z and sides of size; prim as given. */
sli_ref some_ref(float x, float y, float z, float size, uint32_t prim);

sli_box some_refs_centres(const sli_ref *refs, size_t count);

/* What a split is told of references. */
sli_whole some_whole(const sli_ref *refs, size_t count, size_t most);

/* NULL, or which promise of split.h is broken: to holds exactly the references of from, both sides
 * have between 1 and most of them, bounds are exact; if ordered, order is kept on both sides and
 * centres are exact, too.  prims must all differ. */
const char *some_split_fault(const sli_ref *from, const sli_ref *to, size_t count, size_t most,
                             const sli_split *split, bool ordered);

/* What a cut costs, from the definition: for each side, half its surface times its leaf blocks. */
double some_split_cost(const sli_ref *to, size_t count, size_t left_count);

/* Whether a cost is the best one, as far as floats tell. */
bool some_cost_is(double cost, double best);

#endif

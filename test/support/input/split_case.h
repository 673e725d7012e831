/* split_case.h: references for tests of the builder's steps, and a checker of what every split
 * promises. */
#pragma once

#include "bvh/builder/split/split.h"
#include "test/support/test.h"

/* The references of a mesh, which stays the caller's, with both sides and prims as they stand in
 * the first; to be released by sli_refs_destroy. */
sli_refs split_case_refs(const sl_mesh *mesh);

/* A box with centre x, y, z and sides of size; prim as given. */
sli_ref split_case_ref(float x, float y, float z, float size, uint32_t prim);

/* Boxes anywhere of sizes below 1, with 0, 1 and so on as prims. */
void split_case_random(test_random *random, sli_ref *refs, uint32_t count);

/* The prims are those, in that order. */
void split_case_expect(const sli_ref *to, const uint32_t *prims, size_t count);

sli_box split_case_centres(const sli_ref *refs, size_t count);

/* The set that a splitter is told of. */
sli_ref_set split_case_set(const sli_ref *refs, size_t count, size_t side_max);

/* NULL, or which promise of split.h is broken: to holds exactly the references of from, both sides
 * have between 1 and side_max of them, bounds are exact; if ordered, order is kept on both sides
 * and centres are exact, too.  prims must all differ. */
const char *split_case_fault(const sli_ref *from, const sli_ref *to, size_t count, size_t side_max,
                             const sli_split *split, bool ordered);

/* Splits count references, and fails where a promise is broken; 0: they are not split. */
typedef bool split_case_splitter(const sli_ref *from, sli_ref *to, const sli_ref_set *set,
                                 sli_split *out);
size_t split_case_try(split_case_splitter *splitter, const sli_ref *from, sli_ref *to, size_t count,
                      size_t side_max, bool ordered);

/* This does the same with terrible meshes of that many triangles. */
void split_case_terrible(split_case_splitter *splitter, size_t count, size_t side_max,
                         bool ordered);

/* What a cut costs, from the definition: for each side, half its surface times its leaf blocks. */
double split_case_cost(const sli_ref *to, size_t count, size_t left_count);

/* Whether a cost is the best one, as far as floats tell. */
bool split_case_cost_is(double cost, double best);

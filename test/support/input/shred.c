#include "test/support/input/shred.h"

#include "bvh/builder/topdown.h"
#include "bvh/builder/wide/widen.h"
#include "lib/base/memory.h"
#include "test/support/input/random.h"

#include <stdlib.h>

enum { TIMES = 3, TRIES = 16 };

static size_t room_for(size_t count)
{
    return TIMES * count;
}

/* Between the faces of the box, or the coordinate of a corner of some triangle. */
static float choose_plane(const sli_triangles *mesh, const sli_refs *refs, const sli_ref *ref,
                          int axis, test_random *random)
{
    if (test_random_below(random, 2) == 0) {
        const sli_ref *other = &refs->side[0][test_random_below(random, (uint32_t)refs->count)];
        return sli_triangle_corner(mesh, other->prim, (int)test_random_below(random, 3))[axis];
    }
    const double low = ref->min[axis], high = ref->max[axis];
    return (float)(low + (high - low) * (double)test_random_unit(random));
}

/* Cuts one reference, if the plane lies in it. */
static void cut_one(const sli_triangles *mesh, sli_refs *refs, test_random *random)
{
    sli_ref *ref = &refs->side[0][test_random_below(random, (uint32_t)refs->count)];
    const int axis = (int)test_random_below(random, 3);
    const float plane = choose_plane(mesh, refs, ref, axis, random);
    if (!(ref->min[axis] <= plane && plane <= ref->max[axis])) {
        return;
    }
    sli_ref parts[2];
    bool there[2];
    sli_clip_reference(mesh, ref, axis, plane, parts, there);
    *ref = parts[there[0] ? 0 : 1];
    if (there[0] && there[1]) {
        refs->side[0][refs->count++] = parts[1];
    }
}

void shred_refs(const sl_mesh *mesh, uint64_t seed, sli_refs *out)
{
    const sl_allocator allocator = sli_allocator(NULL);
    const sli_phase phase = { .tasks = NULL };
    const sli_triangles triangles = { sl_mesh_soup(mesh).xyz, sl_mesh_soup(mesh).indices };
    test_random random = { seed };
    sli_refs refs;
    if (sli_refs_create(mesh, room_for, &allocator, &phase, &refs) != SL_OK) {
        abort();
    }
    for (size_t i = 0; i < TRIES * refs.capacity && refs.count < refs.capacity; i++) {
        cut_one(&triangles, &refs, &random);
    }
    refs.bounds = refs.centres = sli_box_empty();
    for (size_t i = 0; i < refs.count; i++) {
        const sli_box box = sli_ref_box(&refs.side[0][i]);
        sli_box_join(&refs.bounds, &box);
        sli_box_add(&refs.centres, sli_ref_centre(&refs.side[0][i]));
    }
    *out = refs;
}

static void measure(sl_bvh *bvh, const sl_mesh *mesh)
{
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    bvh->bounds = info.bounds;
    for (int axis = 0; axis < 3; axis++) {
        const float low = -info.bounds.min[axis], high = info.bounds.max[axis];
        bvh->reach = low > bvh->reach ? low : bvh->reach;
        bvh->reach = high > bvh->reach ? high : bvh->reach;
    }
    sli_tree_measure(bvh);
}

sl_bvh *shred_build(const sl_mesh *mesh, const uint32_t *masks, uint64_t seed)
{
    const sli_phase phase = { .tasks = NULL };
    sli_refs refs;
    shred_refs(mesh, seed, &refs);
    sli_node2 *nodes = NULL;
    size_t node_count = 0;
    sl_bvh *bvh = NULL;
    if (sli_topdown(&refs, NULL, SLI_PACK, &phase, &nodes, &node_count) != SL_OK) {
        abort();
    }
    const sli_binary binary = { .nodes = nodes,
                                .node_count = node_count,
                                .prims = refs.prims,
                                .ref_count = refs.count,
                                .splits = true };
    const sli_widen_def def = { .masks = masks,
                                .line_limit = SLI_MAX_LINES,
                                .byte_limit = SIZE_MAX };
    if (sli_widen_binary(&binary, mesh, &def, &refs.allocator, &phase, &bvh) != SL_OK) {
        abort();
    }
    sli_free_array(&refs.allocator, nodes, node_count, sizeof *nodes);
    sli_refs_destroy(&refs);
    measure(bvh, mesh);
    sli_own_world_fill(bvh);
    return bvh;
}

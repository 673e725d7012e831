/* Gathers the corners of all triangles, those that did not move from the tree, and builds. */
#include "bvh/builder/refit/anew.h"

#include "lib/base/error.h"
#include "lib/base/memory.h"

#include <math.h>

/* Whatever is not to be in the tree has a corner that is no number. */
typedef struct gathered {
    sl_triangle *triangles;
    uint32_t *masks;
    size_t count;
} gathered;

static void gather_moved(const sli_moved *moved, uint32_t prim, const uint32_t *masks,
                         gathered *out)
{
    uint32_t corners[3];
    sli_moved_corners(moved, prim, corners);
    for (int corner = 0; corner < 3; corner++) {
        float *to = out->triangles[prim].v[corner];
        if (corners[corner] < moved->vertex_count) {
            memcpy(to, sli_moved_vertex(moved, corners[corner]), 3 * sizeof *to);
        } else {
            memset(to, 0xFF, 3 * sizeof *to);
        }
    }
    if (masks != NULL) {
        out->masks[prim] = masks[prim];
    }
}

static void gather_kept(const sl_bvh *tree, gathered *out)
{
    for (uint32_t prim = 0; prim < tree->prim_count; prim++) {
        out->masks[prim] = UINT32_MAX;
        if (sli_tree_triangle(tree, prim, &out->triangles[prim])) {
            out->masks[prim] = sli_tree_mask(tree, prim);
        } else {
            memset(&out->triangles[prim], 0xFF, sizeof out->triangles[prim]);
        }
    }
}

static void anew_gather(const sl_bvh *tree, const sli_moved *moved, const uint32_t *masks,
                        gathered *out)
{
    gather_kept(tree, out);
    for (size_t i = 0; i < sli_moved_range_count(moved); i++) {
        const sl_prim_range range = sli_moved_range(moved, tree, i);
        for (uint32_t k = 0; k < range.count; k++) {
            gather_moved(moved, range.first + k, masks, out);
        }
    }
}

static sl_result anew_build(const sl_bvh *tree, const gathered *all, const sl_hooks *hooks,
                            sl_bvh **out, sl_error *error)
{
    sl_mesh_def mesh_def = { 0 };
    sl_build_def def = { 0 };
    sl_mesh *mesh = NULL;
    mesh_def.hooks.allocator = hooks->allocator;
    mesh_def.bad = SL_BAD_LEAVE_OUT;
    SLI_TRY(sl_mesh_from_arrays((const float *)all->triangles, 3 * all->count, NULL, all->count,
                                &mesh_def, &mesh, error));
    def.hooks = *hooks;
    def.quality = tree->info.quality;
    def.layout = tree->info.layout;
    def.masks = all->masks;
    sl_result result = sl_bvh_build(mesh, &def, out, error);
    sl_mesh_destroy(mesh);
    return result;
}

sl_result sli_build_anew(const sl_bvh *tree, const sli_moved *moved, const uint32_t *masks,
                         const sl_hooks *hooks, sl_bvh **out, sl_error *error)
{
    gathered all = { .count = tree->prim_count };
    sl_result result = SL_OUT_OF_MEMORY;
    all.triangles = sli_alloc_array(&hooks->allocator, all.count, sizeof *all.triangles);
    all.masks = sli_alloc_array(&hooks->allocator, all.count, sizeof *all.masks);
    if (all.triangles == NULL || all.masks == NULL) {
        result = sli_fail_memory(error);
    } else {
        anew_gather(tree, moved, masks, &all);
        result = anew_build(tree, &all, hooks, out, error);
    }
    sli_free_array(&hooks->allocator, all.triangles, all.count, sizeof *all.triangles);
    sli_free_array(&hooks->allocator, all.masks, all.count, sizeof *all.masks);
    return result;
}

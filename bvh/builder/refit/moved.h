/* refit/moved.h: the caller's arrays, for refits: where the corners of a triangle are now, and
 * whether they may be used. */
#pragma once

#include "bvh/builder/base/box.h"
#include "bvh/builder/base/phase.h"
#include "bvh/tree/tree.h"

#include <sightline/refit.h>

typedef struct sli_moved {
    const unsigned char *xyz;
    const unsigned char *indices; /* NULL: 0, 1, 2, ... */
    size_t vertex_count, vertex_stride, index_stride;
    bool is_u16;
    const sl_prim_range *dirty; /* NULL: all triangles */
    size_t dirty_count;
} sli_moved;

/* The numbers of a triangle's vertices; SL_NONE where they are beyond any. */
static inline void sli_moved_corners(const sli_moved *moved, uint32_t prim, uint32_t corners[3])
{
    if (moved->indices == NULL) {
        for (uint32_t corner = 0; corner < 3; corner++) {
            const uint64_t vertex = 3 * (uint64_t)prim + corner;
            corners[corner] = vertex < SL_NONE ? (uint32_t)vertex : SL_NONE;
        }
        return;
    }
    const unsigned char *at = moved->indices + prim * moved->index_stride;
    if (moved->is_u16) {
        uint16_t narrow[3];
        memcpy(narrow, at, sizeof narrow);
        for (int corner = 0; corner < 3; corner++) {
            corners[corner] = narrow[corner];
        }
    } else {
        memcpy(corners, at, 3 * sizeof *corners);
    }
}

static inline const unsigned char *sli_moved_vertex(const sli_moved *moved, uint32_t vertex)
{
    return moved->xyz + vertex * moved->vertex_stride;
}

/* The ranges of triangles that may have moved: those given, or all of the tree's in one. */
static inline size_t sli_moved_range_count(const sli_moved *moved)
{
    return moved->dirty != NULL ? moved->dirty_count : 1;
}

static inline sl_prim_range sli_moved_range(const sli_moved *moved, const sl_bvh *tree, size_t i)
{
    return moved->dirty != NULL ? moved->dirty[i] : (sl_prim_range){ 0, tree->prim_count };
}

/* What is wrong with the arrays. */
typedef enum sli_moved_state {
    SLI_MOVED_FINE,
    SLI_MOVED_OTHERS, /* other triangles than those of the tree are fit to be in one */
    SLI_MOVED_BAD,    /* the error is filled in */
} sli_moved_state;

/* Looks at every triangle that may have moved.  Where others than those of the tree are finite and
 * have vertices: an error that names the first one, or SLI_MOVED_OTHERS if bad says so. */
sli_moved_state sli_moved_check(const sli_moved *moved, const sl_bvh *tree, sl_bad_triangles bad,
                                const sli_phase *phase, sl_result *result);

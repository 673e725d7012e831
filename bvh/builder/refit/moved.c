/* Checks positions before anything is written: whole arrays at the speed of memory, and triangle by
 * triangle only where they are not plainly sound, or few triangles may have moved. */
#include "bvh/builder/refit/moved.h"

#include "lib/base/atomic.h"
#include "lib/base/error.h"

#include <math.h>

enum { CHUNK = 16384 };

typedef struct checking {
    const sli_moved *moved;
    const sl_bvh *tree;
    sl_prim_range range;
    size_t flaws; /* in whole arrays: not 0 if there is any */
    size_t first; /* the lowest triangle with a flaw */
} checking;

static const uint32_t infinity_bits = 0x7F800000;

/* Whether all floats of consecutive vertices are finite. */
static bool are_finite(const sli_moved *moved, size_t begin, size_t end)
{
    uint32_t bad = 0;
    if (moved->vertex_stride == 3 * sizeof(float)) {
        const unsigned char *at = moved->xyz + begin * moved->vertex_stride;
        for (size_t i = 0; i < 3 * (end - begin); i++) {
            uint32_t bits;
            memcpy(&bits, at + i * sizeof bits, sizeof bits);
            bad |= (bits & infinity_bits) == infinity_bits;
        }
        return bad == 0;
    }
    for (size_t i = begin; i < end; i++) {
        uint32_t bits[3];
        memcpy(bits, moved->xyz + i * moved->vertex_stride, sizeof bits);
        for (int axis = 0; axis < 3; axis++) {
            bad |= (bits[axis] & infinity_bits) == infinity_bits;
        }
    }
    return bad == 0;
}

static void check_vertices(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    checking *all = context;
    if (!are_finite(all->moved, begin, end)) {
        sli_atomic_fetch_add_size(&all->flaws, 1);
    }
}

/* Whether all indices of consecutive triangles are those of vertices. */
static bool are_in_range(const sli_moved *moved, size_t begin, size_t end)
{
    uint32_t most = 0;
    if (moved->indices != NULL && !moved->is_u16 && moved->index_stride == 3 * sizeof most) {
        const unsigned char *at = moved->indices + begin * moved->index_stride;
        for (size_t i = 0; i < 3 * (end - begin); i++) {
            uint32_t index;
            memcpy(&index, at + i * sizeof index, sizeof index);
            most = index > most ? index : most;
        }
        return most < moved->vertex_count;
    }
    for (size_t prim = begin; prim < end; prim++) {
        uint32_t corners[3];
        sli_moved_corners(moved, (uint32_t)prim, corners);
        for (int corner = 0; corner < 3; corner++) {
            most = corners[corner] > most ? corners[corner] : most;
        }
    }
    return most < moved->vertex_count;
}

static void check_indices(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    checking *all = context;
    if (!are_in_range(all->moved, begin, end)) {
        sli_atomic_fetch_add_size(&all->flaws, 1);
    }
}

/* What is wrong with one triangle of the caller's. */
typedef struct flaw {
    sl_result code; /* SL_OK: nothing */
    int corner, axis;
} flaw;

static flaw find_flaw(const sli_moved *moved, const uint32_t corners[3])
{
    for (int corner = 0; corner < 3; corner++) {
        if (corners[corner] >= moved->vertex_count) {
            return (flaw){ .code = SL_BAD_INDEX, .corner = corner };
        }
    }
    for (int corner = 0; corner < 3; corner++) {
        uint32_t bits[3];
        memcpy(bits, sli_moved_vertex(moved, corners[corner]), sizeof bits);
        for (int axis = 0; axis < 3; axis++) {
            if ((bits[axis] & infinity_bits) == infinity_bits) {
                return (flaw){ .code = SL_NOT_FINITE, .corner = corner, .axis = axis };
            }
        }
    }
    return (flaw){ .code = SL_OK };
}

static void note_lowest(size_t *at, size_t prim)
{
    size_t was = sli_atomic_load_size(at);
    while (prim < was && !sli_atomic_swap_size(at, &was, prim)) {
    }
}

/* Stops at the first triangle that belongs into the tree and is not there, or the reverse. */
static void check_triangles(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    checking *all = context;
    for (size_t i = begin; i < end; i++) {
        const uint32_t prim = all->range.first + (uint32_t)i;
        uint32_t corners[3];
        sli_moved_corners(all->moved, prim, corners);
        const bool sound = find_flaw(all->moved, corners).code == SL_OK;
        if (sound != (all->tree->slots[prim] != SL_NONE)) {
            note_lowest(&all->first, prim);
            return;
        }
    }
}

static sl_result fail_triangle(const checking *all, const sli_phase *phase)
{
    const uint32_t prim = (uint32_t)all->first;
    uint32_t corners[3];
    sli_moved_corners(all->moved, prim, corners);
    const flaw found = find_flaw(all->moved, corners);
    if (found.code == SL_OK) {
        return sli_fail_plain(
            phase->error, SL_INVALID_ARGUMENT,
            "triangle %lu was left out of the tree and is finite now; build anew, "
            "or let sl_refit_def.bad be SL_BAD_LEAVE_OUT",
            (unsigned long)prim);
    }
    const unsigned long vertex = corners[found.corner];
    if (found.code == SL_NOT_FINITE) {
        return sli_fail_plain(phase->error, SL_NOT_FINITE,
                              "triangle %lu, corner %d: %c of vertex %lu is not finite",
                              (unsigned long)prim, found.corner, "xyz"[found.axis], vertex);
    }
    return sli_fail_plain(phase->error, SL_BAD_INDEX,
                          "triangle %lu, corner %d: vertex %lu, but there are %zu",
                          (unsigned long)prim, found.corner, vertex, all->moved->vertex_count);
}

/* All vertices are finite, those that no triangle uses too, and every triangle is in the tree. */
static bool is_plainly_sound(checking *all, const sli_phase *phase)
{
    const sl_bvh *tree = all->tree;
    if (all->moved->dirty != NULL || tree->triangle_count != tree->prim_count) {
        return false;
    }
    sli_phase_blocks(phase, tree->prim_count, CHUNK, check_indices, all);
    sli_phase_blocks(phase, all->moved->vertex_count, CHUNK, check_vertices, all);
    return all->flaws == 0;
}

sli_moved_state sli_moved_check(const sli_moved *moved, const sl_bvh *tree, sl_bad_triangles bad,
                                const sli_phase *phase, sl_result *result)
{
    checking all = { .moved = moved, .tree = tree, .first = SIZE_MAX };
    if (is_plainly_sound(&all, phase)) {
        return SLI_MOVED_FINE;
    }
    for (size_t i = 0; i < sli_moved_range_count(moved); i++) {
        all.range = sli_moved_range(moved, tree, i);
        if (all.range.count < CHUNK) { /* there is no float in it */
            check_triangles(&all, 0, all.range.count, 0);
        } else {
            sli_phase_blocks(phase, all.range.count, CHUNK, check_triangles, &all);
        }
    }
    if (all.first == SIZE_MAX) {
        return SLI_MOVED_FINE;
    }
    if (bad == SL_BAD_LEAVE_OUT) {
        return SLI_MOVED_OTHERS;
    }
    *result = fail_triangle(&all, phase);
    return SLI_MOVED_BAD;
}

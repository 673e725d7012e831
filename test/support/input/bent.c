#include "test/support/input/bent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bent bent_make(const sl_mesh *mesh)
{
    bent all = { .vertex_count = sl_mesh_soup(mesh).vertex_count,
                 .triangle_count = sl_mesh_soup(mesh).triangle_count };
    const size_t floats = 3 * all.vertex_count * sizeof *all.xyz;
    const size_t corners = 3 * all.triangle_count * sizeof *all.indices;
    all.xyz = malloc(floats + 1);
    all.indices = malloc(corners + 1);
    if (all.xyz == NULL || all.indices == NULL) {
        abort();
    }
    memcpy(all.xyz, sl_mesh_soup(mesh).xyz, floats);
    memcpy(all.indices, sl_mesh_soup(mesh).indices, corners);
    return all;
}

void bent_free(bent *all)
{
    free(all->xyz);
    free(all->indices);
}

typedef struct movement {
    int kind, axis;
    float shift[3], amount;
} movement;

static void move_vertex(float at[3], const movement *how, test_random *random)
{
    for (int axis = 0; axis < 3; axis++) {
        switch (how->kind) {
        case 0:
            at[axis] += test_random_in(random, -how->amount, how->amount);
            break;
        case 1:
            at[axis] += how->shift[axis];
            break;
        case 2:
            at[axis] = axis == how->axis ? -0.0f : at[axis];
            break;
        case 3:
            at[axis] = how->shift[axis];
            break;
        default:
            at[axis] *= how->amount * 8;
        }
        if (!(fabsf(at[axis]) < 1e18f)) {
            at[axis] = 1;
        }
    }
}

void bent_move(bent *all, sl_prim_range range, test_random *random)
{
    movement how = { .kind = (int)test_random_below(random, 5),
                     .axis = (int)test_random_below(random, 3),
                     .amount = test_random_in(random, 0, 0.25f) };
    for (int axis = 0; axis < 3; axis++) {
        how.shift[axis] = test_random_in(random, -1, 1);
    }
    if (range.count == all->triangle_count && how.kind > 1) {
        how.kind = 0; /* or little would be left of the mesh */
    }
    unsigned char *moved = calloc(all->vertex_count, 1);
    if (moved == NULL) {
        abort();
    }
    for (size_t i = 3 * (size_t)range.first; i < 3 * ((size_t)range.first + range.count); i++) {
        const uint32_t vertex = all->indices[i];
        if (vertex < all->vertex_count && !moved[vertex]) {
            moved[vertex] = 1;
            move_vertex(all->xyz + 3 * (size_t)vertex, &how, random);
        }
    }
    free(moved);
}

static void add_range(sl_prim_range *out, size_t *count, size_t capacity, uint32_t prim)
{
    sl_prim_range *last = *count > 0 ? &out[*count - 1] : NULL;
    if (last != NULL && (last->first + last->count == prim || *count == capacity)) {
        last->count = prim + 1 - last->first;
    } else {
        out[(*count)++] = (sl_prim_range){ prim, 1 };
    }
}

size_t bent_touched(const bent *all, sl_prim_range range, sl_prim_range *out, size_t capacity)
{
    size_t count = 0;
    unsigned char *used = calloc(all->vertex_count, 1);
    if (used == NULL) {
        abort();
    }
    for (size_t i = 3 * (size_t)range.first; i < 3 * ((size_t)range.first + range.count); i++) {
        if (all->indices[i] < all->vertex_count) {
            used[all->indices[i]] = 1;
        }
    }
    for (uint32_t prim = 0; prim < all->triangle_count; prim++) {
        bool any = false;
        for (size_t corner = 0; corner < 3; corner++) {
            const uint32_t vertex = all->indices[3 * (size_t)prim + corner];
            any |= vertex < all->vertex_count && used[vertex];
        }
        if (any) {
            add_range(out, &count, capacity, prim);
        }
    }
    free(used);
    return count;
}

sl_mesh *bent_mesh(const bent *all)
{
    sl_mesh_def def = { 0 };
    sl_mesh *mesh = NULL;
    def.bad = SL_BAD_LEAVE_OUT;
    if (sl_mesh_from_arrays(all->xyz, all->vertex_count, all->indices, all->triangle_count, &def,
                            &mesh, NULL) != SL_OK) {
        abort();
    }
    return mesh;
}

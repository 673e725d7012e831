/* ask/block.c: memory for elements and answers, by the sizes of their types. */
#include "tools/ask/block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const sl_hit no_hit = { .t = INFINITY, .prim = SL_NONE, .instance = SL_NONE };
static const sl_hit_d no_hit_d = { .t = INFINITY, .prim = SL_NONE, .instance = SL_NONE };
static const sl_nearest no_nearest = { .distance = INFINITY, .prim = SL_NONE };
static const sl_contact no_contact = { .t = 1, .t_safe = 1, .prim = SL_NONE };
static const sl_nearest_d no_nearest_d = { .distance = INFINITY, .prim = SL_NONE };

static const struct {
    size_t size;
    npy_out_type npy;
    const void *none; /* a row of a miss; NULL: there are none */
} types[] = {
    [ASK_HITS] = { sizeof(sl_hit), NPY_OUT_HITS, &no_hit },
    [ASK_HITS_D] = { sizeof(sl_hit_d), NPY_OUT_HITS_D, &no_hit_d },
    [ASK_NEAREST] = { sizeof(sl_nearest), NPY_OUT_NEAREST, &no_nearest },
    [ASK_NEAREST_D] = { sizeof(sl_nearest_d), NPY_OUT_NEAREST_D, &no_nearest_d },
    [ASK_INSIDES] = { sizeof(sl_inside), NPY_OUT_INSIDE, NULL },
    [ASK_INSTANCES] = { sizeof(uint32_t), NPY_OUT_U4, NULL },
    [ASK_REFS] = { sizeof(sl_triangle_ref), NPY_OUT_REFS, NULL },
    [ASK_CONTACTS] = { sizeof(sl_contact), NPY_OUT_CONTACTS, &no_contact },
};

/* In floats, in doubles. */
static const size_t element_sizes[][2] = {
    [ASK_RAYS] = { sizeof(sl_ray), sizeof(sl_ray_d) },
    [ASK_SEGMENTS] = { sizeof(sl_segment), sizeof(sl_segment_d) },
    [ASK_NEAR] = { 3 * sizeof(float), 3 * sizeof(double) },
    [ASK_INSIDE] = { 3 * sizeof(float), 3 * sizeof(double) },
    [ASK_VOLUMES] = { sizeof(sl_volume), sizeof(sl_volume) },
    [ASK_SWEEPS] = { sizeof(sl_sweep), sizeof(sl_sweep) },
};

size_t ask_row_size(ask_row_type type)
{
    return types[type].size;
}

npy_out_type ask_row_npy(ask_row_type type)
{
    return types[type].npy;
}

void *ask_block_element(const ask_block *block, size_t i)
{
    return (char *)block->elements + i * element_sizes[block->kind][block->doubles];
}

void *ask_block_row(const ask_block *block, size_t k)
{
    return (char *)block->rows + k * types[block->type].size;
}

bool ask_block_make(ask_block *block, const ask_block *def, bool has_limits)
{
    *block = *def;
    const size_t capacity = block->capacity, keep = block->keep > 0 ? block->keep : 1;
    block->elements = calloc(capacity, element_sizes[block->kind][block->doubles]);
    block->limits = has_limits ? calloc(capacity, sizeof *block->limits) : NULL;
    block->rows = calloc(capacity, keep * types[block->type].size);
    block->totals = calloc(capacity, sizeof *block->totals);
    block->yes = calloc(capacity, sizeof *block->yes);
    return block->elements != NULL && (block->limits != NULL || !has_limits) &&
           block->rows != NULL && block->totals != NULL && block->yes != NULL;
}

void ask_block_free(ask_block *block)
{
    free(block->elements);
    free(block->limits);
    free(block->rows);
    free(block->totals);
    free(block->yes);
    *block = (ask_block){ .count = 0 };
}

bool ask_block_grow(ask_block *block, size_t keep)
{
    free(block->rows);
    block->rows = calloc(block->capacity, keep * types[block->type].size);
    block->keep = block->rows != NULL ? keep : 0;
    return block->rows != NULL;
}

void ask_block_clear(ask_block *block, size_t first, size_t count)
{
    for (size_t k = first; k < first + count && types[block->type].none != NULL; k++) {
        memcpy(ask_block_row(block, k), types[block->type].none, types[block->type].size);
    }
}

static ask_row make_row(double t, float u, float v, uint32_t prim, uint32_t instance,
                        uint32_t flags)
{
    return (ask_row){ .t = t, .u = u, .v = v, .prim = prim, .instance = instance, .flags = flags };
}

ask_row ask_block_read(const ask_block *block, size_t k)
{
    const void *at = ask_block_row(block, k);
    const sl_hit *hit = at;
    const sl_hit_d *hit_d = at;
    const sl_nearest *near = at;
    const sl_nearest_d *near_d = at;
    const sl_triangle_ref *ref = at;
    const sl_contact *contact = at;
    ask_row row = { .prim = SL_NONE };
    switch (block->type) {
    case ASK_HITS:
        return make_row((double)hit->t, hit->u, hit->v, hit->prim, hit->instance, hit->flags);
    case ASK_HITS_D:
        return make_row(hit_d->t, hit_d->u, hit_d->v, hit_d->prim, hit_d->instance, hit_d->flags);
    case ASK_NEAREST:
        row = make_row((double)near->distance, near->u, near->v, near->prim, near->instance,
                       near->flags);
        row.has_point = true;
        for (int axis = 0; axis < 3; axis++) {
            row.point[axis] = (double)near->point[axis];
        }
        break;
    case ASK_NEAREST_D:
        row = make_row((double)near_d->distance, near_d->u, near_d->v, near_d->prim,
                       near_d->instance, near_d->flags);
        row.has_point = row.wide = true;
        memcpy(row.point, near_d->point, sizeof row.point);
        break;
    case ASK_INSIDES:
        row.inside = *(const sl_inside *)at;
        break;
    case ASK_INSTANCES:
        row.instance = *(const uint32_t *)at;
        break;
    case ASK_REFS:
        row.prim = ref->prim;
        row.instance = ref->instance;
        break;
    case ASK_CONTACTS:
        row = make_row(contact->t, 0, 0, contact->prim, contact->instance, contact->flags);
        row.t_safe = contact->t_safe;
        row.start = contact->start;
        row.has_point = row.wide = true;
        memcpy(row.point, contact->point, sizeof row.point);
        memcpy(row.normal, contact->normal, sizeof row.normal);
        break;
    }
    return row;
}

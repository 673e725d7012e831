/* ask/verify_queries.c: the queries that each kind of element is verified with, and its answers
 * in words. */
#include "tools/ask/verify.h"

#include <inttypes.h>
#include <string.h>

static const verify_query ray_queries[] = {
    { .words = "closest", .mode = ASK_CLOSEST },
    { .words = "any", .mode = ASK_ANY },
    { .words = "count", .mode = ASK_COUNT },
    { .words = "all", .mode = ASK_ALL },
    { .words = "all with a capacity of 2", .mode = ASK_ALL, .keep = VERIFY_KEEP_TWO },
    { .words = "next", .mode = ASK_NEXT },
    { .words = "closest_many", .mode = ASK_CLOSEST, .is_array = true, .counts = true },
    { .words = "any_many", .mode = ASK_ANY, .is_array = true },
    { .words = "count_many", .mode = ASK_COUNT, .is_array = true },
    { .words = "all_many", .mode = ASK_ALL, .is_array = true },
    { .words = "next_many", .mode = ASK_NEXT, .is_array = true },
    { .words = NULL },
};
static const verify_column ray_columns[] = {
    { { "kind", 10 }, VERIFY_KIND },
    { { "rays", 12 }, VERIFY_ELEMENTS },
    { { "pairs", 15 }, VERIFY_PAIRS },
    { { "hits", 12 }, VERIFY_FOUND },
    { { "hit_share", 10 }, VERIFY_SHARE },
    { { "float_stage", 14 }, VERIFY_FLOAT },
    { { "double_stage", 13 }, VERIFY_DOUBLE },
    { { "exact_stage", 12 }, VERIFY_EXACT },
    { { "differences", 11 }, VERIFY_DIFFERENCES },
    { .is.name = NULL },
};
const verify_family verify_rays = {
    .queries = ray_queries, .columns = ray_columns, .keep = 16, .least = 64, .most = 4096
};

static const verify_query near_queries[] = {
    { .words = "nearest", .mode = ASK_CLOSEST },
    { .words = "nearest_k", .mode = ASK_FEW },
    { .words = "within", .mode = ASK_ALL, .within = true },
    { .words = "within with a capacity of 2",
      .mode = ASK_ALL,
      .keep = VERIFY_KEEP_TWO,
      .within = true },
    { .words = "within with no capacity", .mode = ASK_COUNT, .within = true },
    { .words = "nearest_many", .mode = ASK_CLOSEST, .is_array = true },
    { .words = "nearest_k_many", .mode = ASK_FEW, .is_array = true },
    { .words = "within_many", .mode = ASK_ALL, .is_array = true, .within = true },
    { .words = NULL },
};
static const verify_column near_columns[] = {
    { { "kind", 10 }, VERIFY_KIND },
    { { "points", 12 }, VERIFY_ELEMENTS },
    { { "pairs", 15 }, VERIFY_PAIRS },
    { { "near", 12 }, VERIFY_FOUND },
    { { "found", 15 }, VERIFY_ROWS },
    { { "differences", 11 }, VERIFY_DIFFERENCES },
    { .is.name = NULL },
};
const verify_family verify_near = {
    .queries = near_queries, .columns = near_columns, .least = 1, .most = 1024, .times = true
};

static const verify_query inside_queries[] = {
    { .words = "inside", .mode = ASK_CLOSEST },
    { .words = "inside_many", .mode = ASK_CLOSEST, .is_array = true },
    { .words = NULL },
};
static const verify_column inside_columns[] = {
    { { "kind", 10 }, VERIFY_KIND },
    { { "points", 12 }, VERIFY_ELEMENTS },
    { { "pairs", 15 }, VERIFY_PAIRS },
    { { "inside", 12 }, VERIFY_FOUND },
    { { "differ", 12 }, VERIFY_DIFFER },
    { { "on_surface", 12 }, VERIFY_ON_SURFACE },
    { { "differences", 11 }, VERIFY_DIFFERENCES },
    { .is.name = NULL },
};
const verify_family verify_inside = {
    .queries = inside_queries, .columns = inside_columns, .keep = 1, .least = 1, .most = 1024
};

static const verify_query volume_queries[] = {
    { .words = "overlap", .mode = ASK_ALL },
    { .words = "overlaps", .mode = ASK_ANY },
    { .words = "overlap with no capacity", .mode = ASK_COUNT },
    { .words = "overlap with capacity for half of them",
      .mode = ASK_ALL,
      .keep = VERIFY_KEEP_HALF },
    { .words = "overlaps_many", .mode = ASK_ANY, .is_array = true },
    { .words = "overlap_many", .mode = ASK_ALL, .is_array = true },
    { .words = NULL },
};
static const verify_column volume_columns[] = {
    { { "kind", 10 }, VERIFY_KIND },
    { { "volumes", 12 }, VERIFY_ELEMENTS },
    { { "pairs", 15 }, VERIFY_PAIRS },
    { { "touching", 12 }, VERIFY_FOUND },
    { { "touched", 12 }, VERIFY_ROWS },
    { { "differences", 11 }, VERIFY_DIFFERENCES },
    { .is.name = NULL },
};
const verify_family verify_volumes = { .queries = volume_queries,
                                       .columns = volume_columns,
                                       .keep = 16,
                                       .least = 8,
                                       .most = 256,
                                       .keeps_all = true,
                                       .times = true };

/* ---- Words ---- */

static ask_row row_of(const verifier *v, const verify_answer *answer, size_t k)
{
    const ask_block rows = { .type = v->block.type, .rows = (void *)(size_t)answer->rows };
    return ask_block_read(&rows, k);
}

/* Of rays: a query for one hit does not say how many there are. */
static int describe_count(const verifier *v, const verify_query *q, const verify_answer *a,
                          char *to, size_t size)
{
    const bool rays = v->block.kind == ASK_RAYS || v->block.kind == ASK_SEGMENTS;
    const bool one = q->mode == ASK_CLOSEST || (q->mode == ASK_NEXT && q->is_array);
    if (rays && q->mode == ASK_ANY) {
        return snprintf(to, size, "%s", a->total > 0 ? "yes" : "no");
    }
    if (rays && one) {
        return snprintf(to, size, "%s", a->kept == 0 ? "no hit" : "");
    }
    return snprintf(to, size, "%" PRIu64 " %s", a->total, rays ? "hits" : "triangles");
}

static void describe_row(const verifier *v, const ask_row *row, size_t k, bool begun, char *to,
                         size_t size)
{
    if (v->block.kind == ASK_NEAR) {
        snprintf(to, size, ", number %zu: distance %.9g prim %" PRIu32, k, row->t, row->prim);
        return;
    }
    char instance[32] = "";
    if (row->instance != 0) {
        snprintf(instance, sizeof instance, " instance %" PRIu32, row->instance);
    }
    snprintf(to, size, "%shit %zu: t %.*g u %.9g v %.9g prim %" PRIu32 " flags %" PRIu32 "%s",
             begun ? ", " : "", k, (double)(float)row->t == row->t ? 9 : 17, row->t, (double)row->u,
             (double)row->v, row->prim, row->flags, instance);
}

static void describe_inside(const sl_inside *inside, char *to, size_t size)
{
    snprintf(to, size,
             "inside %d, by parity %d, by winding %d, winding %.17g, crossings %" PRIu64
             ", on the surface %d",
             inside->inside, inside->by_parity, inside->by_winding, inside->winding,
             inside->crossings, inside->on_surface);
}

void verify_describe(const verifier *v, const verify_query *q, const verify_answer *a,
                     const verify_answer *other, bool truth, char *to, size_t size)
{
    if (v->block.kind == ASK_INSIDE) {
        describe_inside(a->rows, to, size);
        return;
    }
    const size_t k = verify_first_difference(v, a, other);
    const int used = describe_count(v, q, a, to, size);
    if (used < 0 || (size_t)used >= size) {
        return;
    }
    const uint32_t prim = k < a->kept ? row_of(v, a, k).prim : SL_NONE;
    if (v->block.kind == ASK_VOLUMES) {
        const uint32_t others = k < other->kept ? row_of(v, other, k).prim : SL_NONE;
        const uint32_t first = prim < others ? prim : others;
        if (truth && first != SL_NONE) {
            snprintf(to + used, size - (size_t)used, "; they differ on %" PRIu32, first);
        }
    } else if (k < a->kept) {
        const ask_row row = row_of(v, a, k);
        describe_row(v, &row, k, used > 0, to + used, size - (size_t)used);
    }
}

void verify_describe_element(const verifier *v, size_t i, char *to, size_t size)
{
    const ask_block *block = &v->block;
    const void *at = ask_block_element(block, i);
    const int digits = block->doubles ? 17 : 9;
    const int order[] = { 0, 1, 2, 4, 5, 6, 3, 7 }; /* the limits of a ray come last */
    const int count = block->kind == ASK_RAYS ? 8 : block->kind == ASK_SEGMENTS ? 6 : 3;
    size_t used = 0;
    if (block->kind == ASK_VOLUMES) {
        volume_spec_text(at, to, size);
        return;
    }
    for (int k = 0; k < count && used < size; k++) {
        const int n = count == 8 ? order[k] : k;
        const double number =
            block->doubles ? ((const double *)at)[n] : (double)((const float *)at)[n];
        used +=
            (size_t)snprintf(to + used, size - used, "%s%.*g", k > 0 ? " " : "", digits, number);
    }
    if (block->kind == ASK_NEAR && used < size) {
        snprintf(to + used, size - used, ", limit %.9g",
                 (double)(block->limits != NULL ? block->limits[i] : v->world->limit));
    }
}

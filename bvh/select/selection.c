/* Selections: made, reset to another scene or view, and taken from region to region. */
#include "bvh/select/elements.h"
#include "bvh/select/modes.h"
#include "bvh/select/visibility_batch.h"

#include "bvh/kernel/instance/intersect.h"
#include "bvh/pick/visibility.h"
#include "bvh/query/query.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/thread/task.h"

/* ---- Memory ---- */

/* Takes count numbers of size bytes of the block, which may be NULL: then only at moves. */
static void *block_take(char *block, uint64_t *at, uint64_t count, size_t size)
{
    const uint64_t begin = *at;
    *at = begin + (count * size + 63) / 64 * 64;
    return block != NULL ? block + begin : NULL;
}

/* Whether incidences are counted, not selected themselves. */
static bool has_counts(const sl_selection *s)
{
    return s->unit != SL_SELECT_INSTANCES &&
           (s->mode == SL_SELECT_VISIBLE || s->topologies != NULL || s->unit == SL_SELECT_PARTS);
}

static bool has_pixels(const sl_selection *s)
{
    return s->mode == SL_SELECT_VISIBLE && s->unit < SL_SELECT_EDGES;
}

static bool has_visibility(const sl_selection *s)
{
    return s->mode == SL_SELECT_VISIBLE && s->unit >= SL_SELECT_EDGES;
}

/* Words of all elements, and of all incidences where they are others. */
typedef struct extent {
    uint64_t words, incidence_words;
    size_t instances;
} extent;

static extent extent_measure(const sl_selection *s, const sl_bvh *bvh)
{
    extent e = { .instances = bvh->world.count };
    for (uint32_t i = 0; i < bvh->world.count; i++) {
        e.words += (sli_element_count(s, bvh, i) + 63) / 64;
        e.incidence_words += (sli_incidence_count(s, bvh, i) + 63) / 64;
    }
    return e;
}

static void block_take_picture(sl_selection *s, const sl_view *view, char *block, uint64_t *at)
{
    sli_picture *p = &s->picture;
    p->width = view->camera.width;
    p->height = view->camera.height;
    p->row_words = (p->width + 63) / 64;
    const uint64_t words = (uint64_t)p->row_words * p->height;
    p->counted = block_take(block, at, words, sizeof *p->counted);
    p->wanted = block_take(block, at, words, sizeof *p->wanted);
    p->known = block_take(block, at, words, sizeof *p->known);
    p->on_side = block_take(block, at, p->row_words, sizeof *p->on_side);
    p->shown = block_take(block, at, (uint64_t)p->width * p->height, sizeof *p->shown);
    p->batches = block_take(block, at, SLI_PIXEL_BATCHES, sizeof *p->batches);
}

/* Bits of incidences, and what else is to be zeros. */
static void block_take_seen(sl_selection *s, const extent *e, char *block, uint64_t *at)
{
    sli_seen *b = &s->seen;
    uint64_t **bits[] = { &b->whole,    &b->counted, &b->known[0],
                          &b->known[1], &b->seen[0], &b->seen[1] };
    const bool has = has_visibility(s);
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        *bits[i] = has ? block_take(block, at, e->incidence_words, sizeof ***bits) : NULL;
    }
    b->first = has && s->topologies != NULL ? block_take(block, at, e->words * 64, sizeof *b->first)
                                            : NULL;
}

/* Deals the block out, what is to be zeros first: returns the bytes of these, and of all. */
static uint64_t block_deal(sl_selection *s, const extent *e, const sl_view *view, char *block,
                           uint64_t *zeros)
{
    uint64_t at = 0;
    const bool counted = has_counts(s), incidences = counted && !has_pixels(s);
    s->selected = block_take(block, &at, e->instances, sizeof *s->selected);
    /* One more, since incidences of no elements at all are told from elements by where their words
     * are. */
    s->words = block_take(block, &at, e->words + 1, sizeof *s->words);
    s->incidence_words =
        incidences ? block_take(block, &at, e->incidence_words, sizeof *s->words) : s->words;
    s->counts =
        counted || has_pixels(s) ? block_take(block, &at, e->words * 64, sizeof *s->counts) : NULL;
    s->totals = incidences && s->mode == SL_SELECT_INSIDE
                    ? block_take(block, &at, e->words * 64, sizeof *s->totals)
                    : NULL;
    block_take_seen(s, e, block, &at);
    if (has_pixels(s)) {
        block_take_picture(s, view, block, &at);
    }
    /* shown need not be zeros, since it is read of pixels that were traced. */
    *zeros = has_pixels(s) && block != NULL ? (uint64_t)((char *)s->picture.shown - block) : at;
    s->seen.batches = has_visibility(s)
                          ? block_take(block, &at, SLI_VISIBILITY_BATCHES, sizeof *s->seen.batches)
                          : NULL;
    s->offset = block_take(block, &at, e->instances + 1, sizeof *s->offset);
    s->incidence_offset =
        incidences ? block_take(block, &at, e->instances + 1, sizeof *s->offset) : s->offset;
    s->bit_count = block_take(block, &at, e->instances, sizeof *s->bit_count);
    return at;
}

/* ---- Beginning ---- */

static void selection_number(sl_selection *s)
{
    uint64_t words = 0, incidences = 0;
    for (uint32_t i = 0; i < s->instance_count; i++) {
        s->bit_count[i] = sli_element_count(s, s->bvh, i);
        s->incidence_offset[i] = incidences;
        s->offset[i] = words;
        words += (s->bit_count[i] + 63) / 64;
        incidences += (sli_incidence_count(s, s->bvh, i) + 63) / 64;
    }
    s->incidence_offset[s->instance_count] = incidences;
    s->offset[s->instance_count] = words;
}

/* INSIDE: how many incidences of each element there are. */
static void selection_count_totals(sl_selection *s)
{
    for (uint32_t instance = 0; instance < s->instance_count; instance++) {
        const sli_transformed *transformed = &s->bvh->world.transformed[instance];
        const sl_bvh *tree = transformed->tree;
        if (!sli_has_instance(s, instance)) {
            continue;
        }
        for (uint32_t prim = 0; prim < tree->prim_count; prim++) {
            sl_triangle triangle;
            double v[3][3];
            if (!sli_tree_triangle(tree, prim, &triangle) ||
                !sli_item_has(&s->ray.item, (sl_triangle_ref){ instance, prim },
                              sli_tree_mask(tree, prim))) {
                continue;
            }
            sli_world_corners(transformed, triangle.v, v);
            if (sli_triangle_is_culled(&s->screen.eye, &s->ray, transformed,
                                       (const double(*)[3])v)) {
                continue;
            }
            for (uint32_t k = 0; k < sli_incidences_per_prim(s); k++) {
                const uint32_t element = sli_element_of(s, instance, prim, k);
                if (element < s->bit_count[instance]) {
                    s->totals[s->offset[instance] * 64 + element]++;
                }
            }
        }
    }
}

static void selection_begin(sl_selection *s, uint64_t zeros)
{
    memset(s->block, 0, (size_t)zeros);
    selection_number(s);
    s->regions[0].none = s->regions[1].none = true;
    s->info = (sl_selection_info){ .word_count = s->offset[s->instance_count] };
    if (s->totals != NULL) {
        selection_count_totals(s);
    }
}

/* With the fields of the new scene and view in s, which is the caller's copy. */
static SLI_NOINLINE sl_result selection_allocate(sl_selection *s, const sl_bvh *bvh,
                                                 const sl_view *view, sl_error *error)
{
    sl_selection next = *s;
    uint64_t zeros = 0;
    next.bvh = bvh;
    next.view = *view;
    next.instance_count = bvh->world.count;
    if (!sli_screen_open(view, &next.screen)) {
        return sli_refuse(error, "the view is not usable");
    }
    const extent e = extent_measure(&next, bvh);
    const uint64_t size = block_deal(&next, &e, view, NULL, &zeros);
    if (size > (uint64_t)1 << 46) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%llu bytes for %llu words of bits",
                              (unsigned long long)size, (unsigned long long)e.words);
    }
    if (size > s->block_size) {
        next.block_size = (size_t)size;
        next.block = sli_alloc_large(&s->allocator, next.block_size, 1);
        SLI_TRY(sli_had_memory(error, next.block != NULL));
        sli_free_array(&s->allocator, s->block, s->block_size, 1);
    }
    (void)block_deal(&next, &e, view, next.block, &zeros);
    *s = next;
    selection_begin(s, zeros);
    return SL_OK;
}

static sl_result selection_prepare(sl_selection *s, const sl_bvh *bvh, const sl_view *view,
                                   sl_error *error)
{
    return SLI_IN_FPENV(selection_allocate(s, bvh, view, error));
}

static sl_result selection_check_def(const sl_selection_def *def, sl_error *error)
{
    if ((int)def->unit < SL_SELECT_INSTANCES || (int)def->unit > SL_SELECT_VERTICES) {
        return sli_refuse(error, "%d is no unit", (int)def->unit);
    }
    if ((int)def->mode < SL_SELECT_TOUCHED || (int)def->mode > SL_SELECT_VISIBLE) {
        return sli_refuse(error, "%d is no mode", (int)def->mode);
    }
    return SL_OK;
}

static void selection_take_query(sl_selection *s, const sl_options *options)
{
    s->options = sli_query_from(options != NULL ? options : &sli_everything, 0);
    s->options.flags &= ~(uint32_t)(SL_OPEN_START | SL_OPEN_END | SL_CROSSINGS);
    s->options.items = NULL;
    s->options.proxy = NULL;
    s->ray = (sli_world_ray){ .cull = SL_CULL_NONE };
    sli_world_options(&s->options, 0, 0, &s->ray);
    s->plain = s->options.mask == 0 && s->options.skip_count == 0 && s->ray.cull == SL_CULL_NONE;
}

sl_result sl_selection_create(const sl_bvh *bvh, const sl_view *view, const sl_selection_def *def,
                              sl_selection **out, sl_error *error)
{
    if (out == NULL) {
        return sli_refuse(error, "out is NULL");
    }
    *out = NULL;
    if (bvh == NULL || view == NULL) {
        return sli_refuse(error, "%s is NULL", bvh == NULL ? "bvh" : "view");
    }
    sl_selection_def options = def != NULL ? *def : (sl_selection_def){ 0 };
    options.unit = options.unit != 0 ? options.unit : SL_SELECT_TRIANGLES;
    SLI_TRY(selection_check_def(&options, error));
    SLI_TRY(sli_check_allocator(&options.hooks.allocator, error));
    const sl_allocator allocator = sli_allocator(&options.hooks.allocator);
    sl_selection *s = sli_alloc(&allocator, sizeof *s, _Alignof(sl_selection));
    SLI_TRY(sli_had_memory(error, s != NULL));
    memset(s, 0, sizeof *s);
    s->allocator = allocator;
    s->unit = options.unit;
    s->mode = options.mode;
    s->topologies = options.topologies;
    s->budget_ms = options.budget_ms;
    selection_take_query(s, options.options);
    sl_result result = selection_prepare(s, bvh, view, error);
    if (result != SL_OK) {
        sl_selection_destroy(s);
        return result;
    }
    *out = s;
    return SL_OK;
}

void sl_selection_destroy(sl_selection *selection)
{
    if (selection == NULL) {
        return;
    }
    const sl_allocator allocator = selection->allocator;
    sli_region_free(&allocator, &selection->regions[0]);
    sli_region_free(&allocator, &selection->regions[1]);
    sli_free_array(&allocator, selection->block, selection->block_size, 1);
    sli_free(&allocator, selection, sizeof *selection);
}

sl_result sl_selection_reset(sl_selection *selection, const sl_bvh *bvh, const sl_view *view,
                             sl_error *error)
{
    if (bvh == NULL || view == NULL) {
        return sli_refuse(error, "%s is NULL", bvh == NULL ? "bvh" : "view");
    }
    return selection_prepare(selection, bvh, view, error);
}

/* ---- From region to region ---- */

static SLI_NOINLINE bool selection_go_on(sl_selection *s, const sl_region *region,
                                         const sl_tasks *tasks)
{
    sli_region *next = &s->regions[!s->current];
    const sl_camera *camera = &s->view.camera;
    const uint64_t began_ns = s->budget_ms > 0 ? sli_clock_ns() : 0;
    if (!sli_region_prepare(&s->allocator, region, camera->width, camera->height, next)) {
        return false;
    }
    s->current = !s->current;
    s->info.pending = s->info.traced = s->info.boxes = s->info.tested = 0;
    if (has_pixels(s)) {
        sli_select_pixels(s, tasks, began_ns);
    } else {
        sli_select_outlines(s);
    }
    if (has_visibility(s)) {
        sli_select_visibility(s, tasks, began_ns);
    }
    return true;
}

sl_result sl_selection_update(sl_selection *selection, const sl_region *region,
                              const sl_tasks *tasks, sl_error *error)
{
    SLI_TRY(region != NULL ? sli_region_check(region, error) : SL_OK);
    const bool done = SLI_IN_FPENV(
        selection_go_on(selection, region, sli_tasks_are_usable(tasks) ? tasks : NULL));
    return done ? SL_OK : sli_fail_memory(error);
}

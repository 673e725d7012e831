#include "test/support/selection/selection_oracle.h"

#include "bvh/scene/scene.h"
#include "test/support/oracle/eye_oracle.h"
#include "test/support/oracle/region_oracle.h"
#include "test/support/selection/seen_oracle.h"

#include <stdlib.h>

/* Of a triangle, and of its sides and corners: what is selected, and what is not known. */
typedef struct row {
    bool there, triangle, open;
    bool side[3], corner[3];
} row;

struct selection_oracle {
    const sl_bvh *scene;
    const sl_view *view;
    sl_options query;
    const sl_topology *const *topologies;
    row **rows; /* of each instance, by prim */
    uint32_t *prims;
    uint32_t instances;
    sl_select_mode mode;
};

/* ---- What is there ---- */

static bool instance_is_there(const selection_oracle *o, uint32_t instance)
{
    const sl_options *q = &o->query;
    for (size_t i = 0; i < q->ignore_count; i++) {
        if (instance - q->ignore[i].first < q->ignore[i].count) {
            return false;
        }
    }
    return q->mask == 0 || (o->scene->world.transformed[instance].mask & q->mask) != 0;
}

static bool is_there(const selection_oracle *o, sl_triangle_ref ref)
{
    const sl_options *q = &o->query;
    double v[3][3];
    if (!sl_bvh_triangle(o->scene, ref, v) || !instance_is_there(o, ref.instance) ||
        eye_oracle_culls(o->view, q->cull, o->scene->world.transformed[ref.instance].mirrored,
                         (const double(*)[3])v)) {
        return false;
    }
    for (size_t i = 0; i < q->skip_count; i++) {
        if (q->skip[i].instance == ref.instance && q->skip[i].prim == ref.prim) {
            return false;
        }
    }
    return q->mask == 0 ||
           (sli_tree_mask(o->scene->world.transformed[ref.instance].tree, ref.prim) & q->mask) != 0;
}

selection_oracle *selection_oracle_make(const sl_bvh *scene, const sl_view *view,
                                        const sl_options *options,
                                        const sl_topology *const *topologies)
{
    selection_oracle *o = calloc(1, sizeof *o);
    o->scene = scene;
    o->view = view;
    o->query = options != NULL ? *options : (sl_options){ .flags = 0 };
    o->topologies = topologies;
    o->instances = scene->world.count;
    o->rows = calloc(o->instances + 1u, sizeof *o->rows);
    o->prims = calloc(o->instances + 1u, sizeof *o->prims);
    for (uint32_t i = 0; i < o->instances; i++) {
        const sl_bvh *tree = scene->world.transformed[i].tree;
        o->prims[i] = tree != NULL ? tree->prim_count : 0;
        o->rows[i] = calloc(o->prims[i] + 1u, sizeof **o->rows);
        for (uint32_t prim = 0; prim < o->prims[i]; prim++) {
            o->rows[i][prim].there = is_there(o, (sl_triangle_ref){ i, prim });
        }
    }
    return o;
}

void selection_oracle_free(selection_oracle *o)
{
    if (o == NULL) {
        return;
    }
    for (uint32_t i = 0; i < o->instances; i++) {
        free(o->rows[i]);
    }
    free(o->prims);
    free(o->rows);
    free(o);
}

/* ---- Items ---- */

static bool selects(const selection_oracle *o, const sl_region *region, double (*points)[3],
                    int count)
{
    const bool inside = o->mode == SL_SELECT_INSIDE;
    const bool found = region_oracle_selects(o->view, region, points, count, inside);
    if (!found || o->mode != SL_SELECT_VISIBLE) {
        return found;
    }
    return count == 1
               ? seen_oracle_point(o->scene, o->view, &o->query, points[0], points[0], points[0])
               : seen_oracle_side(o->scene, o->view, &o->query, region, points);
}

static void query_items(selection_oracle *o, const sl_region *region, sl_triangle_ref ref, row *r)
{
    double v[3][3], side[2][3];
    (void)sl_bvh_triangle(o->scene, ref, v);
    r->triangle = o->mode != SL_SELECT_VISIBLE && selects(o, region, v, 3);
    r->open = region_oracle_gave_up();
    for (int k = 0; k < 3; k++) {
        memcpy(side[0], v[k], sizeof side[0]);
        memcpy(side[1], v[(k + 1) % 3], sizeof side[1]);
        r->side[k] = selects(o, region, side, 2);
        r->corner[k] = selects(o, region, &v[k], 1);
    }
}

/* One ray through the centre of each pixel of the region. */
static void query_pixels(selection_oracle *o, const sl_region *region)
{
    for (uint32_t y = 0; y < o->view->camera.height; y++) {
        for (uint32_t x = 0; x < o->view->camera.width; x++) {
            const double centre[1][2] = { { x + 0.5, y + 0.5 } };
            sl_ray_d ray;
            sl_hit_d hit;
            if (region_oracle_holds(region, centre, 1) && sl_view_ray(o->view, centre[0], &ray) &&
                sl_bvh_closest_d(o->scene, &ray, &o->query, &hit)) {
                o->rows[hit.instance][hit.prim].triangle = true;
            }
        }
    }
}

uint64_t selection_oracle_ask(selection_oracle *o, const sl_region *region, sl_select_mode mode)
{
    uint64_t open = 0;
    o->mode = mode;
    (void)region_oracle_gave_up();
    for (uint32_t i = 0; i < o->instances; i++) {
        for (uint32_t prim = 0; prim < o->prims[i]; prim++) {
            row *r = &o->rows[i][prim];
            if (r->there) {
                query_items(o, region, (sl_triangle_ref){ i, prim }, r);
                open += r->open;
            }
        }
    }
    if (mode == SL_SELECT_VISIBLE) {
        query_pixels(o, region);
    }
    return open;
}

/* ---- Things ---- */

static uint32_t element_of(const selection_oracle *o, sl_select_unit unit, sl_triangle_ref ref,
                           uint32_t k)
{
    const sl_topology *t = o->topologies != NULL ? o->topologies[ref.instance] : NULL;
    switch (unit) {
    case SL_SELECT_INSTANCES:
        return 0;
    case SL_SELECT_PARTS:
        return t != NULL ? sl_topology_element_of(t, ref.prim, SL_PARTS, 0) : 0;
    case SL_SELECT_FACES:
        return t != NULL ? sl_topology_element_of(t, ref.prim, SL_FACES, 0) : ref.prim;
    case SL_SELECT_EDGES:
        return t != NULL ? sl_topology_element_of(t, ref.prim, SL_EDGES, k) : 3 * ref.prim + k;
    case SL_SELECT_VERTICES:
        return t != NULL ? sl_topology_element_of(t, ref.prim, SL_VERTICES, k) : 3 * ref.prim + k;
    default:
        return ref.prim;
    }
}

static bool item(const row *r, sl_select_unit unit, uint32_t k)
{
    return unit == SL_SELECT_EDGES      ? r->side[k]
           : unit == SL_SELECT_VERTICES ? r->corner[k]
                                        : r->triangle;
}

/* How many items of a thing there are, are selected, and are not known. */
typedef struct tally {
    uint32_t there, selected, open;
} tally;

static void count_items(const selection_oracle *o, sl_select_unit unit, uint32_t instance,
                        tally *tallies, uint64_t elements)
{
    const uint32_t items = unit >= SL_SELECT_EDGES ? 3 : 1;
    for (uint32_t i = 0; i < o->prims[instance] * items; i++) {
        const sl_triangle_ref ref = { instance, i / items };
        const row *r = &o->rows[instance][ref.prim];
        const uint32_t element = element_of(o, unit, ref, i % items);
        if (r->there && element < elements) {
            tallies[element].there++;
            tallies[element].selected += item(r, unit, i % items);
            tallies[element].open += r->open && items == 1;
        }
    }
}

/* Of one instance; adds to the things selected, and says whether something is not known. */
static uint64_t compare(const selection_oracle *o, sl_select_unit unit, const sl_selection *s,
                        uint32_t instance, uint64_t *total, bool *open)
{
    const uint64_t elements = sl_selection_of(s, instance).bit_count;
    tally *tallies = calloc((size_t)elements + 1, sizeof *tallies);
    uint64_t wrong = 0, count = 0;
    bool unknown = false;
    count_items(o, unit, instance, tallies, elements);
    for (uint64_t element = 0; element < elements; element++) {
        const tally *t = &tallies[element];
        const bool all = t->there > 0 && t->selected == t->there;
        const bool expected = o->mode == SL_SELECT_INSIDE ? all : t->selected > 0;
        count += expected;
        unknown |= t->open > 0;
        wrong += t->open == 0 && sl_selection_has(s, instance, (uint32_t)element) != expected;
    }
    free(tallies);
    *total += count;
    *open |= unknown;
    return wrong + (!unknown && sl_selection_of(s, instance).selected != count);
}

uint64_t selection_oracle_differences(const selection_oracle *o, sl_select_unit unit,
                                      const sl_selection *selection)
{
    sl_selection_info info;
    uint64_t wrong = 0, total = 0;
    bool open = false;
    for (uint32_t i = 0; i < o->instances; i++) {
        wrong += compare(o, unit, selection, i, &total, &open);
    }
    info = sl_selection_get_info(selection);
    return wrong + (!open && info.selected != total);
}

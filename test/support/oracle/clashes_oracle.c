#include "test/support/oracle/clashes_oracle.h"

#include "bvh/query/query.h"
#include "lib/geom/contact/distance.h"
#include "test/support/test.h"

/* Two instances on the way through all their triangles. */
typedef struct pair_case {
    const sl_bvh *bvh;
    const sl_clash *clash;
    const sl_options *options;
    size_t limit;
    bool solids, crosses;
    sl_instance_clash best;
    sl_triangle_d shown[2]; /* of best.nearest */
} pair_case;

static uint32_t number_of(const uint32_t *numbers, uint32_t i, uint32_t otherwise)
{
    return numbers == NULL || numbers[i] == 0 ? otherwise : numbers[i];
}

static bool has_instance(const sl_bvh *bvh, const sl_options *options, uint32_t i)
{
    const sli_transformed *at = &bvh->world.transformed[i];
    bool there = at->tree != NULL && (options->mask == 0 || (options->mask & at->mask) != 0);
    for (size_t k = 0; k < options->ignore_count; k++) {
        there = there && !(i >= options->ignore[k].first &&
                           i - options->ignore[k].first < options->ignore[k].count);
    }
    return there;
}

static bool has_triangle(const pair_case *c, sl_triangle_ref ref, sl_triangle_d *corners)
{
    const sl_bvh *tree = c->bvh->world.transformed[ref.instance].tree;
    bool there = sl_bvh_triangle(c->bvh, ref, corners->v) &&
                 (c->options->mask == 0 || (c->options->mask & sli_tree_mask(tree, ref.prim)) != 0);
    for (size_t k = 0; k < c->options->skip_count; k++) {
        there = there && !(c->options->skip[k].instance == ref.instance &&
                           c->options->skip[k].prim == ref.prim);
    }
    return there;
}

/* The relation with the fronts that instances keep where they are mirrored. */
static sl_relation relation_of(const pair_case *c, sl_triangle_ref a, sl_triangle_ref b,
                               const sl_triangle_d *x, const sl_triangle_d *y)
{
    const sli_transformed *at = c->bvh->world.transformed;
    const sl_relation relation = sl_triangle_triangle(x, y, NULL);
    if (at[a.instance].mirrored == at[b.instance].mirrored) {
        return relation;
    }
    return relation == SL_COPLANAR_SAME       ? SL_COPLANAR_OPPOSITE
           : relation == SL_COPLANAR_OPPOSITE ? SL_COPLANAR_SAME
                                              : relation;
}

static bool is_nearer(const pair_case *c, const sl_triangle_d *x, const sl_triangle_d *y)
{
    sli_exact_gap here, best;
    sli_triangle_gap_exact(x, y, &here);
    sli_triangle_gap_exact(&c->shown[0], &c->shown[1], &best);
    return sli_exact_gap_compare(&here, &best) < 0;
}

/* Pairs come in rising order: the first of equal ones stays. */
static void take_pair(pair_case *c, sl_triangle_ref a, sl_triangle_ref b, const sl_triangle_d *x,
                      const sl_triangle_d *y)
{
    sl_clash_pair pair = { a, b, relation_of(c, a, b, x, y), 0 };
    sl_closest_points points;
    const bool apart = pair.relation == SL_APART;
    const sl_relation relation = pair.relation;
    const sl_clash_kind kind = apart ? SL_CLASH_CLEARANCE
                               : relation == SL_CROSSING || relation == SL_COPLANAR_SAME
                                   ? SL_CLASH_HARD
                                   : SL_CLASH_TOUCHING;
    if (apart ? !(c->clash->margin > 0 &&
                  sli_triangles_within(x, y, c->clash->margin, &pair.distance))
              : c->clash->relations != 0 && (c->clash->relations >> relation & 1) == 0) {
        return;
    }
    if (c->clash->filter != NULL && !c->clash->filter(c->clash->filter_user, &pair)) {
        return;
    }
    c->crosses = c->crosses || relation == SL_CROSSING;
    c->best.pairs += !apart && (c->limit == 0 || c->best.pairs < c->limit);
    if (kind < c->best.kind || (apart && kind == c->best.kind && is_nearer(c, x, y))) {
        assert_true(sl_triangle_distance(x, y, &points));
        c->best.kind = kind;
        c->best.nearest = (sl_distance){ .distance = points.distance, .a = a, .b = b };
        memcpy(c->best.nearest.point_a, points.a, sizeof points.a);
        memcpy(c->best.nearest.point_b, points.b, sizeof points.b);
        c->shown[0] = *x;
        c->shown[1] = *y;
    }
}

/* The options, with all other instances ignored. */
static sl_options alone(const pair_case *c, uint32_t i, sl_instance_range others[2])
{
    others[0] = (sl_instance_range){ 0, i };
    others[1] = (sl_instance_range){ i + 1, SL_NONE };
    sl_options options = *c->options;
    options.ignore = others;
    options.ignore_count = 2;
    return options;
}

static bool has_skip(const pair_case *c, uint32_t i)
{
    for (size_t k = 0; k < c->options->skip_count; k++) {
        if (c->options->skip[k].instance == i) {
            return true;
        }
    }
    return false;
}

static void ask_solids(pair_case *c)
{
    sl_instance_clash *best = &c->best;
    sl_instance_range others[2][2];
    const sl_options a = alone(c, best->a, others[0]), b = alone(c, best->b, others[1]);
    const sl_solids_def def = { .a = &a, .b = &b };
    sl_solids found;
    if (!c->solids || c->crosses || has_skip(c, best->a) || has_skip(c, best->b)) {
        return;
    }
    assert_int_equal(sl_bvh_solids(c->bvh, c->bvh, &def, &found, NULL), SL_OK);
    const bool inside = found.relation != SL_SOLIDS_NONE && found.relation != SL_SOLIDS_APART &&
                        found.relation != SL_SOLIDS_TOUCHING;
    if (inside && best->pairs == 0) {
        best->nearest = (sl_distance){ .a = { SL_NONE, SL_NONE }, .b = { SL_NONE, SL_NONE } };
    }
    if (inside || best->pairs > 0) {
        best->solids = found.relation;
        best->kind = inside                             ? SL_CLASH_HARD
                     : found.relation != SL_SOLIDS_NONE ? SL_CLASH_TOUCHING
                                                        : best->kind;
    }
}

static bool ask_pair(pair_case *c, uint32_t i, uint32_t k)
{
    const sli_transformed *at = c->bvh->world.transformed;
    c->crosses = false;
    c->best = (sl_instance_clash){
        .a = i, .b = k, .kind = SL_CLASH_CLEARANCE + 1, .solids = SL_SOLIDS_NONE
    };
    for (uint32_t p = 0; p < at[i].tree->prim_count; p++) {
        sl_triangle_d x, y;
        if (!has_triangle(c, (sl_triangle_ref){ i, p }, &x)) {
            continue;
        }
        for (uint32_t q = 0; q < at[k].tree->prim_count; q++) {
            if (has_triangle(c, (sl_triangle_ref){ k, q }, &y)) {
                take_pair(c, (sl_triangle_ref){ i, p }, (sl_triangle_ref){ k, q }, &x, &y);
            }
        }
    }
    ask_solids(c);
    if (c->limit != 0 && c->best.pairs == c->limit) {
        c->best.nearest = (sl_distance){ .a = { SL_NONE, SL_NONE }, .b = { SL_NONE, SL_NONE } };
    }
    return c->best.kind <= SL_CLASH_CLEARANCE;
}

sl_instance_clash *oracle_clashes(const sl_bvh *bvh, const sl_clashes_def *def, size_t *count)
{
    static const sl_clash all = { .margin = 0 };
    pair_case c = { .bvh = bvh,
                    .clash = def->clash != NULL ? def->clash : &all,
                    .limit = def->pair_limit,
                    .solids = def->solids };
    c.options = c.clash->a != NULL ? c.clash->a : &sli_everything;
    const uint32_t instances = bvh->world.count;
    sl_instance_clash *list = made_zeros((size_t)instances * instances + 1, sizeof *list);
    *count = 0;
    for (uint32_t i = 0; i < instances; i++) {
        for (uint32_t k = i + 1; k < instances; k++) {
            const uint32_t body = number_of(def->bodies, i, 0);
            const bool asked =
                has_instance(bvh, c.options, i) && has_instance(bvh, c.options, k) &&
                (body == 0 || body != number_of(def->bodies, k, 0)) &&
                (number_of(def->groups, i, ~0u) & number_of(def->against, k, ~0u)) != 0 &&
                (number_of(def->groups, k, ~0u) & number_of(def->against, i, ~0u)) != 0;
            if (asked && ask_pair(&c, i, k)) {
                list[(*count)++] = c.best;
            }
        }
    }
    return list;
}

bool oracle_clash_is(const sl_instance_clash *x, const sl_instance_clash *y)
{
    const sl_distance *p = &x->nearest, *q = &y->nearest;
    return x->a == y->a && x->b == y->b && x->kind == y->kind && x->solids == y->solids &&
           x->pairs == y->pairs && p->distance == q->distance &&
           memcmp(&p->a, &q->a, sizeof p->a) == 0 && memcmp(&p->b, &q->b, sizeof p->b) == 0 &&
           memcmp(p->point_a, q->point_a, sizeof p->point_a) == 0 &&
           memcmp(p->point_b, q->point_b, sizeof p->point_b) == 0;
}

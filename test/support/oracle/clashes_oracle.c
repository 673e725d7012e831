#include "test/support/oracle/clashes_oracle.h"

#include "bvh/query/query.h"
#include "lib/geom/contact/distance.h"
#include "test/support/query/world_soup.h"
#include "test/support/test.h"

/* Two instances on the way through all their triangles. */
typedef struct pair_case {
    const sl_bvh *bvh;
    const sl_clash *clash;
    const sl_options *options;
    world_soup soup;
    size_t limit;
    bool solids, crosses;
    sl_instance_clash best;
    sl_triangle_d shown[2]; /* of best.nearest */
} pair_case;

static uint32_t number_of(const uint32_t *numbers, uint32_t i, uint32_t otherwise)
{
    return numbers == NULL || numbers[i] == 0 ? otherwise : numbers[i];
}

/* Where the triangles of an instance begin in the soup, or would. */
static size_t first_of(const world_soup *soup, uint32_t instance)
{
    size_t at = 0;
    while (at < soup->count && soup->refs[at].instance < instance) {
        at++;
    }
    return at;
}

static bool is_nearer(const pair_case *c, const sl_triangle_d *x, const sl_triangle_d *y)
{
    sli_exact_gap here, best;
    sli_triangle_gap_exact(x, y, &here);
    sli_triangle_gap_exact(&c->shown[0], &c->shown[1], &best);
    return sli_exact_gap_compare(&here, &best) < 0;
}

/* Pairs come in rising order: the first of equal ones stays. */
static void take_pair(pair_case *c, size_t p, size_t q)
{
    const sl_triangle_d *x = &c->soup.corners[p], *y = &c->soup.corners[q];
    const sl_triangle_ref a = c->soup.refs[p], b = c->soup.refs[q];
    sl_clash_pair pair = { a, b, sl_triangle_triangle(x, y, NULL), 0 };
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
    const world_soup *s = &c->soup;
    c->crosses = false;
    c->best = (sl_instance_clash){
        .a = i, .b = k, .kind = SL_CLASH_CLEARANCE + 1, .solids = SL_SOLIDS_NONE
    };
    for (size_t p = first_of(s, i); p < s->count && s->refs[p].instance == i; p++) {
        for (size_t q = first_of(s, k); q < s->count && s->refs[q].instance == k; q++) {
            take_pair(c, p, q);
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
    c.soup = world_soup_of(bvh, c.options);
    const uint32_t instances = bvh->world.count;
    sl_instance_clash *list = made_zeros((size_t)instances * instances + 1, sizeof *list);
    *count = 0;
    for (uint32_t i = 0; i < instances; i++) {
        for (uint32_t k = i + 1; k < instances; k++) {
            const uint32_t body = number_of(def->bodies, i, 0);
            const bool asked =
                first_of(&c.soup, i) < first_of(&c.soup, i + 1) &&
                first_of(&c.soup, k) < first_of(&c.soup, k + 1) &&
                (body == 0 || body != number_of(def->bodies, k, 0)) &&
                (number_of(def->groups, i, ~0u) & number_of(def->against, k, ~0u)) != 0 &&
                (number_of(def->groups, k, ~0u) & number_of(def->against, i, ~0u)) != 0;
            if (asked && ask_pair(&c, i, k)) {
                list[(*count)++] = c.best;
            }
        }
    }
    world_soup_free(&c.soup);
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

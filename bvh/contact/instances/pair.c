/* Two instances of a tree: whether they clash, how, and by which triangles; for reports.
 *
 * First down both trees for triangles that meet, until kind and count are known; then, if wanted,
 * as solids; then, where nothing meets, for the nearest triangles within the margin. */
#include "bvh/contact/distance.h"
#include "bvh/contact/instances/clashes.h"
#include "bvh/contact/pairs.h"
#include "lib/geom/contact/distance.h"
#include "lib/geom/contact/relation.h"

#include <string.h>

/* A pair of instances. */
typedef struct pair_search {
    sl_clash clash; /* without the margin */
    const sl_clash *within;
    size_t limit;
    bool solids;          /* are asked where no triangles cross that count */
    bool crosses;         /* some do */
    bool meets;           /* some triangles meet, whether they count or not */
    size_t count;         /* of triangles that meet and count, up to the limit */
    sl_clash_kind kind;   /* the worst so far */
    sl_triangle_ref a, b; /* the lowest pair of that kind */
    sl_triangle_d at_a, at_b;
    sl_stats stats;
} pair_search;

/* ---- Triangles that meet ---- */

static bool is_lower(const sli_walk_pair *pair, const pair_search *p)
{
    return pair->a.prim != p->a.prim ? pair->a.prim < p->a.prim : pair->b.prim < p->b.prim;
}

/* sli_walk.triangles.  The walk ends where nothing that is asked can change any more. */
static bool take_meeting(void *context, const sli_walk_pair *pair)
{
    pair_search *p = context;
    sl_clash_pair counted;
    const bool counts = sli_clash_counts(&p->clash, pair, &counted);
    p->meets = p->meets || counted.relation != SL_APART;
    if (!counts) {
        return true;
    }
    const bool hard = counted.relation == SL_CROSSING || counted.relation == SL_COPLANAR_SAME;
    const sl_clash_kind kind = hard ? SL_CLASH_HARD : SL_CLASH_TOUCHING;
    if (p->count == 0 || kind < p->kind || (kind == p->kind && is_lower(pair, p))) {
        p->kind = kind;
        p->a = pair->a;
        p->b = pair->b;
        p->at_a = *pair->at_a;
        p->at_b = *pair->at_b;
    }
    p->crosses = p->crosses || counted.relation == SL_CROSSING;
    p->count += p->count < p->limit && !sli_walk_is_repeat(pair);
    return p->kind != SL_CLASH_HARD || p->count < p->limit || (p->solids && !p->crosses);
}

/* The point that sli_nearest_points has of two triangles that meet, mostly in a tenth of its time.
 * What they share is convex, so that the lowest of its points is a corner; and roundings keep the
 * order, so that it is the one whose rounded x is lowest, if one alone is. */
static void find_common(const pair_search *p, double point[3])
{
    sl_triangle_contact shared;
    sli_common common;
    uint32_t lowest = 0, equal = 0;
    double other[3];
    (void)sli_triangles_contact(&p->at_a, &p->at_b, &shared, &common);
    for (uint32_t i = 0; i < shared.count; i++) {
        const double x = shared.point[i][0], least = shared.point[lowest][0];
        equal = x < least || i == 0 ? 1 : equal + (x == least);
        lowest = x < least ? i : lowest;
    }
    if (equal == 1) {
        memcpy(point, shared.point[lowest], sizeof shared.point[lowest]);
    } else {
        sli_nearest_points(&p->at_a, &p->at_b, point, other);
    }
}

/* With the count at the limit, which pair is the lowest would depend on the trees. */
static void describe_meeting(const pair_search *p, sl_instance_clash *out)
{
    out->kind = p->kind;
    out->pairs = p->count;
    if (p->count == 0 || p->count == p->limit) {
        out->nearest.a = out->nearest.b = (sl_triangle_ref){ SL_NONE, SL_NONE };
        return;
    }
    out->nearest.a = p->a;
    out->nearest.b = p->b;
    find_common(p, out->nearest.point_a);
    memcpy(out->nearest.point_b, out->nearest.point_a, sizeof out->nearest.point_b);
}

/* ---- Triangles that are apart ---- */

/* Whether they do count; of triangles that meet none does, as far as anybody asks. */
static bool counts_apart(void *context, const sli_walk_pair *pair)
{
    const pair_search *p = context;
    sl_clash_pair counted;
    return sli_clash_counts(p->within, pair, &counted) && counted.relation == SL_APART;
}

static bool find_clearance(pair_search *p, sli_walk *walk, const sli_transformed *at_a,
                           const sli_transformed *at_b, sl_instance_clash *out)
{
    const bool chosen = p->clash.filter != NULL || p->clash.relations != 0;
    walk->margin = (double)p->within->margin;
    out->kind = SL_CLASH_CLEARANCE;
    return sli_distance_instances(walk, at_a, out->a, at_b, out->b, chosen ? counts_apart : NULL, p,
                                  &out->nearest);
}

/* ---- All of it ---- */

/* Solids whose insides meet clash hard, whatever their surfaces do, and others that meet touch.
 * Those that do not meet are as if they were not asked, which depends on boxes. */
static void judge_solids(const pair_search *p, sl_instance_clash *out)
{
    const sl_solid_relation relation = out->solids;
    if (relation == SL_SOLIDS_OVERLAPPING || relation == SL_SOLIDS_A_INSIDE ||
        relation == SL_SOLIDS_B_INSIDE || relation == SL_SOLIDS_EQUAL) {
        out->kind = SL_CLASH_HARD;
    } else if (p->count == 0) {
        out->solids = SL_SOLIDS_NONE;
    } else if (relation != SL_SOLIDS_NONE) {
        out->kind = SL_CLASH_TOUCHING;
    }
}

sl_result sli_clashes_ask(const sli_clash_search *s, uint32_t a, uint32_t b, sl_instance_clash *out)
{
    const sli_transformed *at = s->bvh->world.transformed;
    const size_t limit = s->def->pair_limit;
    sl_result result = SL_OK;
    pair_search p = { .clash = s->clash,
                      .within = &s->clash,
                      .limit = limit != 0 ? limit : SIZE_MAX,
                      .solids = s->def->solids };
    sli_walk walk = { .a = s->item,
                      .b = s->item,
                      .repeats = true,
                      .triangles = take_meeting,
                      .context = &p,
                      .stats = &p.stats };
    p.clash.margin = 0;
    *out = (sl_instance_clash){ .a = a, .b = b, .solids = SL_SOLIDS_NONE };
    (void)sli_walk_instances(&walk, &at[a], a, &at[b], b);
    describe_meeting(&p, out);
    if (p.solids && !p.crosses && (p.meets || sli_clashes_may_nest(s, a, b))) {
        result = sli_clashes_solids(s, a, b, &out->solids);
        judge_solids(&p, out);
    }
    if (p.count == 0 && out->solids == SL_SOLIDS_NONE &&
        !(s->clash.margin > 0 && find_clearance(&p, &walk, &at[a], &at[b], out))) {
        out->a = SL_NONE;
    }
    return result;
}

/* Which triangles of a tree a volume in floats touches, or whether any: by the generic walk
 * (visit.h); kinds.h decides what the boxes and triangles on the way have to do with it, by
 * quick filters first, then exactly. */
#include "bvh/query/volume/kinds.h"
#include "bvh/query/volume/query.h"
#include "lib/geom/intersect/k_smallest.h"

/* One volume on its way through the tree. */
typedef struct search {
    const sl_volume *volume;
    const sli_volume_filter *filter;
    double centre[3]; /* of its bounds */
    sli_k_smallest found;
    bool only_whether; /* the walk ends at the first triangle that is touched */
    sl_stats *stats;
} search;

/* sli_visitor.box: whether to enter a box of the tree. */
static sli_interest box_interest(const void *context, const sl_aabb *box)
{
    const search *s = context;
    return sli_volume_sees_box(s->volume, s->filter, box);
}

/* sli_visitor.triangle.  sure: it is in a box wholly inside the volume and needs no test.  False
 * ends the walk. */
static bool take_triangle(void *context, uint32_t prim, const sl_triangle *triangle, bool sure)
{
    search *s = context;
    if (!sure && !sli_volume_sees_triangle(s->volume, s->filter, triangle)) {
        return true;
    }
    s->stats->hits++;
    sli_k_smallest_add(&s->found, prim);
    return !s->only_whether;
}

/* sli_visitor.distance, squared, from the centre of the volume's bounds to that of a box: a
 * triangle that the volume touches is most likely near its centre.  Only the order depends on this:
 * frustums have no bounds and give NaN, and any order is right. */
static double from_centre(const void *context, const sl_aabb *box)
{
    const search *s = context;
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double d = ((double)box->min[axis] + (double)box->max[axis]) / 2 - s->centre[axis];
        sum += d * d;
    }
    return sum;
}

static size_t tree_volume(const sli_volume_query *q, size_t i, sli_hull *hull, sl_triangle_ref *row,
                          sl_stats *stats)
{
    sli_volume_filter filter;
    search s = { .volume = sli_volume_at(q, i),
                 .filter = &filter,
                 .found = sli_k_smallest_in(row, q->capacity),
                 .only_whether = q->touches != NULL,
                 .stats = stats };
    sli_volume_filter_make(s.volume, hull, &filter);
    const sli_visitor visitor = { .context = &s,
                                  .bounds = sli_volume_bounds(s.volume),
                                  .selection = sli_item_options(q->options, i),
                                  .box = box_interest,
                                  .distance = s.only_whether ? from_centre : NULL,
                                  .triangle = take_triangle };
    for (int axis = 0; axis < 3; axis++) {
        s.centre[axis] = ((double)visitor.bounds.min[axis] + (double)visitor.bounds.max[axis]) / 2;
    }
    sli_visit(q->bvh, &visitor, stats);
    return sli_k_smallest_finish(&s.found, row);
}

/* Hulls take 11 KB more of the stack. */
static SLI_NOINLINE size_t tree_hull(const sli_volume_query *q, size_t i, sl_triangle_ref *row,
                                     sl_stats *stats)
{
    sli_hull hull;
    return tree_volume(q, i, &hull, row, stats);
}

size_t sli_tree_volume(const sli_volume_query *q, size_t i, sl_triangle_ref *row, sl_stats *stats)
{
    return sli_volume_at(q, i)->kind == SL_VOLUME_HULL ? tree_hull(q, i, row, stats)
                                                       : tree_volume(q, i, NULL, row, stats);
}

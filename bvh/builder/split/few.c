/* Two to four references can be shared out in one, three or seven ways: all are tried. */
#include "bvh/builder/split/split.h"
#include "lib/base/assert.h"

/* Which go left, and then which go right.  Even ways come first, since of equal costs the first
 * counts. */
static const uint8_t ways_of_3[3][3] = { { 0, 1, 2 }, { 1, 0, 2 }, { 2, 0, 1 } };
static const uint8_t ways_of_4[7][4] = { { 0, 1, 2, 3 }, { 0, 2, 1, 3 }, { 0, 3, 1, 2 },
                                         { 0, 1, 2, 3 }, { 1, 0, 2, 3 }, { 2, 0, 1, 3 },
                                         { 3, 0, 1, 2 } };
enum { EVEN_WAYS = 3, WAYS = 7, WAY_BITS = 7 };

static sli_box joined(sli_box a, sli_box b)
{
    sli_box_join(&a, &b);
    return a;
}

static sli_lanes half_areas(const sli_box *a, const sli_box *b, const sli_box *c, float scale)
{
    return sli_half_areas(a->max - a->min, b->max - b->min, c->max - c->min, scale);
}

/* The number of the lowest cost, costs being compared without their last bits. */
static int lowest(const float *costs, int count)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t k = 0; k < (uint32_t)count; k++) {
        uint32_t key; /* a float that is not negative has the order of its bits */
        memcpy(&key, &costs[k], sizeof key);
        key = (key & ~(uint32_t)WAY_BITS) | k;
        best = key < best ? key : best;
    }
    return (int)(best & WAY_BITS);
}

static const uint8_t *best_of_3(const sli_ref *refs, float scale)
{
    const sli_box a = sli_ref_box(&refs[0]), b = sli_ref_box(&refs[1]), c = sli_ref_box(&refs[2]);
    const sli_box ab = joined(a, b), ac = joined(a, c), bc = joined(b, c);
    const sli_lanes cost = half_areas(&a, &b, &c, scale) + half_areas(&bc, &ac, &ab, scale);
    return ways_of_3[lowest((const float *)&cost, 3)];
}

static int best_of_4(const sli_ref *refs, float scale, bool even)
{
    const sli_box a = sli_ref_box(&refs[0]), b = sli_ref_box(&refs[1]);
    const sli_box c = sli_ref_box(&refs[2]), d = sli_ref_box(&refs[3]);
    const sli_box ab = joined(a, b), ac = joined(a, c), ad = joined(a, d);
    const sli_box bc = joined(b, c), bd = joined(b, d), cd = joined(c, d);
    const sli_box abc = joined(ab, c), abd = joined(ab, d), acd = joined(ac, d),
                  bcd = joined(bc, d);
    float costs[8];
    sli_lanes cost = half_areas(&ab, &ac, &ad, scale) + half_areas(&cd, &bd, &bc, scale);
    memcpy(costs, &cost, sizeof cost);
    cost = half_areas(&a, &b, &c, scale) + half_areas(&bcd, &acd, &abd, scale);
    memcpy(costs + EVEN_WAYS, &cost, sizeof cost);
    cost = half_areas(&d, &abc, &abc, scale);
    costs[WAYS - 1] = cost[0] + cost[1];
    return lowest(costs, even ? EVEN_WAYS : WAYS);
}

static sli_box move(const sli_ref *from, const uint8_t *way, size_t begin, size_t end, sli_ref *to)
{
    sli_box bounds = sli_box_empty();
    for (size_t i = begin; i < end; i++) {
        to[i] = from[way[i]];
        const sli_box box = sli_ref_box(&to[i]);
        sli_box_join(&bounds, &box);
    }
    return bounds;
}

void sli_split_few(const sli_ref *from, sli_ref *to, const sli_whole *whole, sli_split *out)
{
    SL_ASSERT(whole->count >= 2 && whole->count <= SLI_FEW_MOST);
    const float scale = sli_box_scale(&whole->bounds);
    const uint8_t *way = ways_of_4[0];
    out->left_count = 1;
    if (whole->count == 3) {
        way = best_of_3(from, scale);
    } else if (whole->count == 4) {
        const int best = best_of_4(from, scale, whole->most < 3);
        way = ways_of_4[best];
        out->left_count = best < EVEN_WAYS ? 2 : 1;
    }
    out->bounds[0] = move(from, way, 0, out->left_count, to);
    out->bounds[1] = move(from, way, out->left_count, whole->count, to);
}

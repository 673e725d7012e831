/* The split of the smallest sets, for range.c: two to four references have one, three or seven
 * partitions, and all are tried.  sah.h has the cost. */
#include "bvh/builder/split/split.h"
#include "lib/base/assert.h"

/* The references that go left, then those that go right.  Even partitions come first, since of
 * equal costs the first is taken. */
static const uint8_t partitions_of_3[3][3] = { { 0, 1, 2 }, { 1, 0, 2 }, { 2, 0, 1 } };
static const uint8_t partitions_of_4[7][4] = { { 0, 1, 2, 3 }, { 0, 2, 1, 3 }, { 0, 3, 1, 2 },
                                               { 0, 1, 2, 3 }, { 1, 0, 2, 3 }, { 2, 0, 1, 3 },
                                               { 3, 0, 1, 2 } };
enum { EVEN = 3, ALL = 7, NUMBER_BITS = 7 };

static sli_box few_joined(sli_box a, sli_box b)
{
    sli_box_join(&a, &b);
    return a;
}

static sli_lanes half_areas(const sli_box *a, const sli_box *b, const sli_box *c, float scale)
{
    return sli_half_areas(a->max - a->min, b->max - b->min, c->max - c->min, scale);
}

/* The number of the lowest cost, which takes the place of the last bits of each cost: so costs that
 * differ in these count as equal. */
static int few_lowest(const float *costs, int count)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t k = 0; k < (uint32_t)count; k++) {
        uint32_t key; /* a float that is not negative has the order of its bits */
        memcpy(&key, &costs[k], sizeof key);
        key = (key & ~(uint32_t)NUMBER_BITS) | k;
        best = key < best ? key : best;
    }
    return (int)(best & NUMBER_BITS);
}

static const uint8_t *best_of_3(const sli_ref *refs, float scale)
{
    const sli_box a = sli_ref_box(&refs[0]), b = sli_ref_box(&refs[1]), c = sli_ref_box(&refs[2]);
    const sli_box ab = few_joined(a, b), ac = few_joined(a, c), bc = few_joined(b, c);
    const sli_lanes cost = half_areas(&a, &b, &c, scale) + half_areas(&bc, &ac, &ab, scale);
    return partitions_of_3[few_lowest((const float *)&cost, 3)];
}

static int best_of_4(const sli_ref *refs, float scale, bool even)
{
    const sli_box a = sli_ref_box(&refs[0]), b = sli_ref_box(&refs[1]);
    const sli_box c = sli_ref_box(&refs[2]), d = sli_ref_box(&refs[3]);
    const sli_box ab = few_joined(a, b), ac = few_joined(a, c), ad = few_joined(a, d);
    const sli_box bc = few_joined(b, c), bd = few_joined(b, d), cd = few_joined(c, d);
    const sli_box abc = few_joined(ab, c), abd = few_joined(ab, d), acd = few_joined(ac, d),
                  bcd = few_joined(bc, d);
    float costs[8];
    sli_lanes cost = half_areas(&ab, &ac, &ad, scale) + half_areas(&cd, &bd, &bc, scale);
    memcpy(costs, &cost, sizeof cost);
    cost = half_areas(&a, &b, &c, scale) + half_areas(&bcd, &acd, &abd, scale);
    memcpy(costs + EVEN, &cost, sizeof cost);
    cost = half_areas(&d, &abc, &abc, scale);
    costs[ALL - 1] = cost[0] + cost[1];
    return few_lowest(costs, even ? EVEN : ALL);
}

void sli_split_few(const sli_ref *from, sli_ref *to, const sli_ref_set *set, sli_split *out)
{
    SL_ASSERT(set->count >= 2 && set->count <= SLI_FEW_MAX);
    const float scale = sli_box_scale(&set->bounds);
    const uint8_t *partition = partitions_of_4[0];
    size_t left = 1;
    if (set->count == 3) {
        partition = best_of_3(from, scale);
    } else if (set->count == 4) {
        const int best = best_of_4(from, scale, set->side_max < 3);
        partition = partitions_of_4[best];
        left = best < EVEN ? 2 : 1;
    }
    sli_split_in_order(from, partition, left, set->count, to, out);
}

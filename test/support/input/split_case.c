#include "test/support/input/split_case.h"

#include "lib/base/memory.h"
#include "test/support/input/terrible.h"

sli_refs split_case_refs(const sl_mesh *mesh)
{
    const sl_allocator allocator = sli_allocator(NULL);
    const sli_phase phase = { .tasks = NULL };
    sli_refs refs;
    if (sli_refs_create(mesh, NULL, &allocator, &phase, &refs) != SL_OK ||
        !sli_refs_add_side(&refs) || !sli_refs_add_prims(&refs)) {
        abort();
    }
    for (size_t i = 0; i < refs.count; i++) {
        refs.prims[i] = refs.side[0][i].prim;
    }
    return refs;
}

sli_ref split_case_ref(float x, float y, float z, float size, uint32_t prim)
{
    const float centre[3] = { x, y, z };
    sli_ref ref = { .prim = prim };
    for (int axis = 0; axis < 3; axis++) {
        ref.min[axis] = centre[axis] - size / 2;
        ref.max[axis] = centre[axis] + size / 2;
    }
    return ref;
}

typedef struct plain_box {
    float min[3], max[3];
} plain_box;

static plain_box bounds_of(const sli_ref *refs, size_t count)
{
    plain_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = refs[0].min[axis];
        box.max[axis] = refs[0].max[axis];
        for (size_t i = 1; i < count; i++) {
            box.min[axis] = refs[i].min[axis] < box.min[axis] ? refs[i].min[axis] : box.min[axis];
            box.max[axis] = refs[i].max[axis] > box.max[axis] ? refs[i].max[axis] : box.max[axis];
        }
    }
    return box;
}

void split_case_random(test_random *random, sli_ref *refs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        refs[i] = split_case_ref(test_random_in(random, -1, 3), test_random_unit(random),
                                 test_random_in(random, 0, 9), test_random_unit(random), i);
    }
}

void split_case_expect(const sli_ref *to, const uint32_t *prims, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(to[i].prim, prims[i]);
    }
}

sli_box split_case_centres(const sli_ref *refs, size_t count)
{
    sli_box box = sli_box_empty();
    for (size_t i = 0; i < count; i++) {
        sli_box_add(&box, sli_ref_centre(&refs[i]));
    }
    return box;
}

sli_ref_set split_case_set(const sli_ref *refs, size_t count, size_t side_max)
{
    sli_ref_set set = { .count = count, .bounds = sli_box_empty(), .side_max = side_max };
    for (size_t i = 0; i < count; i++) {
        const sli_box box = sli_ref_box(&refs[i]);
        sli_box_join(&set.bounds, &box);
    }
    set.centres = split_case_centres(refs, count);
    return set;
}

static bool same_box(const sli_box *lanes, const plain_box *plain)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(lanes->min[axis] == plain->min[axis] && lanes->max[axis] == plain->max[axis])) {
            return false;
        }
    }
    return true;
}

static int compare_prims(const void *a, const void *b)
{
    const uint32_t x = ((const sli_ref *)a)->prim, y = ((const sli_ref *)b)->prim;
    return x < y ? -1 : x > y;
}

static bool same_set(const sli_ref *a, const sli_ref *b, size_t count)
{
    sli_ref *x = malloc(count * sizeof *x), *y = malloc(count * sizeof *y);
    memcpy(x, a, count * sizeof *x);
    memcpy(y, b, count * sizeof *y);
    qsort(x, count, sizeof *x, compare_prims);
    qsort(y, count, sizeof *y, compare_prims);
    const bool same = memcmp(x, y, count * sizeof *x) == 0;
    free(x);
    free(y);
    return same;
}

/* Whether part is a subsequence of all. */
static bool keeps_order(const sli_ref *all, size_t count, const sli_ref *part, size_t part_count)
{
    size_t found = 0;
    for (size_t i = 0; i < count && found < part_count; i++) {
        found += all[i].prim == part[found].prim;
    }
    return found == part_count;
}

const char *split_case_fault(const sli_ref *from, const sli_ref *to, size_t count, size_t side_max,
                             const sli_split *split, bool ordered)
{
    const size_t sizes[2] = { split->count[0], count - split->count[0] };
    const sli_ref *sides[2] = { to, to + split->count[0] };
    if (!same_set(from, to, count)) {
        return "the references are not the same";
    }
    for (int k = 0; k < 2; k++) {
        if (sizes[k] == 0 || sizes[k] > count || sizes[k] > side_max) {
            return "a side is too small or too large";
        }
        const plain_box bounds = bounds_of(sides[k], sizes[k]);
        if (!same_box(&split->bounds[k], &bounds)) {
            return "the bounds of a side are wrong";
        }
        const sli_box centres = split_case_centres(sides[k], sizes[k]);
        const plain_box plain = { { centres.min[0], centres.min[1], centres.min[2] },
                                  { centres.max[0], centres.max[1], centres.max[2] } };
        if (ordered && !same_box(&split->centres[k], &plain)) {
            return "the centres of a side are wrong";
        }
        if (ordered && !keeps_order(from, count, sides[k], sizes[k])) {
            return "the order is not kept";
        }
    }
    return NULL;
}

size_t split_case_try(split_case_splitter *splitter, const sli_ref *from, sli_ref *to, size_t count,
                      size_t side_max, bool ordered)
{
    const sli_ref_set set = split_case_set(from, count, side_max);
    sli_split split;
    if (!splitter(from, to, &set, &split)) {
        return 0;
    }
    const char *fault = split_case_fault(from, to, count, side_max, &split, ordered);
    if (fault != NULL) {
        fail_msg("%zu references, %zu to a side: %s", count, side_max, fault);
    }
    return split.count[0];
}

void split_case_terrible(split_case_splitter *splitter, size_t count, size_t side_max, bool ordered)
{
    for (int which = 0; which < terrible_count(); which++) {
        OWN(sl_mesh) mesh = terrible_make(which, count);
        UNDONE(sli_refs_destroy) sli_refs refs = split_case_refs(mesh);
        (void)split_case_try(splitter, refs.side[0], refs.side[1], count, side_max, ordered);
    }
}

static double half_area(const plain_box *box)
{
    const double x = (double)box->max[0] - (double)box->min[0];
    const double y = (double)box->max[1] - (double)box->min[1];
    const double z = (double)box->max[2] - (double)box->min[2];
    return x * y + y * z + z * x;
}

double split_case_cost(const sli_ref *to, size_t count, size_t left_count)
{
    const plain_box left = bounds_of(to, left_count);
    const plain_box right = bounds_of(to + left_count, count - left_count);
    const size_t left_blocks = (left_count + 3) / 4, right_blocks = (count - left_count + 3) / 4;
    return half_area(&left) * (double)left_blocks + half_area(&right) * (double)right_blocks;
}

bool split_case_cost_is(double cost, double best)
{
    return cost >= best && cost <= best * (1 + 1e-5);
}

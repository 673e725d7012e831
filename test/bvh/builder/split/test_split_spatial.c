/* Cutting planes: what comes to each side, and that it is worth it. */
#include "bvh/builder/split/spatial.h"
#include "lib/base/memory.h"
#include "test/support/input/shred.h"
#include "test/support/input/slender.h"
#include "test/support/input/terrible.h"
#include "test/support/test.h"

enum { COUNT = 1500, COUNT_MAX = 3 * COUNT };

typedef struct case_ {
    sl_mesh *mesh;
    sli_triangles triangles;
    sli_refs refs;
    sli_ref_set set;
    sli_spatial_planes planes;
    sli_spatial_bins bins;
} case_;

static int case_count(void)
{
    return slender_count() + terrible_count();
}

/* References that were cut before. */
static case_ make_case(int which)
{
    case_ c;
    c.mesh = which < slender_count() ? slender_make(which, COUNT)
                                     : terrible_make(which - slender_count(), COUNT);
    c.triangles = (sli_triangles){ sl_mesh_soup(c.mesh).xyz, sl_mesh_soup(c.mesh).indices };
    shred_refs(c.mesh, 5, &c.refs);
    c.set = (sli_ref_set){ c.refs.count, c.refs.bounds, c.refs.centres, SIZE_MAX };
    c.planes = sli_spatial_planes_make(&c.refs.bounds, c.refs.count);
    sli_spatial_bins_fill(&c.bins, &c.planes, &c.triangles, c.refs.side[0], c.refs.count);
    return c;
}

static void free_case(case_ *c)
{
    sli_refs_destroy(&c->refs);
    sl_mesh_destroy(c->mesh);
}

static bool is_whole(const sli_ref *part, const sli_ref *from)
{
    return memcmp(part, from, sizeof *part) == 0;
}

static bool is_within(const sli_ref *part, const sli_ref *from)
{
    bool within = part->prim == from->prim;
    for (int axis = 0; axis < 3; axis++) {
        within = within && from->min[axis] <= part->min[axis] && part->max[axis] <= from->max[axis];
    }
    return within;
}

/* Each reference in turn went left, right, or in two parts to both sides. */
static void follow(const case_ *c, const sli_spatial_cut *cut, const sli_ref *left,
                   const sli_ref *right, const sli_split *sides)
{
    size_t l = 0, r = 0;
    for (size_t i = 0; i < c->refs.count; i++) {
        const sli_ref *from = &c->refs.side[0][i];
        const bool goes_left = l < sides->count[0] && is_within(&left[l], from);
        const bool goes_right = r < sides->count[1] && is_within(&right[r], from);
        const bool whole_left = goes_left && is_whole(&left[l], from);
        const bool whole_right = goes_right && is_whole(&right[r], from);
        assert_true(goes_left || goes_right);
        if (whole_left && (!goes_right || from->max[cut->axis] < cut->plane)) {
            l++;
        } else if (whole_right && (!goes_left || from->min[cut->axis] > cut->plane)) {
            r++;
        } else {
            l += goes_left;
            r += goes_right;
        }
    }
    assert_int_equal(l, sides->count[0]);
    assert_int_equal(r, sides->count[1]);
}

TEST(every_reference_comes_to_a_side)
{
    static sli_ref left[COUNT_MAX], right[COUNT_MAX];
    int cuts = 0;
    for (int which = 0; which < case_count(); which++) {
        UNDONE(free_case) case_ c = make_case(which);
        sli_spatial_cut cut;
        if (sli_spatial_bins_choose(&c.bins, &c.planes, &c.set, SIZE_MAX, &cut)) {
            sli_split sides;
            size_t counts[2];
            sli_spatial_cut_count(&cut, &c.planes, &c.triangles, c.refs.side[0], c.refs.count,
                                  counts);
            sli_spatial_cut_move(&cut, &c.planes, &c.triangles, c.refs.side[0], c.refs.count, left,
                                 right, &sides);
            for (int k = 0; k < 2; k++) {
                assert_int_equal(counts[k], sides.count[k]);
                assert_true(sides.count[k] <= cut.count[k]);
                assert_true(cut.count[k] > 0 && cut.count[k] < c.refs.count);
            }
            assert_true(sides.count[0] + sides.count[1] >= c.refs.count);
            follow(&c, &cut, left, right, &sides);
            cuts++;
        }
    }
    assert_true(cuts > case_count() / 2);
}

TEST(chunks_come_to_the_same)
{
    for (int which = 0; which < case_count(); which++) {
        UNDONE(free_case) case_ c = make_case(which);
        sli_spatial_bins joined, part;
        const size_t step = 397;
        sli_spatial_bins_fill(&joined, &c.planes, &c.triangles, c.refs.side[0], 0);
        for (size_t done = 0; done < c.refs.count; done += step) {
            const size_t left = c.refs.count - done;
            sli_spatial_bins_fill(&part, &c.planes, &c.triangles, c.refs.side[0] + done,
                                  left < step ? left : step);
            sli_spatial_bins_join(&joined, &part, &c.planes);
        }
        for (int axis = 0; axis < 3; axis++) {
            const size_t size = (size_t)c.planes.bins * sizeof joined.enter[0][0];
            if (c.planes.usable[axis]) {
                assert_memory_equal(joined.enter[axis], c.bins.enter[axis], size);
                assert_memory_equal(joined.leave[axis], c.bins.leave[axis], size);
            }
        }
        sli_spatial_cut a, b;
        const bool found = sli_spatial_bins_choose(&joined, &c.planes, &c.set, SIZE_MAX, &a);
        assert_int_equal(found, sli_spatial_bins_choose(&c.bins, &c.planes, &c.set, SIZE_MAX, &b));
        if (found) {
            assert_int_equal(a.axis, b.axis);
            assert_int_equal(a.bin, b.bin);
            assert_true(a.cost == b.cost);
        }
    }
}

TEST(limits_are_kept)
{
    for (int which = 0; which < case_count(); which++) {
        UNDONE(free_case) case_ c = make_case(which);
        const size_t count = c.refs.count;
        sli_spatial_cut cut;
        for (size_t room = count; room < 2 * count; room += count / 4) {
            if (sli_spatial_bins_choose(&c.bins, &c.planes, &c.set, room, &cut)) {
                assert_true(cut.count[0] + cut.count[1] <= room);
            }
        }
        for (size_t most = (count + 1) / 2; most < count; most += count / 8) {
            c.set.side_max = most;
            if (sli_spatial_bins_choose(&c.bins, &c.planes, &c.set, SIZE_MAX, &cut)) {
                assert_true(cut.count[0] <= most && cut.count[1] <= most);
            }
        }
    }
}

/* Sixteen crumbs in each of two corners, and a needle from one to the other: a plane between the
 * crumbs cuts the needle, and each side becomes a heap with half of it. */
TEST(a_needle_between_two_heaps_is_cut)
{
    enum { CRUMBS = 32 };
    float xyz[9 * (CRUMBS + 1)];
    for (int i = 0; i < CRUMBS; i++) {
        const float at = (i % 2 == 0 ? 0.0f : 100.0f) + (float)(i / 8);
        const float triangle[9] = { at, at, at, at + 1, at, at, at, at + 1, at + 1 };
        memcpy(xyz + 9 * i, triangle, sizeof triangle);
    }
    const float needle[9] = { 1, 1, 1, 100, 100, 100, 100, 100, 100.5f };
    memcpy(xyz + 9 * CRUMBS, needle, sizeof needle);
    OWN(sl_mesh) mesh = made_mesh(xyz, 3 * (CRUMBS + 1), NULL, CRUMBS + 1, NULL);
    const sli_triangles triangles = { sl_mesh_soup(mesh).xyz, sl_mesh_soup(mesh).indices };
    const sli_phase phase = { .tasks = NULL };
    UNDONE(sli_refs_destroy) sli_refs refs;
    const sl_allocator allocator = sli_allocator(NULL);
    assert_int_equal(sli_refs_create(mesh, NULL, &allocator, &phase, &refs), SL_OK);
    const sli_spatial_planes planes = sli_spatial_planes_make(&refs.bounds, refs.count);
    const sli_ref_set set = { refs.count, refs.bounds, refs.centres, SIZE_MAX };
    sli_spatial_bins bins;
    sli_spatial_cut cut;
    sli_split sides;
    sli_ref left[CRUMBS + 1], right[CRUMBS + 1];
    sli_spatial_bins_fill(&bins, &planes, &triangles, refs.side[0], refs.count);
    assert_true(sli_spatial_bins_choose(&bins, &planes, &set, refs.count + 1, &cut));
    sli_spatial_cut_move(&cut, &planes, &triangles, refs.side[0], refs.count, left, right, &sides);
    assert_int_equal(sides.count[0], CRUMBS / 2 + 1);
    assert_int_equal(sides.count[1], CRUMBS / 2 + 1);
    assert_int_equal(left[CRUMBS / 2].prim, CRUMBS);
    assert_int_equal(right[CRUMBS / 2].prim, CRUMBS);
    assert_true(left[CRUMBS / 2].max[1] < right[CRUMBS / 2].min[1] + 1e-3f);
}

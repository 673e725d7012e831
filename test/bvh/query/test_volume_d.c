/* Volumes in doubles against triangles in doubles, and these against fractions: on lattices, where
 * all kinds of touching are common, a few last digits beside them, and over all exponents that
 * there are; what is invalid or out of range. */
#include "bvh/query/volume/doubles.h"
#include "lib/base/fpenv.h"
#include "test/support/oracle/volume_oracle.h"
#include "test/support/test.h"

enum { SEED = 20261128, KINDS = SL_VOLUME_HULL + 1 };

static double hull_points[SL_HULL_POINTS_MAX][3];
static sli_hull hull;

typedef enum style {
    LATTICE,   /* small whole numbers */
    BESIDE,    /* the same, some a last digit off */
    SOME,      /* between -1 and 1 */
    FAR,       /* a lattice of thousandths 10^7 away */
    EXPONENTS, /* any in the range of floats, with all digits */
    STYLES
} style;

static double number(style s, test_random *random)
{
    const double whole = (double)test_random_below(random, 5) - 2;
    switch (s) {
    case LATTICE:
        return whole;
    case BESIDE:
        return test_random_below(random, 4) != 0 ? whole
               : test_random_below(random, 2)    ? nextafter(whole, 9)
                                                 : nextafter(whole, -9);
    case SOME:
        return 2 * test_random_unit_d(random) - 1;
    case FAR:
        return 1e7 + whole * 0x1p-10;
    default:
        return test_random_below(random, 10) == 0
                   ? 0
                   : ldexp(2 * test_random_unit_d(random) - 1,
                           (int)test_random_below(random, 276) - 148);
    }
}

static void fill(double *x, int count, style s, test_random *random)
{
    for (int i = 0; i < count; i++) {
        x[i] = number(s, random);
    }
}

/* Lengths and directions of a far lattice are those of one that is near. */
static void draw(sl_volume_kind kind, style s, test_random *random, sl_volume_d *out)
{
    const style near = s == FAR ? LATTICE : s;
    *out = (sl_volume_d){ .kind = kind };
    switch (kind) {
    case SL_VOLUME_AABB:
        for (int axis = 0; axis < 3; axis++) {
            const double a = number(s, random), b = number(s, random);
            out->shape.aabb.min[axis] = fmin(a, b);
            out->shape.aabb.max[axis] = test_random_below(random, 10) == 0 ? INFINITY : fmax(a, b);
        }
        break;
    case SL_VOLUME_SPHERE:
        fill(out->shape.sphere.centre, 3, s, random);
        out->shape.sphere.radius = fabs(number(near, random)) * (s == FAR ? 0x1p-10 : 1);
        break;
    case SL_VOLUME_OBB:
        fill(out->shape.obb.centre, 3, s, random);
        fill(&out->shape.obb.axis[0][0], 9, near, random);
        for (int i = 0; i < 3; i++) {
            out->shape.obb.half[i] = fabs(number(near, random)) * (s == FAR ? 0x1p-10 : 1);
        }
        break;
    case SL_VOLUME_CAPSULE:
        fill(out->shape.capsule.p, 3, s, random);
        fill(out->shape.capsule.q, 3, s, random);
        out->shape.capsule.radius = fabs(number(near, random)) * (s == FAR ? 0x1p-10 : 1);
        break;
    case SL_VOLUME_FRUSTUM:
        out->shape.frustum.count = test_random_below(random, SL_FRUSTUM_PLANES_MAX + 1);
        for (uint32_t i = 0; i < out->shape.frustum.count; i++) {
            sl_plane_d *plane = &out->shape.frustum.plane[i];
            double at[3];
            fill(at, 3, s, random);
            fill(plane->normal, 3, near, random);
            plane->offset = number(s, random);
            if (s != EXPONENTS) { /* through a point of the lattice */
                plane->offset =
                    plane->normal[0] * at[0] + plane->normal[1] * at[1] + plane->normal[2] * at[2];
            }
        }
        break;
    case SL_VOLUME_TRIANGLE:
        fill(&out->shape.triangle.v[0][0], 9, s, random);
        break;
    case SL_VOLUME_HULL:
        out->shape.hull = (sl_hull_d){ hull_points[0], 1 + test_random_below(random, 12) };
        fill(hull_points[0], 3 * (int)out->shape.hull.count, s, random);
        break;
    }
}

static bool decides_without_filter(const sl_volume_d *volume, const sl_triangle_d *triangle)
{
    sli_volume_filter unsure; /* without slabs it knows nothing */
    sli_volume_filter_make_d(volume, &hull, &unsure);
    unsure.count = 0;
    unsure.solid = false;
    return sli_volume_d_touches(volume, &unsure, triangle);
}

TEST(decisions_are_those_of_fractions)
{
    const int rounds = test_is_brief() ? 60 : 1500 * (int)test_scale();
    test_random random = { test_seed(SEED) };
    const sli_fpenv saved = sli_fpenv_enter();
    for (int kind = 0; kind < KINDS; kind++) {
        for (int s = 0; s < STYLES; s++) {
            int touching = 0, valid = 0, wrong = 0;
            for (int i = 0; i < rounds; i++) {
                sl_volume_d given, volume;
                sl_triangle_d drawn, triangle;
                sli_volume_filter filter;
                draw((sl_volume_kind)kind, (style)s, &random, &given);
                fill(&drawn.v[0][0], 9, (style)s, &random);
                const sl_volume_d as_volume = { .kind = SL_VOLUME_TRIANGLE,
                                                .shape = { .triangle = drawn } };
                sl_volume_d rounded;
                assert_true(sli_volume_d_take(&as_volume, &hull, &rounded));
                triangle = rounded.shape.triangle;
                if (!sli_volume_d_take(&given, &hull, &volume)) {
                    continue;
                }
                const bool expected = oracle_volume_touches(&volume, &triangle);
                sli_volume_filter_make_d(&volume, &hull, &filter);
                wrong += sli_volume_d_touches(&volume, &filter, &triangle) != expected;
                wrong += decides_without_filter(&volume, &triangle) != expected;
                touching += expected;
                valid++;
            }
            if (wrong > 0) {
                print_error("kind %d, style %d: %d wrong\n", kind, s, wrong);
            }
            assert_int_equal(wrong, 0);
            assert_true(valid > rounds / 20);
            assert_true(touching > 0 || s == EXPONENTS || s == FAR || test_is_brief());
        }
    }
    sli_fpenv_leave(saved);
}

TEST(what_is_out_of_range_is_invalid)
{
    const double bad[] = { NAN, INFINITY, -INFINITY, 0x1p128, -1e300 };
    const sl_volume_d good[] = {
        { .kind = SL_VOLUME_SPHERE, .shape.sphere = { .radius = 1 } },
        { .kind = SL_VOLUME_CAPSULE, .shape.capsule = { .radius = 1 } },
        { .kind = SL_VOLUME_OBB, .shape.obb = { .half = { 1, 1, 1 } } },
        { .kind = SL_VOLUME_TRIANGLE },
        { .kind = SL_VOLUME_FRUSTUM,
          .shape.frustum = { .plane = { { .normal = { 0, 1, 0 } } }, .count = 1 } },
    };
    const int numbers[] = { 4, 7, 15, 9, 4 };
    const sli_fpenv saved = sli_fpenv_enter();
    for (int k = 0; k < 5; k++) {
        sl_volume_d out;
        assert_true(sli_volume_d_take(&good[k], &hull, &out));
        for (int i = 0; i < numbers[k]; i++) {
            for (int b = 0; b < 5; b++) {
                sl_volume_d spoilt = good[k];
                memcpy((char *)&spoilt.shape + (size_t)i * sizeof(double), &bad[b], sizeof bad[b]);
                assert_false(sli_volume_d_take(&spoilt, &hull, &out));
            }
        }
    }
    sl_volume_d out, box = { .kind = SL_VOLUME_AABB, .shape.aabb = { .max = { 1, 1, 1 } } };
    assert_true(sli_volume_d_take(&box, &hull, &out));
    box.shape.aabb.max[1] = 1e300; /* beyond all corners */
    assert_true(sli_volume_d_take(&box, &hull, &out));
    assert_true(out.shape.aabb.max[1] == INFINITY);
    box.shape.aabb.max[1] = NAN;
    assert_false(sli_volume_d_take(&box, &hull, &out));
    box.shape.aabb.max[1] = -1;
    assert_false(sli_volume_d_take(&box, &hull, &out));
    sl_volume_d flat = good[4];
    flat.shape.frustum.plane[0].normal[1] = 0x1p-160; /* nothing of it is left */
    assert_false(sli_volume_d_take(&flat, &hull, &out));
    flat = good[4];
    flat.shape.frustum.count = SL_FRUSTUM_PLANES_MAX + 1;
    assert_false(sli_volume_d_take(&flat, &hull, &out));
    flat.kind = (sl_volume_kind)77;
    assert_false(sli_volume_d_take(&flat, &hull, &out));
    sli_fpenv_leave(saved);
}

#include "test/support/selection/drawn.h"

#include "test/support/selection/polygons.h"

#include <math.h>
#include <string.h>

static bool one_in(test_random *random, uint32_t n)
{
    return test_random_below(random, n) == 0;
}

/* Where a corner of the world appears, a place at random, or the centre of a pixel or its corner;
 * a few beyond all bounds, or next to zero. */
static void some_place(const crowd *of, const sl_view *view, test_random *random, double xy[2])
{
    static const double odd[] = { 0,      1e300,    -1e300,    1e20,  -1e20, 0x1p127,
                                  1e-300, 0x1p-149, -0x1p-149, 1e-40, 0.1,   -1e9 };
    const double size[2] = { view->camera.width, view->camera.height };
    const uint32_t kind = test_random_below(random, 9);
    double v[3][3];
    (void)crowd_triangle(of, random, v);
    if (kind < 4 && sl_view_project(view, v[test_random_below(random, 3)], xy, NULL)) {
        return;
    }
    for (int axis = 0; axis < 2; axis++) {
        xy[axis] = test_random_in_d(random, -0.2 * size[axis], 1.2 * size[axis]);
        if (kind > 6) {
            xy[axis] = floor(xy[axis]) + 0.5 * test_random_below(random, 2);
        }
        if (one_in(random, 40)) {
            xy[axis] = odd[test_random_below(random, sizeof odd / sizeof odd[0])];
        }
    }
}

/* ---- Lassos ---- */

static size_t few_corners(const crowd *of, const sl_view *view, test_random *random, double *out)
{
    size_t count = 1 + test_random_below(random, 10);
    const uint32_t kind = test_random_below(random, 6);
    for (size_t i = 0; i < count; i++) {
        some_place(of, view, random, out + 2 * i);
    }
    if (kind == 0) { /* goes back along itself */
        for (size_t i = 0; i < count; i++) {
            memcpy(out + 2 * (count + i), out + 2 * (count - 1 - i), 2 * sizeof *out);
        }
        count *= 2;
    }
    if (kind == 1) { /* upright sides on multiples of 10, that overlap */
        for (size_t i = 0; i < 2 * count; i++) {
            out[i] = 10 * floor(out[i] / 10);
            out[i] = i > 1 && (i / 2 + i) % 2 == 1 ? out[i - 2] : out[i];
        }
    }
    if (kind == 2) { /* one place, or two */
        for (size_t i = 0; i < count; i++) {
            memcpy(out + 2 * i, out + 2 * (i % (1 + count % 2)), 2 * sizeof *out);
        }
    }
    return count;
}

/* Mostly over the picture; some next to zero in size, or beyond all bounds. */
static size_t many_corners(const sl_view *view, size_t most, test_random *random, double *out)
{
    const double size[2] = { view->camera.width, view->camera.height };
    polygon_def def = { .kind = (polygon_kind)test_random_below(random, POLYGON_KINDS),
                        .param = test_random_in_d(random, 0, 1),
                        .seed = test_random_u64(random) };
    def.count = 3 + (size_t)pow((double)most - 3, test_random_in_d(random, 0.2, 1));
    const double large = one_in(random, 8) ? pow(10, test_random_in_d(random, -12, 25)) : 1;
    for (int axis = 0; axis < 2; axis++) {
        def.size[axis] = large * size[axis] * test_random_in_d(random, 0.1, 2);
        def.at[axis] = test_random_in_d(random, 0, 1) * size[axis] - 0.5 * def.size[axis];
    }
    if (one_in(random, 4)) { /* around all of it */
        for (int axis = 0; axis < 2; axis++) {
            def.at[axis] = -0.5 * size[axis];
            def.size[axis] = 2 * size[axis];
        }
    }
    def.count = def.count < most ? def.count : most;
    polygon_make(&def, out);
    if (one_in(random, 4)) { /* on a lattice: sides overlap */
        for (size_t i = 0; i < 2 * def.count; i++) {
            out[i] = 4 * floor(out[i] / 4);
        }
    }
    return def.count;
}

/* ---- All kinds ---- */

static double some_size(test_random *random)
{
    static const double sizes[] = { 0, 0x1p-149, 1e-300, 1e-9, 1, 3, 20, 100, 1e4, 1e12, 1e300 };
    const double size = sizes[test_random_below(random, sizeof sizes / sizeof sizes[0])];
    return one_in(random, 2) ? size : test_random_in_d(random, 0, 100);
}

void drawn_region(const crowd *of, const sl_view *view, size_t corners, test_random *random,
                  drawn *out)
{
    double p[2], q[2];
    some_place(of, view, random, p);
    some_place(of, view, random, q);
    const double size = some_size(random);
    const uint32_t kind = test_random_below(random, 8);
    if (kind < 2) {
        for (int axis = 0; axis < 2 && kind == 0; axis++) {
            q[axis] = one_in(random, 4) ? p[axis] : p[axis] + size;
        }
        out->region = sl_region_rectangle(p, q);
    } else if (kind < 4) {
        out->region = sl_region_brush(p, one_in(random, 2) ? p : q, size);
    } else {
        const size_t count = kind < 6 ? few_corners(of, view, random, out->corners)
                                      : many_corners(view, corners, random, out->corners);
        out->region =
            (sl_region){ .kind = SL_REGION_LASSO, .corners = out->corners, .corner_count = count };
    }
}

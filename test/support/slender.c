#include "test/support/slender.h"

#include "test/support/random.h"

#include <math.h>
#include <stdlib.h>

/* Writes the nine coordinates of triangle i of count. */
typedef void make_fn(size_t i, size_t count, test_random *random, float *out);

static void set_corner(float *out, int corner, float x, float y, float z)
{
    out[3 * corner] = x;
    out[3 * corner + 1] = y;
    out[3 * corner + 2] = z;
}

/* Needles in every direction through a unit box. */
static void needles(size_t i, size_t count, test_random *random, float *out)
{
    (void)i;
    (void)count;
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = test_random_unit(random);
        out[3 + axis] = test_random_unit(random);
        out[6 + axis] = out[axis] + test_random_in(random, -0.01f, 0.01f);
    }
}

/* Strips side by side, along the diagonal of the xy plane and rising. */
static void diagonals(size_t i, size_t count, test_random *random, float *out)
{
    (void)random;
    const float at = (float)(i / 2) / (float)count, wide = 0.4f / (float)count;
    set_corner(out, 0, at, -at, 0);
    set_corner(out, 1, at + 1, 1 - at, 0.3f);
    if (i % 2 == 0) {
        set_corner(out, 2, at + wide, -at - wide, 0);
    } else {
        set_corner(out, 2, at + wide + 1, 1 - at - wide, 0.3f);
    }
}

/* Round columns on a floor, as in the atrium of many a benchmark: walls of two tall triangles for
 * each side, one column in eight leaning. */
static void columns(size_t i, size_t count, test_random *random, float *out)
{
    (void)random;
    enum { SIDES = 12 };
    const size_t column = i / (2 * SIDES), side = i / 2 % SIDES;
    const size_t row = (size_t)sqrt((double)count / (2 * SIDES)) + 1;
    const float x = (float)(column % row), z = (float)(column / row);
    const float lean = column % 8 == 0 ? 1.5f : 0;
    float corner[2][2];
    for (int k = 0; k < 2; k++) {
        const double angle = 6.283185307179586 * (double)(side + (size_t)k) / SIDES;
        corner[k][0] = x + 0.2f * (float)cos(angle);
        corner[k][1] = z + 0.2f * (float)sin(angle);
    }
    const bool upper = i % 2 != 0;
    set_corner(out, 0, corner[0][0], 0, corner[0][1]);
    set_corner(out, 1, corner[1][0] + lean, 6, corner[1][1] + lean);
    if (upper) {
        set_corner(out, 2, corner[0][0] + lean, 6, corner[0][1] + lean);
    } else {
        set_corner(out, 2, corner[1][0], 0, corner[1][1]);
    }
}

/* Every sixteenth spans the whole floor or leans across it; the others are crumbs on it. */
static void crumbs(size_t i, size_t count, test_random *random, float *out)
{
    (void)count;
    if (i % 16 == 0) {
        const float y = i % 32 == 0 ? 0 : test_random_unit(random);
        set_corner(out, 0, -20, y, -20);
        set_corner(out, 1, 20, i % 64 == 0 ? 5 : y, -20);
        set_corner(out, 2, i % 3 == 0 ? 20.0f : -20.0f, y, 20);
        return;
    }
    const float x = test_random_in(random, -20, 20), z = test_random_in(random, -20, 20);
    for (int corner = 0; corner < 3; corner++) {
        set_corner(out, corner, x + test_random_unit(random) / 4, test_random_unit(random) / 4,
                   z + test_random_unit(random) / 4);
    }
}

/* A deck of large cards, on a lattice so that cuts fall on corners and edges. */
static void cards(size_t i, size_t count, test_random *random, float *out)
{
    (void)i;
    (void)count;
    for (int k = 0; k < 9; k++) {
        out[k] = (float)test_random_below(random, 9);
    }
}

/* Needles again, but a world away from the origin, where floats are coarse. */
static void far_away(size_t i, size_t count, test_random *random, float *out)
{
    needles(i, count, random, out);
    for (int k = 0; k < 9; k++) {
        out[k] = 1e6f + 64 * out[k];
    }
}

static const struct {
    const char *name;
    make_fn *make;
} all[] = {
    { "needles", needles }, { "diagonals", diagonals }, { "columns", columns },
    { "crumbs", crumbs },   { "cards", cards },         { "far away", far_away },
};

int slender_count(void)
{
    return (int)(sizeof all / sizeof all[0]);
}

const char *slender_name(int which)
{
    return all[which].name;
}

sl_mesh *slender_make(int which, size_t count)
{
    test_random random = { 77 + (uint64_t)which };
    float *xyz = malloc((9 * count + 1) * sizeof *xyz);
    sl_mesh *mesh = NULL;
    if (xyz != NULL) {
        for (size_t i = 0; i < count; i++) {
            all[which].make(i, count, &random, xyz + 9 * i);
        }
        (void)sl_mesh_from_arrays(xyz, 3 * count, NULL, count, NULL, &mesh, NULL);
    }
    free(xyz);
    return mesh;
}

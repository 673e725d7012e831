#include "test/support/input/slender.h"

#include "test/support/input/by_triangle.h"

#include <math.h>

static void set_corner(float *out, int corner, float x, float y, float z)
{
    out[3 * corner] = x;
    out[3 * corner + 1] = y;
    out[3 * corner + 2] = z;
}

/* Needles in every direction through a unit box. */
TRIANGLE_MAKER(needles)
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = test_random_unit(random);
        out[3 + axis] = test_random_unit(random);
        out[6 + axis] = out[axis] + test_random_in(random, -0.01f, 0.01f);
    }
}

/* Strips side by side, along the diagonal of the xy plane and rising. */
TRIANGLE_MAKER(diagonals)
{
    const float at = (float)(i / 2) / (float)count, wide = 0.4f / (float)count;
    set_corner(out, 0, at, -at, 0);
    set_corner(out, 1, at + 1, 1 - at, 0.3f);
    if (i % 2 == 0) {
        set_corner(out, 2, at + wide, -at - wide, 0);
    } else {
        set_corner(out, 2, at + wide + 1, 1 - at - wide, 0.3f);
    }
}

/* Thin round columns that lean, like masts and pipes: two tall triangles for each side. */
TRIANGLE_MAKER(columns)
{
    enum { SIDES = 4 };
    const size_t column = i / (2 * SIDES), side = i / 2 % SIDES;
    const double turn = 2.399963229728653 * (double)column; /* never twice the same way */
    float corner[2][2];
    for (int k = 0; k < 2; k++) {
        const double angle = 6.283185307179586 * (double)(side + (size_t)k) / (double)SIDES;
        corner[k][0] = 0.02f * (float)cos(angle) + sqrtf((float)column) * (float)cos(turn) / 4;
        corner[k][1] = 0.02f * (float)sin(angle) + sqrtf((float)column) * (float)sin(turn) / 4;
    }
    const float x = (float)cos(3 * turn), z = (float)sin(3 * turn);
    set_corner(out, 0, corner[0][0], 0, corner[0][1]);
    set_corner(out, 1, corner[1][0] + x, 2, corner[1][1] + z);
    if (i % 2 != 0) {
        set_corner(out, 2, corner[0][0] + x, 2, corner[0][1] + z);
    } else {
        set_corner(out, 2, corner[1][0], 0, corner[1][1]);
    }
}

/* Every sixteenth triangle spans the floor or leans across it; the others are tiny and lie on it.
 */
TRIANGLE_MAKER(crumbs)
{
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
TRIANGLE_MAKER(cards)
{
    for (int k = 0; k < 9; k++) {
        out[k] = (float)test_random_below(random, 9);
    }
}

/* Walls of two triangles through each other, with heaps of tiny triangles between them: better not
 * split. */
TRIANGLE_MAKER(rooms)
{
    enum { WALLS = 40, HEAPS = 5 };
    if (i < 2 * WALLS) {
        const int axis = (int)(i / 2 % 3);
        test_random own = { 5 + i / 2 }; /* for both triangles */
        const float at = test_random_in(&own, -1, 1);
        float low[2], high[2];
        for (int k = 0; k < 2; k++) {
            low[k] = test_random_in(&own, -1, -0.2f);
            high[k] = test_random_in(&own, 0.2f, 1);
        }
        for (int corner = 0; corner < 3; corner++) {
            const int which = i % 2 == 0 || corner == 0 ? corner : corner + 1;
            const float a = which == 1 || which == 2 ? high[0] : low[0];
            out[3 * corner + axis] = at;
            out[3 * corner + (axis + 1) % 3] = a;
            out[3 * corner + (axis + 2) % 3] = which < 2 ? low[1] : high[1];
        }
        return;
    }
    test_random heap = { 11 + i % HEAPS };
    for (int axis = 0; axis < 3; axis++) {
        const float centre = test_random_in(&heap, -1, 1);
        const float at = centre + test_random_in(random, -0.04f, 0.04f);
        for (int corner = 0; corner < 3; corner++) {
            out[3 * corner + axis] = at + test_random_in(random, -0.01f, 0.01f);
        }
    }
}

/* Needles again, far from the origin, where floats are coarse. */
TRIANGLE_MAKER(far_away)
{
    needles(i, count, random, out);
    for (int k = 0; k < 9; k++) {
        out[k] = 1e6f + 64 * out[k];
    }
}

static const struct {
    const char *name;
    triangle_maker *make;
} all[] = {
    { "needles", needles }, { "diagonals", diagonals }, { "columns", columns },
    { "crumbs", crumbs },   { "cards", cards },         { "far away", far_away },
    { "rooms", rooms },
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
    return by_triangle(all[which].make, count, 77 + (uint64_t)which);
}

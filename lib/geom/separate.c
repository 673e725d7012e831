/* Two convex bodies with corners are apart exactly when a plane between them faces along the cross
 * product of two of their edges' directions: a facet of their Minkowski difference is spanned by
 * two such edges.  For two boxes these are 15 axes, for a box and a triangle 13, for two
 * triangles 11.
 *
 * That holds where the edges of both together span space.  Where they do not (everything flat, and
 * in parallel planes), the three directions x, y, z are added to the edges: two disjoint compact
 * bodies stay disjoint when a small enough cube is added to one of them, the sum's facets are
 * spanned by edges of the three, and those directions do not depend on the cube's size.  An edge of
 * zero length does no harm: every axis that is found to separate does separate.  A box without a
 * limit is one with a limit far enough; the axes are the same.
 *
 * An axis is of degree 2, the gap along it at most of degree 4. */
#include "lib/geom/separate.h"

enum { EDGES = 6, DIRECTIONS = 9, PAIRS = DIRECTIONS * DIRECTIONS };

typedef struct pair {
    sli_hull hull[2];
    sli_number unit[3][3]; /* x, y, z */
} pair;

static const sli_number *direction(const pair *p, int i)
{
    return i < EDGES ? p->hull[i / 3].edge[i % 3] : p->unit[i - EDGES];
}

static void make_pair(const sli_body *a, const sli_body *b, bool exact, pair *p)
{
    sli_hull_make(a, exact, &p->hull[0]);
    sli_hull_make(b, exact, &p->hull[1]);
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            sli_number_set(i == axis ? 1 : 0, exact, &p->unit[i][axis]);
        }
    }
}

static void sharpen(void *context)
{
    pair *p = context;
    make_pair(p->hull[0].body, p->hull[1].body, true, p);
}

/* Two edges of one triangle give the same axis, whichever they are. */
static bool is_repeated(const pair *p, int i, int j)
{
    if (i >= EDGES || i / 3 != j / 3) {
        return false;
    }
    return !p->hull[i / 3].body->box && i % 3 + j % 3 != 1;
}

static sli_verdict separates(const pair *p, int i, int j)
{
    if (is_repeated(p, i, j)) {
        return SLI_NO;
    }
    sli_number axis[3];
    sli_extent a, b;
    sli_number_cross(direction(p, i), direction(p, j), axis);
    sli_hull_extent(&p->hull[0], axis, &a);
    sli_hull_extent(&p->hull[1], axis, &b);
    const sli_verdict a_above = sli_and(sli_extent_above(&a, &b.high), sli_not(b.no_high));
    const sli_verdict b_above = sli_and(sli_extent_above(&b, &a.high), sli_not(a.no_high));
    return a_above > b_above ? a_above : b_above;
}

/* The edges' own axes, those of either body first. */
static sli_verdict ask_edges(void *context, int question)
{
    static const int order[15][2] = {
        { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 4 }, { 4, 5 }, { 5, 3 }, { 0, 3 }, { 0, 4 },
        { 0, 5 }, { 1, 3 }, { 1, 4 }, { 1, 5 }, { 2, 3 }, { 2, 4 }, { 2, 5 },
    };
    return separates(context, order[question][0], order[question][1]);
}

static sli_verdict ask_all(void *context, int question)
{
    const int i = question / DIRECTIONS, j = question % DIRECTIONS;
    return i < j && j >= EDGES ? separates(context, i, j) : SLI_NO;
}

/* Whether the edges i, j, k with question = 36 i + 6 j + k span space. */
static sli_verdict ask_span(void *context, int question)
{
    const pair *p = context;
    const int i = question / 36, j = question / 6 % 6, k = question % 6;
    if (i >= j || j >= k || is_repeated(p, j, k) || is_repeated(p, i, j)) {
        return SLI_NO;
    }
    sli_number axis[3], determinant;
    bool unsure = false;
    sli_number_cross(direction(p, i), direction(p, j), axis);
    sli_number_dot(axis, direction(p, k), &determinant);
    const int sign = sli_number_sign(&determinant, &unsure);
    return unsure ? SLI_UNSURE : sign != 0 ? SLI_YES : SLI_NO;
}

bool sli_bodies_meet(const sli_body *a, const sli_body *b)
{
    pair p;
    make_pair(a, b, false, &p);
    if (sli_any(&(sli_questions){ &p, ask_edges, sharpen }, 15)) {
        return false;
    }
    if (sli_any(&(sli_questions){ &p, ask_span, sharpen }, 216)) {
        return true;
    }
    return !sli_any(&(sli_questions){ &p, ask_all, sharpen }, PAIRS);
}

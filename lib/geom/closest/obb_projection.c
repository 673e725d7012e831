/* The closest point to p of a parallelepiped c + sum x_i a_i, |x_i| <= h_i.
 *
 * At the closest point every coordinate x_i is free, at -h_i or at +h_i: 27 choices, one for the
 * interior, 6 for faces, 12 for edges and 8 for vertices.  A choice is right if the free
 * coordinates of the projection of p on its flat are within their limits, and moving any of the
 * others inwards leads away from p (the conditions of Karush, Kuhn and Tucker; as the problem is
 * convex, one right choice is enough).  There always is a right choice whose free axes are
 * independent, so flat boxes need no special care.  All conditions are signs of degree 5 at most in
 * the given floats.
 *
 * For axes that are nearly perpendicular, clamping the point in the frame of the box gives the
 * choice; it is tried first, and accepted only if it passes the conditions.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1.4, for the clamping. */
#include "lib/geom/closest/projection.h"

typedef struct problem {
    bool exact;
    sli_number point[3], axis[3][3], half[3], centre[3];
    sli_number from_centre[3];
} problem;

/* For each coordinate, -1 or 1: at that limit; 0: free. */
typedef struct choice {
    int at[3];
} choice;

/* The affine subspace of a choice: it goes through base; w is the point seen from base. */
typedef struct flat {
    sli_number base[3], w[3];
} flat;

static void make_flat(const problem *p, const choice *c, flat *out)
{
    sli_number_copy3(p->centre, out->base);
    sli_number_copy3(p->from_centre, out->w);
    for (int i = 0; i < 3; i++) {
        if (c->at[i] != 0) {
            sli_number_step3(&p->half[i], p->axis[i], c->at[i], out->base);
            sli_number_step3(&p->half[i], p->axis[i], -c->at[i], out->w);
        }
    }
}

/* Whether |x| <= half |over|. */
static bool is_within(const sli_number *x, const sli_number *half, const sli_number *over,
                      bool *unsure)
{
    sli_number limit, beyond;
    sli_number_mul(half, over, &limit);
    sli_number_turn(&limit, limit.value < 0 ? -1 : 1);
    sli_number_sum(&limit, x, x->value < 0 ? 1 : -1, &beyond);
    return sli_number_sign(&beyond, unsure) >= 0;
}

/* Whether a sum of squares or a determinant is certainly 0; sets *unsure if that is not decided. */
static bool obb_projection_vanishes(const sli_number *x, bool *unsure)
{
    bool doubt = false;
    const bool zero = sli_number_sign(x, &doubt) == 0 && !doubt;
    *unsure = *unsure || doubt;
    return zero;
}

/* The conditions of choices with 3, 2, 1 and 0 free coordinates.  False is certain; true is certain
 * unless *unsure is set. */

static bool is_inside(const problem *p, bool *unsure)
{
    sli_number cross[3][3], over, x;
    sli_number_cross(p->axis[1], p->axis[2], cross[0]);
    sli_number_cross(p->axis[2], p->axis[0], cross[1]);
    sli_number_cross(p->axis[0], p->axis[1], cross[2]);
    sli_number_dot(p->axis[0], cross[0], &over);
    bool inside = !obb_projection_vanishes(&over, unsure);
    for (int i = 0; i < 3 && inside; i++) {
        sli_number_dot(p->from_centre, cross[i], &x);
        inside = is_within(&x, &p->half[i], &over, unsure);
    }
    return inside;
}

static bool is_on_face(const problem *p, const choice *c, int fixed, const flat *at,
                       sli_projection *projection, bool *unsure)
{
    const int i = (fixed + 1) % 3, j = (fixed + 2) % 3;
    sli_number normal[3], over, height, outward, cross[3], x;
    sli_number_cross(p->axis[i], p->axis[j], normal);
    sli_number_dot(normal, normal, &over);
    sli_number_dot(at->w, normal, &height);
    sli_number_dot(normal, p->axis[fixed], &outward);
    if (sli_number_sign(&height, unsure) * sli_number_sign(&outward, unsure) * c->at[fixed] < 0 ||
        obb_projection_vanishes(&over, unsure)) {
        return false;
    }
    sli_number_cross(at->w, p->axis[j], cross);
    sli_number_dot(cross, normal, &x);
    if (!is_within(&x, &p->half[i], &over, unsure)) {
        return false;
    }
    sli_number_cross(p->axis[i], at->w, cross);
    sli_number_dot(cross, normal, &x);
    if (!is_within(&x, &p->half[j], &over, unsure)) {
        return false;
    }
    sli_projection_on_plane(p->point, &height, normal, projection);
    return true;
}

static bool is_on_edge(const problem *p, const choice *c, int free, const flat *at,
                       sli_projection *projection, bool *unsure)
{
    sli_number along;
    sli_projection_on_line(at->base, at->w, p->axis[free], &along, projection);
    if (obb_projection_vanishes(&projection->bottom, unsure) ||
        !is_within(&along, &p->half[free], &projection->bottom, unsure)) {
        return false;
    }
    for (int k = 1; k < 3; k++) {
        const int other = (free + k) % 3;
        sli_number outward, back, lean;
        sli_number_dot(at->w, p->axis[other], &outward);
        sli_number_mul(&outward, &projection->bottom, &outward);
        sli_number_dot(p->axis[free], p->axis[other], &lean);
        sli_number_mul(&along, &lean, &back);
        sli_number_sub(&outward, &back, &outward);
        if (sli_number_sign(&outward, unsure) * c->at[other] < 0) {
            return false;
        }
    }
    return true;
}

static bool is_on_vertex(const problem *p, const choice *c, const flat *at,
                         sli_projection *projection, bool *unsure)
{
    for (int i = 0; i < 3; i++) {
        sli_number outward;
        sli_number_dot(at->w, p->axis[i], &outward);
        if (sli_number_sign(&outward, unsure) * c->at[i] < 0) {
            return false;
        }
    }
    sli_projection_on_point(at->base, at->w, p->exact, projection);
    return true;
}

typedef enum outcome { WRONG, RIGHT, INSIDE } outcome;

static outcome try_choice(const problem *p, const choice *c, sli_projection *projection,
                          bool *unsure)
{
    int free_count = 0, free = 0, fixed = 0;
    for (int i = 0; i < 3; i++) {
        free_count += c->at[i] == 0;
        free = c->at[i] == 0 ? i : free;
        fixed = c->at[i] != 0 ? i : fixed;
    }
    bool doubt = false, right;
    if (free_count == 3) {
        right = is_inside(p, &doubt);
    } else {
        flat at;
        make_flat(p, c, &at);
        right = free_count == 2   ? is_on_face(p, c, fixed, &at, projection, &doubt)
                : free_count == 1 ? is_on_edge(p, c, free, &at, projection, &doubt)
                                  : is_on_vertex(p, c, &at, projection, &doubt);
    }
    if (!right) {
        return WRONG;
    }
    *unsure = *unsure || doubt;
    return free_count == 3 ? INSIDE : RIGHT;
}

/* The choice that clamping makes, in doubles. */
static choice clamp_choice(const problem *p)
{
    choice c;
    for (int i = 0; i < 3; i++) {
        double along = 0, over = 0;
        for (int axis = 0; axis < 3; axis++) {
            along += p->from_centre[axis].value * p->axis[i][axis].value;
            over += p->axis[i][axis].value * p->axis[i][axis].value;
        }
        const double limit = p->half[i].value * over;
        c.at[i] = along >= limit ? 1 : along <= -limit ? -1 : 0;
    }
    return c;
}

static void make_problem(const sl_obb *box, const float point[3], bool exact, problem *out)
{
    out->exact = exact;
    sli_number_set3(point, exact, out->point);
    sli_number_set3(box->half, exact, out->half);
    sli_number_set3(box->centre, exact, out->centre);
    sli_number_diff3(point, box->centre, exact, out->from_centre);
    for (int i = 0; i < 3; i++) {
        sli_number_set3(box->axis[i], exact, out->axis[i]);
    }
}

bool sli_obb_projection(const sl_obb *box, const float point[3], bool exact,
                        sli_projection *projection, bool *unsure)
{
    problem p;
    make_problem(box, point, exact, &p);
    choice c = clamp_choice(&p);
    outcome v = try_choice(&p, &c, projection, unsure);
    for (int code = 0; v == WRONG && code < 27; code++) {
        c = (choice){ { code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1 } };
        v = try_choice(&p, &c, projection, unsure);
    }
    return v == INSIDE;
}

/* A sphere against a box of any orientation, taken as the parallelepiped that it is.
 *
 * The nearest point of the box is the centre itself, or the projection of the centre on one of the
 * faces, edges or vertices of the box; and any projection that lies on its face or edge is a point
 * of the box.  So they overlap exactly if the centre is inside or one of the 26 projections exists
 * and is near enough.  A box without volume has no inside: it is what its faces cover; a face
 * without area is what its edges cover. */
#include "lib/base/inline.h"
#include "lib/geom/exact/compare_length.h"
#include "lib/geom/exact/valid.h"
#include "lib/geom/overlap/overlap.h"

typedef struct problem {
    const sl_sphere *sphere;
    const sl_obb *box;
    sli_number offset[3]; /* from the centre of the box to that of the sphere */
    sli_number axis[3][3], half[3], radius;
} problem;

static void sphere_obb_make(void *context, bool exact)
{
    problem *p = context;
    sli_number_set((double)p->sphere->radius, exact, &p->radius);
    sli_number_diff3(p->sphere->centre, p->box->centre, exact, p->offset);
    sli_number_set3(p->box->half, exact, p->half);
    for (int i = 0; i < 3; i++) {
        sli_number_set3(p->box->axis[i], exact, p->axis[i]);
    }
}

/* Whether offset = sum of t_i axis[i] with |t_i| <= half[i], by Cramer's rule; yes only for a box
 * with volume. */
static sli_tribool is_inside(const problem *p)
{
    sli_number n[3], volume, t;
    sli_number_cross(p->axis[1], p->axis[2], n);
    sli_number_dot(p->axis[0], n, &volume);
    const sli_tribool positive = sli_is_positive(&volume), negative = sli_is_negative(&volume);
    sli_tribool inside = sli_or(positive, negative);
    sli_number_turn(&volume, volume.value < 0 ? -1 : 1);
    for (int i = 0; i < 3 && inside != SLI_NO; i++) {
        sli_number_cross(p->axis[(i + 1) % 3], p->axis[(i + 2) % 3], n);
        sli_number_dot(p->offset, n, &t);
        inside = sli_and(inside, sli_is_within(&t, &p->half[i], &volume));
    }
    return inside;
}

/* w points from the middle of the face to the centre of the sphere.  With n = b x c, w = beta b +
 * gamma c + eta n: (w x c) . n = beta |n|^2 and (b x w) . n = gamma |n|^2. */
static sli_tribool face_is_near(const problem *p, const sli_number w[3], int i)
{
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sli_number n[3], den, height, side[3], t;
    sli_number_cross(p->axis[j], p->axis[k], n);
    sli_number_dot(w, n, &height);
    sli_tribool near = sli_is_length_within(1, &height, &p->radius, n);
    if (near == SLI_NO) {
        return SLI_NO;
    }
    sli_number_dot(n, n, &den);
    near = sli_and(near, sli_is_positive(&den));
    sli_number_cross(w, p->axis[k], side);
    sli_number_dot(side, n, &t);
    near = sli_and(near, sli_is_within(&t, &p->half[j], &den));
    sli_number_cross(p->axis[j], w, side);
    sli_number_dot(side, n, &t);
    return sli_and(near, sli_is_within(&t, &p->half[k], &den));
}

/* w points from the middle of the edge to the centre of the sphere. */
static sli_tribool edge_is_near(const problem *p, const sli_number w[3], int i)
{
    const sli_number *a = p->axis[i];
    sli_number across[3], den, t;
    sli_number_cross(w, a, across);
    sli_tribool near = sli_is_length_within(3, across, &p->radius, a);
    if (near == SLI_NO) {
        return SLI_NO;
    }
    sli_number_dot(a, a, &den);
    sli_number_dot(w, a, &t);
    near = sli_and(near, sli_is_positive(&den));
    return sli_and(near, sli_is_within(&t, &p->half[i], &den));
}

/* test has a digit of base 3 for each axis: 0 the full range, 1 the low end, 2 the high end. */
static sli_tribool sphere_obb_answer(void *context, int test)
{
    const problem *p = context;
    static const int powers[3] = { 1, 3, 9 };
    sli_number w[3];
    sli_number_copy3(p->offset, w);
    int free_axes = 0, free_axis = 0, fixed_axis = 0;
    for (int i = 0; i < 3; i++) {
        const int digit = test / powers[i] % 3;
        if (digit == 0) {
            free_axes++;
            free_axis = i;
        } else {
            fixed_axis = i;
            sli_number_step3(&p->half[i], p->axis[i], digit == 1 ? 1 : -1, w);
        }
    }
    switch (free_axes) {
    case 3:
        return is_inside(p);
    case 2:
        return face_is_near(p, w, fixed_axis);
    case 1:
        return edge_is_near(p, w, free_axis);
    default:
        return sli_is_length_at_most(3, w, 1, &p->radius);
    }
}

SLI_NOINLINE bool sli_sphere_obb(const sl_sphere *sphere, const sl_obb *box)
{
    if (!sli_sphere_is_valid(sphere) || !sli_obb_is_valid(box)) {
        return false;
    }
    problem p;
    p.sphere = sphere;
    p.box = box;
    sphere_obb_make(&p, false);
    return sli_any(&(sli_tests){ &p, sphere_obb_answer, sphere_obb_make }, 27);
}

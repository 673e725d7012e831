/* Rays, segments and lines against a box of any orientation, by slabs.
 *
 * By Cramer's rule, coordinate i of a point in the frame of the box, w being the point seen from
 * the centre, is det(w, axis j, axis k) over the determinant of the axes; multiplied by that
 * determinant, every slab is a polynomial.  If the determinant is 0 the box is flat: its plane is a
 * slab of reach 0, and the rim of the polygon that the three axes span consists of slabs in a
 * projection of the plane.
 * Source   Kay and Kajiya, Ray Tracing Complex Scenes (1986), for the slabs. */
#include "lib/geom/exact/valid.h"
#include "lib/geom/intersect/paths.h"
#include "lib/geom/intersect/slabs.h"

/* The box, and the path relative to its centre, in numbers. */
typedef struct frame {
    sli_number from[3], dir[3], axis[3][3], half[3];
    sli_number cross[3][3]; /* of the two other axes */
} frame;

static void make_frame(const sli_path *path, const sl_obb *box, bool exact, frame *f)
{
    for (int i = 0; i < 3; i++) {
        sli_number_diff(path->origin[i], box->centre[i], exact, &f->from[i]);
        sli_number_diff(path->head[i], path->tail[i], exact, &f->dir[i]);
        sli_number_set(box->half[i], exact, &f->half[i]);
        for (int k = 0; k < 3; k++) {
            sli_number_set(box->axis[i][k], exact, &f->axis[i][k]);
        }
    }
    for (int i = 0; i < 3; i++) {
        sli_number_cross(f->axis[(i + 1) % 3], f->axis[(i + 2) % 3], f->cross[i]);
    }
}

static void turn_slab(sli_slab *slab, int sign)
{
    sli_number_turn(&slab->at, sign);
    sli_number_turn(&slab->along, sign);
    for (int i = 0; i < 3; i++) {
        sli_number_turn(&slab->normal[i], sign);
    }
}

/* Appends a slab with the given normal; the caller sets its reach. */
static sli_slab *add_slab(sli_slabs *out, const frame *f, const sli_number normal[3], int axis)
{
    sli_slab *slab = &out->slab[out->count++];
    sli_number_dot(normal, f->from, &slab->at);
    sli_number_dot(normal, f->dir, &slab->along);
    for (int i = 0; i < 3; i++) {
        slab->normal[i] = normal[i];
    }
    slab->axis = axis;
    return slab;
}

/* One component of a x b. */
static void cross_part(const sli_number a[3], const sli_number b[3], int axis, sli_number *out)
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    sli_number left, right;
    sli_number_mul(&a[j], &b[k], &left);
    sli_number_mul(&a[k], &b[j], &right);
    sli_number_sub(&left, &right, out);
}

/* The index of the first component that is not 0; -1 for a zero vector. */
static int ray_obb_lead(const sli_number v[3], bool *unsure)
{
    for (int i = 0; i < 3; i++) {
        if (sli_number_sign(&v[i], unsure) != 0) {
            return i;
        }
    }
    return -1;
}

/* The slab between the two sides of the polygon that are parallel to axis i, in the projection
 * along coordinate `view`.  Its faces are those of the lowest axis that is not parallel to them,
 * since points there have the largest coordinate on that axis. */
static void add_rim(sli_slabs *out, const frame *f, int i, int view, int facing,
                    const sli_number plane[3], bool *unsure)
{
    sli_slab *slab = &out->slab[out->count];
    int axis = -1, sign = 0;
    sli_number_set(0, true, &slab->reach);
    for (int k = 0; k < 3; k++) {
        sli_number width;
        cross_part(f->axis[i], f->axis[k], view, &width);
        const int side = sli_number_sign(&width, unsure);
        axis = axis < 0 && side != 0 ? k : axis;
        sign = axis == k ? side : sign;
        sli_number_turn(&width, side);
        sli_number_mul(&width, &f->half[k], &width);
        sli_number_add(&slab->reach, &width, &slab->reach);
    }
    if (axis < 0) {
        return; /* a zero axis */
    }
    cross_part(f->axis[i], f->from, view, &slab->at);
    cross_part(f->axis[i], f->dir, view, &slab->along);
    sli_number_cross(plane, f->axis[i], slab->normal);
    for (int k = 0; k < 3; k++) {
        sli_number_turn(&slab->normal[k], facing);
    }
    turn_slab(slab, sign);
    slab->axis = axis;
    out->count++;
}

/* Axes on one line: points w have w x axis = 0, and coordinate `view` limits the length. */
static void make_stick(const frame *f, const sli_number axis[3], int view, sli_slabs *out,
                       bool *unsure)
{
    for (int turned = 1; turned < 3; turned++) {
        sli_slab *slab = &out->slab[out->count++];
        cross_part(axis, f->from, (view + turned) % 3, &slab->at);
        cross_part(axis, f->dir, (view + turned) % 3, &slab->along);
        sli_number_set(0, true, &slab->reach);
        slab->axis = -1;
    }
    sli_slab *slab = &out->slab[out->count++];
    slab->at = f->from[view];
    slab->along = f->dir[view];
    slab->axis = -1;
    sli_number_set(0, true, &slab->reach);
    for (int k = 0; k < 3; k++) {
        sli_number reach;
        sli_number_mul(&f->half[k], &f->axis[k][view], &reach);
        sli_number_turn(&reach, sli_number_sign(&reach, unsure));
        sli_number_add(&slab->reach, &reach, &slab->reach);
    }
}

static void make_point(const frame *f, sli_slabs *out)
{
    for (int i = 0; i < 3; i++) {
        sli_slab *slab = &out->slab[out->count++];
        slab->at = f->from[i];
        slab->along = f->dir[i];
        slab->axis = -1;
        sli_number_set(0, true, &slab->reach);
    }
}

static void make_flat(const frame *f, sli_slabs *out, bool *unsure)
{
    for (int flat = 2; flat >= 0; flat--) {
        const int view = ray_obb_lead(f->cross[flat], unsure);
        if (view < 0) {
            continue;
        }
        sli_slab *plane = add_slab(out, f, f->cross[flat], flat);
        sli_number_set(0, true, &plane->reach);
        const int facing = sli_number_sign(&f->cross[flat][view], unsure);
        for (int i = 2; i >= 0; i--) { /* slabs with lower faces come first */
            add_rim(out, f, i, view, facing, f->cross[flat], unsure);
        }
        return;
    }
    for (int i = 0; i < 3; i++) {
        const int view = ray_obb_lead(f->axis[i], unsure);
        if (view >= 0) {
            make_stick(f, f->axis[i], view, out, unsure);
            return;
        }
    }
    make_point(f, out);
}

static void make_slabs(const sli_path *path, const sl_obb *box, bool exact, sli_slabs *out,
                       bool *unsure)
{
    frame f;
    make_frame(path, box, exact, &f);
    sli_number volume;
    sli_number_dot(f.axis[0], f.cross[0], &volume);
    const int hand = sli_number_sign(&volume, unsure);
    out->count = 0;
    if (hand == 0) {
        make_flat(&f, out, unsure);
        return;
    }
    sli_number_turn(&volume, hand);
    for (int i = 0; i < 3; i++) {
        sli_slab *slab = add_slab(out, &f, f.cross[i], i);
        sli_number_mul(&f.half[i], &volume, &slab->reach);
        turn_slab(slab, hand);
    }
}

int sli_path_obb(sli_path *path, const void *volume, sl_start_inside inside, bool exact, void *hit,
                 bool *unsure)
{
    const sl_obb *box = volume;
    sli_slabs slabs;
    if (!sli_obb_is_valid(box)) {
        return 0;
    }
    make_slabs(path, box, exact, &slabs, unsure);
    return (exact || !*unsure) && sli_path_slabs(path, &slabs, inside, hit, unsure);
}

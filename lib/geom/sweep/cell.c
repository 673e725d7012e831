/* Cells of the difference of a segment that moves and an obstacle, in numbers: which one a shape
 * enters, and which one is nearest. */
#include "lib/geom/sweep/cell.h"

#include "lib/base/inline.h"

static void make_way(const sli_way *way, bool exact, sli_number out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number_diff(way->head[axis], way->tail[axis], exact, &out[axis]);
    }
}

/* start - base - shifts. */
static void make_start(const sli_cell *cell, bool exact, sli_number m[3])
{
    make_way(&(sli_way){ cell->base, cell->start }, exact, m);
    for (int i = 0; i < cell->shift_count; i++) {
        sli_number factor, x;
        sli_number_set(cell->shift[i].factor, exact, &factor);
        for (int axis = 0; axis < 3; axis++) {
            sli_number_set(cell->shift[i].vector[axis], exact, &x);
            sli_number_mul(&x, &factor, &x);
            sli_number_sub(&m[axis], &x, &m[axis]);
        }
    }
}

/* out = r^2 size. */
static void reach_squared(const sli_cell_numbers *n, const sli_number *size, sli_number *out)
{
    sli_number_mul(&n->radius, &n->radius, out);
    sli_number_mul(out, size, out);
}

static void make_face(sli_cell_numbers *out)
{
    sli_number_cross(out->span[0], out->span[1], out->across_m);
    sli_number_dot(out->across_m, out->across_m, &out->size);
    sli_number_dot(out->m, out->across_m, &out->height);
    sli_number_dot(out->d, out->across_m, &out->speed);
}

static void make_quadratic(const sli_cell *cell, bool exact, sli_cell_numbers *out)
{
    sli_number reach;
    if (cell->dim == 0) {
        sli_number_copy3(out->m, out->across_m);
        sli_number_copy3(out->d, out->across_d);
        sli_number_set(1, exact, &out->size);
    } else {
        sli_number_cross(out->span[0], out->m, out->across_m);
        sli_number_cross(out->span[0], out->d, out->across_d);
        sli_number_dot(out->span[0], out->span[0], &out->size);
    }
    sli_number_dot(out->across_d, out->across_d, &out->q.a);
    sli_number_dot(out->across_m, out->across_d, &out->q.b);
    sli_number_dot(out->across_m, out->across_m, &out->q.c);
    reach_squared(out, &out->size, &reach);
    sli_number_sub(&out->q.c, &reach, &out->q.c);
}

void sli_cell_make(const sli_cell *cell, const double dir[3], const double radius[2], bool exact,
                   sli_cell_numbers *out)
{
    make_start(cell, exact, out->m);
    for (int axis = 0; axis < 3; axis++) {
        sli_number_set(dir[axis], exact, &out->d[axis]);
    }
    for (int i = 0; i < cell->dim; i++) {
        make_way(&cell->span[i], exact, out->span[i]);
    }
    sli_number_diff(radius[0], -radius[1], exact, &out->radius);
    if (cell->dim == 2) {
        make_face(out);
    } else {
        make_quadratic(cell, exact, out);
    }
}

/* Makes t and the discriminant of the quadratic: r^2 a - |m x d|^2, or e.e (r^2 a - (m . (e x
 * d))^2); returns its sign.  Not inlined, so that its numbers are off the stack where feet and
 * cones are decided. */
static SLI_NOINLINE int make_root(const sli_cell *cell, sli_cell_numbers *n, bool *unsure)
{
    sli_number part, cross[3];
    if (cell->dim == 0) {
        sli_number_cross(n->m, n->d, cross);
        sli_number_dot(cross, cross, &part);
    } else {
        sli_number_dot(n->m, n->across_d, &part);
        sli_number_mul(&part, &part, &part);
    }
    reach_squared(n, &n->q.a, &n->q.part);
    sli_number_sub(&n->q.part, &part, &n->q.part);
    sli_number_copy(&n->size, &n->q.scale);
    const int sign = sli_number_sign(&n->q.part, unsure);
    if (sign > 0) {
        sli_root_estimate(&n->q, SLI_ROOT_ENTRY, &n->t);
    } else if (sign == 0) {
        sli_number_div(&n->q.b, &n->q.a, &n->t);
        sli_number_turn(&n->t, -1);
    }
    return sign;
}

static void make_face_time(sli_cell_numbers *n)
{
    sli_number_sqrt(&n->size, &n->t);
    sli_number_mul(&n->t, &n->radius, &n->t);
    sli_number_turn(&n->t, n->side);
    sli_number_sub(&n->t, &n->height, &n->t);
    sli_number_div(&n->t, &n->speed, &n->t);
}

/* Exact signs of x + y t: of a face that of (x d - y h + y s r sqrt(n.n)) / d. */
static int sign_at_face(const sli_cell_numbers *n, const sli_number *x, const sli_number *y)
{
    sli_number a, b;
    bool unsure = false; /* all is exact here */
    sli_number_mul(x, &n->speed, &a);
    sli_number_mul(y, &n->height, &b);
    sli_number_sub(&a, &b, &a);
    sli_number_mul(y, &n->radius, &b);
    sli_number_turn(&b, n->side);
    return sli_number_sign_with_root(&a, &b, &n->size, &unsure) * n->speed.sign;
}

/* Of a root t = (-b - sqrt(D)) / a that of A - y sqrt(D), A = a x - b y; where the two terms have
 * different signs that of A times that of A^2 - y^2 D = a (a x^2 - 2 b x y + c y^2). */
static int sign_at_root(const sli_cell_numbers *n, const sli_number *x, const sli_number *y)
{
    sli_number ax, by, middle;
    sli_number_mul(&n->q.a, x, &ax);
    sli_number_mul(&n->q.b, y, &by);
    sli_number_sub(&ax, &by, &middle);
    const int other = n->grazes ? 0 : -y->sign;
    if (middle.sign * other >= 0) {
        return middle.sign != 0 ? middle.sign : other;
    }
    /* (a x - b y) x + (c y - b x) y */
    sli_number_mul(&middle, x, &ax);
    sli_number_mul(&n->q.b, x, &by);
    sli_number_mul(&n->q.c, y, &middle);
    sli_number_sub(&middle, &by, &middle);
    sli_number_mul(&middle, y, &middle);
    sli_number_add(&ax, &middle, &ax);
    return -other * ax.sign;
}

/* The sign of x + y t at the entry; y NULL: of x alone. */
static int sign_at(const sli_cell *cell, const sli_cell_numbers *n, const sli_number *x,
                   const sli_number *y, bool *unsure)
{
    if (y == NULL) {
        return sli_number_sign(x, unsure);
    }
    sli_number sum;
    bool doubt = false;
    sli_number_mul(y, &n->t, &sum);
    sli_number_add(&sum, x, &sum);
    const int sign = sli_number_sign(&sum, &doubt);
    if (!doubt) {
        return sign;
    }
    if (n->size.n < 0) {
        *unsure = true;
        return 0;
    }
    return cell->dim == 2 ? sign_at_face(n, x, y) : sign_at_root(n, x, y);
}

int sli_cell_compare_t(const sli_cell *cell, const sli_cell_numbers *numbers, const sli_number *x,
                       bool *unsure)
{
    sli_number one, minus;
    sli_number_set(1, numbers->size.n >= 0, &one);
    sli_number_copy(x, &minus);
    sli_number_turn(&minus, -1);
    return sign_at(cell, numbers, &minus, &one, unsure);
}

/* v . (m + t d), as x + y t; where at_start x alone matters. */
typedef struct linear {
    sli_number x, y;
} linear;

static void make_linear(const sli_number v[3], const sli_number m[3], const sli_number d[3],
                        bool at_start, linear *out)
{
    sli_number_dot(v, m, &out->x);
    if (!at_start) {
        sli_number_dot(v, d, &out->y);
    }
}

/* out = limit size - a - b; b may be NULL. */
static void take_from(double limit, const sli_number *size, const linear *a, const linear *b,
                      bool at_start, linear *out)
{
    if (limit == 1) {
        sli_number_copy(size, &out->x);
    } else {
        sli_number_set(limit, size->n >= 0, &out->x);
        sli_number_mul(&out->x, size, &out->x);
    }
    sli_number_sub(&out->x, &a->x, &out->x);
    if (!at_start) {
        sli_number_copy(&a->y, &out->y);
        sli_number_turn(&out->y, -1);
    }
    if (b != NULL) {
        sli_number_sub(&out->x, &b->x, &out->x);
        if (!at_start) {
            sli_number_sub(&out->y, &b->y, &out->y);
        }
    }
}

static int sign_of(const sli_cell *cell, const sli_cell_numbers *n, const linear *l, bool at_start,
                   bool *unsure)
{
    return sign_at(cell, n, &l->x, at_start ? NULL : &l->y, unsure);
}

/* False: surely not. */
static bool is_positive(const sli_cell *cell, const sli_cell_numbers *n, const linear *l,
                        bool at_start, bool *unsure)
{
    bool doubt = false;
    const int sign = sign_of(cell, n, l, at_start, &doubt);
    *unsure = *unsure || doubt;
    return doubt || sign > 0;
}

/* Whether the foot lies strictly within the spans. */
static bool has_foot(const sli_cell *cell, const sli_cell_numbers *n, bool at_start, bool *unsure)
{
    linear along[2];
    for (int i = 0; i < cell->dim; i++) {
        if (cell->dim == 1) {
            make_linear(n->span[0], n->m, n->d, at_start, &along[0]);
        } else {
            sli_number v[3];
            sli_number_cross(i == 0 ? n->span[1] : n->across_m, i == 0 ? n->across_m : n->span[0],
                             v);
            make_linear(v, n->m, n->d, at_start, &along[i]);
        }
        if (!is_positive(cell, n, &along[i], at_start, unsure)) {
            return false;
        }
        if (!cell->cut || i == 1) {
            linear rest;
            take_from(cell->limit[i], &n->size, &along[i], cell->cut ? &along[0] : NULL, at_start,
                      &rest);
            if (!is_positive(cell, n, &rest, at_start, unsure)) {
                return false;
            }
        }
    }
    return true;
}

/* Whether no direction of the cone leads nearer. */
static bool has_cone(const sli_cell *cell, const sli_cell_numbers *n, bool at_start, bool *unsure)
{
    for (int i = 0; i < cell->cone_count; i++) {
        sli_number g[3], across[3];
        linear along;
        int sign;
        make_way(&cell->cone[i], n->size.n >= 0, g);
        if (cell->dim == 2) {
            sli_number_dot(n->across_m, g, &along.x);
            sign = sli_number_sign(&along.x, unsure) * n->side;
        } else {
            if (cell->dim == 1) {
                sli_number_cross(n->span[0], g, across);
            }
            make_linear(cell->dim == 1 ? across : g, n->across_m, n->across_d, at_start, &along);
            sign = sign_of(cell, n, &along, at_start, unsure);
        }
        if (sign > 0) {
            return false;
        }
    }
    return true;
}

sli_cell_event sli_cell_entry(const sli_cell *cell, sli_cell_numbers *numbers, bool *unsure)
{
    numbers->grazes = false;
    if (cell->dim == 2) {
        numbers->side = -sli_number_sign(&numbers->speed, unsure);
        if (numbers->side == 0) {
            return SLI_CELL_NONE;
        }
        make_face_time(numbers);
    } else {
        if (sli_number_sign(&numbers->q.a, unsure) == 0) {
            return SLI_CELL_NONE;
        }
        const int sign = make_root(cell, numbers, unsure);
        if (sign < 0 || *unsure) {
            return SLI_CELL_NONE;
        }
        numbers->grazes = sign == 0;
    }
    bool doubt = false;
    const bool entered =
        has_foot(cell, numbers, false, &doubt) && has_cone(cell, numbers, false, &doubt);
    if (!entered) {
        return SLI_CELL_NONE;
    }
    *unsure = *unsure || doubt;
    return numbers->grazes ? SLI_CELL_GRAZES : SLI_CELL_ENTERS;
}

static void make_distance(const sli_cell *cell, const sli_cell_numbers *n, sli_cell_distance *out,
                          bool *unsure)
{
    sli_number square, reach;
    if (cell->dim == 2) {
        sli_number_mul(&n->height, &n->height, &square);
        out->motion = n->side * sli_number_sign(&n->speed, unsure);
    } else {
        sli_number_dot(n->across_m, n->across_m, &square);
        out->motion = sli_number_sign(&n->q.b, unsure);
    }
    reach_squared(n, &n->size, &reach);
    out->meets = sli_number_sign(&square, unsure) == 0;
    sli_number_sub(&square, &reach, &square);
    out->gap = sli_number_sign(&square, unsure);
}

bool sli_cell_is_nearest(const sli_cell *cell, sli_cell_numbers *numbers, sli_cell_distance *out,
                         bool *unsure)
{
    bool doubt = false;
    if (cell->dim == 2) {
        numbers->side = sli_number_sign(&numbers->height, &doubt);
    }
    if (!has_foot(cell, numbers, true, &doubt) || !has_cone(cell, numbers, true, &doubt)) {
        return false;
    }
    *unsure = *unsure || doubt;
    make_distance(cell, numbers, out, unsure);
    return true;
}

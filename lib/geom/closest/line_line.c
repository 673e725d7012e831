/* The closest points of two lines in space, of limits 0, 1 or none.
 *
 * With n = d1 x d2 the lines are nearest at s = ((o2 - o1) x d2) . n / |n|^2 and t = ((o2 - o1) x
 * d1) . n / |n|^2, at a distance of |(o2 - o1) . n| / |n|.  If both lie within the limits, that is
 * the answer.  Otherwise (and if n is zero) one of the two is at an end or, if they are parallel,
 * may as well be at its start: there are up to four candidates, each an end with its closest point
 * on the other path, and the nearest wins.  All comparisons are signs of degree 6 at most in the
 * given floats.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1.9, for the cases; solved with |n|^2,
 *          as (d1 . d1)(d2 . d2) - (d1 . d2)^2 cancels for nearly parallel paths. */
#include "lib/base/fpenv.h"
#include "lib/geom/closest/projection.h"
#include "lib/geom/exact/arithmetic/round_root.h"
#include "lib/geom/exact/valid.h"

#include <sightline/closest.h>

typedef struct path {
    sli_number origin[3], dir[3];
    bool begins, ends; /* at 0, at 1 */
} path;

typedef struct pair {
    const path *a, *b;
    sli_number between[3]; /* origin of b - origin of a */
    bool exact;
} pair;

/* The end or start of a path, with the closest point on the other path. */
typedef struct candidate {
    bool of_a;                 /* the end is that of path a */
    int end;                   /* 0 or 1: its parameter on its own path */
    sli_number along;          /* parameter on the other path, times projection.bottom */
    sli_projection projection; /* on the other path */
} candidate;

/* Other limits would need more than degree 6. */
static bool is_usable(const sl_line *a)
{
    return sli_line_is_valid(a) && (a->tmin == 0 || isinf(a->tmin)) &&
           (a->tmax == 1 || isinf(a->tmax));
}

static void make_path(const sl_line *a, bool exact, path *out)
{
    sli_number_set3(a->origin, exact, out->origin);
    sli_number_diff3(a->head, a->tail, exact, out->dir);
    out->begins = a->tmin == 0;
    out->ends = a->tmax == 1;
}

/* Whether num / den, den > 0, is within the limits of the path. */
static bool is_within(const path *p, const sli_number *num, const sli_number *den, bool *unsure)
{
    sli_number rest;
    if (p->begins && sli_number_sign(num, unsure) < 0) {
        return false;
    }
    sli_number_sub(den, num, &rest);
    return !p->ends || sli_number_sign(&rest, unsure) >= 0;
}

static void end_point(const path *p, int end, sli_number out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = p->origin[axis];
        if (end == 1) {
            sli_number_add(&out[axis], &p->dir[axis], &out[axis]);
        }
    }
}

static void project_on_end(const path *on, int end, const sli_number point[3], bool exact,
                           candidate *out)
{
    sli_number base[3], w[3];
    end_point(on, end, base);
    sli_number_sub3(point, base, w);
    sli_projection_on_point(base, w, exact, &out->projection);
    sli_number_set(end, exact, &out->along);
}

/* Makes a candidate of an end of one path. */
static void make_candidate(const pair *p, bool of_a, int end, candidate *out, bool *unsure)
{
    const path *from = of_a ? p->a : p->b, *on = of_a ? p->b : p->a;
    sli_number point[3], w[3], size, rest;
    out->of_a = of_a;
    out->end = end;
    end_point(from, end, point);
    sli_number_sub3(point, on->origin, w);
    sli_number_dot(on->dir, on->dir, &size);
    sli_number_dot(w, on->dir, &out->along);
    sli_number_sub(&out->along, &size, &rest);
    const int side = sli_number_sign(&out->along, unsure);
    if (sli_number_sign(&size, unsure) == 0 || (on->begins && side <= 0)) {
        project_on_end(on, 0, point, p->exact, out);
    } else if (on->ends && sli_number_sign(&rest, unsure) >= 0) {
        project_on_end(on, 1, point, p->exact, out);
    } else {
        sli_projection_on_line(on->origin, w, on->dir, &out->along, &out->projection);
    }
}

/* The sign of n1 / d1 - n2 / d2, for positive denominators. */
static int compare_ratios(const sli_number *n1, const sli_number *d1, const sli_number *n2,
                          const sli_number *d2, bool *unsure)
{
    sli_number left, right;
    sli_number_mul(n1, d2, &left);
    sli_number_mul(n2, d1, &right);
    sli_number_sub(&left, &right, &left);
    return sli_number_sign(&left, unsure);
}

/* |s| as num / den. */
static void size_of_s(const candidate *c, bool exact, sli_number *num, sli_number *den,
                      bool *unsure)
{
    if (c->of_a) {
        sli_number_set(c->end, exact, num);
        sli_number_set(1, exact, den);
        return;
    }
    *num = c->along;
    *den = c->projection.bottom;
    if (sli_number_sign(num, unsure) < 0) {
        sli_number_turn(num, -1);
    }
}

static bool is_better(const candidate *c, const candidate *than, bool exact, bool *unsure)
{
    const int nearer = compare_ratios(&c->projection.square, &c->projection.over,
                                      &than->projection.square, &than->projection.over, unsure);
    if (nearer != 0) {
        return nearer < 0;
    }
    sli_number n1, d1, n2, d2;
    size_of_s(c, exact, &n1, &d1, unsure);
    size_of_s(than, exact, &n2, &d2, unsure);
    return compare_ratios(&n1, &d1, &n2, &d2, unsure) < 0;
}

static void round_point(const sli_number x[3], float out[3], bool *unsure)
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = sli_number_round(&x[axis], unsure);
    }
}

/* The answer if one of the two is at an end. */
static void from_ends(const pair *p, sl_closest_pair *out, bool *unsure)
{
    static const struct {
        bool of_a;
        int end;
    } order[4] = { { true, 0 }, { false, 0 }, { true, 1 }, { false, 1 } };
    candidate best, next;
    make_candidate(p, true, 0, &best, unsure);
    for (int i = 1; i < 4; i++) {
        if (order[i].end == 1 && !(order[i].of_a ? p->a : p->b)->ends) {
            continue;
        }
        make_candidate(p, order[i].of_a, order[i].end, &next, unsure);
        if (is_better(&next, &best, p->exact, unsure)) {
            best = next;
        }
    }
    sli_number end[3];
    end_point(best.of_a ? p->a : p->b, best.end, end);
    round_point(end, best.of_a ? out->on_first : out->on_second, unsure);
    sli_projection_point(&best.projection, best.of_a ? out->on_second : out->on_first, unsure);
    const float other = sli_number_round_ratio(&best.along, &best.projection.bottom, unsure);
    out->s = best.of_a ? (float)best.end : other;
    out->t = best.of_a ? other : (float)best.end;
    out->distance = sli_projection_distance(&best.projection, unsure);
}

static void line_line_point(const path *p, const sli_number *num, const sli_number *den,
                            float point[3], bool *unsure)
{
    sli_number x[3];
    sli_number_scale3(den, p->origin, x);
    sli_number_step3(num, p->dir, 1, x);
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = sli_number_round_ratio(&x[axis], den, unsure);
    }
}

/* The answer if the lines are nearest within all limits; otherwise false. */
static bool from_lines(const pair *p, const sli_number normal[3], const sli_number *size,
                       sl_closest_pair *out, bool *unsure)
{
    sli_number cross[3], s, t, height;
    sli_number_cross(p->between, p->b->dir, cross);
    sli_number_dot(cross, normal, &s);
    sli_number_cross(p->between, p->a->dir, cross);
    sli_number_dot(cross, normal, &t);
    if (!is_within(p->a, &s, size, unsure) || !is_within(p->b, &t, size, unsure)) {
        return false;
    }
    out->s = sli_number_round_ratio(&s, size, unsure);
    out->t = sli_number_round_ratio(&t, size, unsure);
    line_line_point(p->a, &s, size, out->on_first, unsure);
    line_line_point(p->b, &t, size, out->on_second, unsure);
    sli_number_dot(p->between, normal, &height);
    out->distance = sli_round_height(&height, size, unsure);
    return true;
}

static void line_line_find(const sl_line *first, const sl_line *second, bool exact,
                           sl_closest_pair *out, bool *unsure)
{
    path a, b;
    make_path(first, exact, &a);
    make_path(second, exact, &b);
    pair p = { .a = &a, .b = &b, .exact = exact };
    sli_number normal[3], size;
    sli_number_sub3(b.origin, a.origin, p.between);
    sli_number_cross(a.dir, b.dir, normal);
    sli_number_dot(normal, normal, &size);
    out->parallel = sli_number_sign(&size, unsure) == 0;
    if (!*unsure && (out->parallel || !from_lines(&p, normal, &size, out, unsure))) {
        from_ends(&p, out, unsure);
    }
}

static SLI_NOINLINE bool check_and_find(const sl_line *a, const sl_line *b, sl_closest_pair *out)
{
    if (!is_usable(a) || !is_usable(b)) {
        return false;
    }
    bool unsure = false;
    line_line_find(a, b, false, out, &unsure);
    if (unsure) {
        unsure = false;
        line_line_find(a, b, true, out, &unsure);
    }
    return true;
}

bool sl_line_line(sl_line a, sl_line b, sl_closest_pair *out)
{
    return SLI_IN_FPENV(check_and_find(&a, &b, out));
}

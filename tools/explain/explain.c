/* explain/explain.c: finds every reason why a ray or a segment misses a triangle, for explain. */
#include "tools/explain/explain.h"

#include "tools/explain/big_integer.h"

#include <float.h>
#include <math.h>

const char *const explain_fault_words[FAULT_COUNT] = {
    [FAULT_NOT_FINITE] = "not_finite",  [FAULT_TOO_LARGE] = "too_large",
    [FAULT_NO_LENGTH] = "no_length",    [FAULT_LIMIT_NAN] = "limit_is_nan",
    [FAULT_LIMITS] = "tmin_above_tmax",
};

const char *const explain_reason_words[REASON_COUNT] = {
    [REASON_INVALID] = "invalid_ray", [REASON_LEFT_OUT] = "left_out",
    [REASON_SKIPPED] = "skipped",     [REASON_MASKED] = "masked",
    [REASON_CULLED] = "culled",       [REASON_ZERO_AREA] = "zero_area",
    [REASON_IN_PLANE] = "in_plane",   [REASON_PARALLEL] = "parallel",
    [REASON_MISSED] = "missed",       [REASON_BEFORE] = "before_tmin",
    [REASON_BEYOND] = "beyond_tmax",  [REASON_OPEN_END] = "open_end",
};

typedef struct vector {
    big_integer axis[3];
} vector;

static vector from_doubles(const double v[3])
{
    vector out;
    for (int axis = 0; axis < 3; axis++) {
        out.axis[axis] = big_integer_from_double(v[axis]);
    }
    return out;
}

static vector explain_subtract(const vector *a, const vector *b)
{
    vector out;
    for (int axis = 0; axis < 3; axis++) {
        out.axis[axis] = big_integer_subtract(&a->axis[axis], &b->axis[axis]);
    }
    return out;
}

static vector explain_cross(const vector *a, const vector *b)
{
    vector out;
    for (int axis = 0; axis < 3; axis++) {
        const int i = (axis + 1) % 3, j = (axis + 2) % 3;
        const big_integer first = big_integer_multiply(&a->axis[i], &b->axis[j]);
        const big_integer second = big_integer_multiply(&a->axis[j], &b->axis[i]);
        out.axis[axis] = big_integer_subtract(&first, &second);
    }
    return out;
}

static big_integer explain_dot(const vector *a, const vector *b)
{
    big_integer sum = { { 0 } };
    for (int axis = 0; axis < 3; axis++) {
        const big_integer product = big_integer_multiply(&a->axis[axis], &b->axis[axis]);
        sum = big_integer_add(&sum, &product);
    }
    return sum;
}

/* The line through the ray or segment. */
static void get_line(const explain_query *q, vector *origin, vector *dir)
{
    *origin = from_doubles(q->is_segment ? q->segment.p : q->ray.origin);
    *dir = from_doubles(q->is_segment ? q->segment.q : q->ray.dir);
    if (q->is_segment) {
        *dir = explain_subtract(dir, origin);
    }
}

/* Where the line crosses the plane of the triangle, and on which side of each edge: the reasons
 * that plain arithmetic can give. */
static void look_at_plane(const explain_query *q, const sl_triangle_d *triangle, explanation *out)
{
    vector origin, dir, to[3];
    get_line(q, &origin, &dir);
    for (int i = 0; i < 3; i++) {
        const vector corner = from_doubles(triangle->v[i]);
        to[i] = explain_subtract(&corner, &origin);
    }
    const vector e1 = explain_subtract(&to[1], &to[0]);
    const vector e2 = explain_subtract(&to[2], &to[0]);
    const vector normal = explain_cross(&e1, &e2);
    const big_integer along = explain_dot(&dir, &normal);
    const big_integer height = explain_dot(&to[0], &normal);
    bool zero_area = true;
    for (int axis = 0; axis < 3; axis++) {
        zero_area = zero_area && big_integer_sign(&normal.axis[axis]) == 0;
    }
    out->reasons[REASON_ZERO_AREA] = zero_area;
    const bool mirrored = subject_is_mirrored(q, out->is.instance);
    out->facing = mirrored ? big_integer_sign(&along) : -big_integer_sign(&along);
    out->crosses = out->facing != 0;
    if (!out->crosses) {
        out->reasons[REASON_IN_PLANE] = !zero_area && big_integer_sign(&height) == 0;
        out->reasons[REASON_PARALLEL] = !zero_area && big_integer_sign(&height) != 0;
        return;
    }
    out->t = big_integer_to_double(&height) / big_integer_to_double(&along) + 0.0;
    for (int i = 0; i < 3; i++) {
        const vector across = explain_cross(&to[(i + 1) % 3], &to[(i + 2) % 3]);
        const big_integer volume = explain_dot(&dir, &across);
        out->weights[i] =
            big_integer_to_double(&volume) / big_integer_to_double(&along) + 0.0; /* no -0 */
        out->missed[i] = big_integer_sign(&volume) * big_integer_sign(&along) < 0;
        out->reasons[REASON_MISSED] = out->reasons[REASON_MISSED] || out->missed[i];
    }
}

/* Sides are those of the object: what is its back is the front of a mirrored triangle. */
static bool explain_decide(const explain_query *q, const sl_ray_d *ray,
                           const sl_triangle_d *triangle, const sl_options *options,
                           explanation *out)
{
    static const sl_cull other[] = { [SL_CULL_NONE] = SL_CULL_NONE,
                                     [SL_CULL_BACK] = SL_CULL_FRONT,
                                     [SL_CULL_FRONT] = SL_CULL_BACK };
    sl_options turned = *options;
    if (!subject_is_mirrored(q, out->is.instance)) {
        return subject_decide(q, ray, triangle, options, &out->at);
    }
    turned.cull = other[options->cull];
    const bool hit = subject_decide(q, ray, triangle, &turned, &out->at);
    out->at.flags ^= hit ? SL_HIT_BACK : 0;
    return hit;
}

/* The library's verdict on the ray as it is, then without what could stand in its way. */
static bool ask_library(const explain_query *q, const sl_triangle_d *triangle, explanation *out)
{
    sl_options options = { .flags = q->query.flags & (SL_OPEN_START | SL_OPEN_END),
                           .cull = q->query.cull };
    const bool hit = explain_decide(q, &q->ray, triangle, &options, out);
    const bool front_only = options.cull == SL_CULL_BACK;
    out->reasons[REASON_CULLED] =
        options.cull != SL_CULL_NONE && out->facing == (front_only ? -1 : 1);
    options.cull = SL_CULL_NONE;
    if (hit || explain_decide(q, &q->ray, triangle, &options, out)) {
        return hit;
    }
    if (q->is_segment) {
        const uint32_t flags = options.flags;
        options.flags = 0;
        const bool touches = explain_decide(q, NULL, triangle, &options, out);
        out->reasons[REASON_OPEN_END] = flags != 0 && touches;
        if (!touches && out->crosses && !out->reasons[REASON_MISSED]) {
            out->reasons[out->t < 0.5 ? REASON_BEFORE : REASON_BEYOND] = true;
        }
        return false;
    }
    sl_ray_d line = q->ray;
    line.tmin = -INFINITY;
    if (explain_decide(q, &line, triangle, &options, out)) {
        out->reasons[REASON_BEFORE] = true;
        return false;
    }
    line.tmin = q->ray.tmin;
    line.tmax = INFINITY;
    out->reasons[REASON_BEYOND] = explain_decide(q, &line, triangle, &options, out);
    return false;
}

/* A coordinate as intersect.h takes it; floats stay as they are. */
static double explain_taken(double x)
{
    return ldexp(rint(ldexp(x, 149)), -149);
}

void explain_faults(const explain_query *q, bool faults[FAULT_COUNT])
{
    const double *from = q->is_segment ? q->segment.p : q->ray.origin;
    const double *to = q->is_segment ? q->segment.q : q->ray.dir;
    for (int i = 0; i < FAULT_COUNT; i++) {
        faults[i] = false;
    }
    faults[FAULT_NO_LENGTH] = true;
    for (int i = 0; i < 6; i++) {
        const double x = i < 3 ? from[i] : to[i - 3];
        faults[FAULT_NOT_FINITE] |= !isfinite(x);
        faults[FAULT_TOO_LARGE] |= isfinite(x) && fabs(x) > (double)FLT_MAX;
        faults[FAULT_NO_LENGTH] &=
            i < 3 || explain_taken(x) == (q->is_segment ? explain_taken(from[i - 3]) : 0);
    }
    faults[FAULT_LIMIT_NAN] = !q->is_segment && (isnan(q->ray.tmin) || isnan(q->ray.tmax));
    faults[FAULT_LIMITS] = !q->is_segment && q->ray.tmin > q->ray.tmax;
}

bool explain_is_valid(const explain_query *q)
{
    bool faults[FAULT_COUNT];
    bool valid = true;
    explain_faults(q, faults);
    for (int i = 0; i < FAULT_COUNT; i++) {
        valid = valid && !faults[i];
    }
    return valid;
}

static double distance_to(const explain_query *q, const sl_triangle_d *triangle)
{
    double dir[3];
    if (!q->is_segment) {
        return explain_miss_distance(q->ray.origin, q->ray.dir, q->ray.tmin, q->ray.tmax, triangle);
    }
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = q->segment.q[axis] - q->segment.p[axis];
    }
    return explain_miss_distance(q->segment.p, dir, 0, 1, triangle);
}

static bool is_skipped(const sl_options *options, sl_triangle_ref is)
{
    bool named = false;
    for (size_t i = 0; i < options->skip_count; i++) {
        named =
            named || (options->skip[i].prim == is.prim && options->skip[i].instance == is.instance);
    }
    return named;
}

void explain_triangle(const explain_query *q, sl_triangle_ref is, explanation *out)
{
    *out = (explanation){ .is = is, .at = { .prim = SL_NONE }, .distance = INFINITY };
    sl_triangle_d triangle;
    const bool is_there = sl_bvh_triangle(q->in.bvh, is, triangle.v);
    out->reasons[REASON_LEFT_OUT] = !is_there;
    out->reasons[REASON_INVALID] = !explain_is_valid(q);
    out->reasons[REASON_SKIPPED] = is_skipped(&q->query, is);
    out->reasons[REASON_MASKED] = q->query.mask != 0 && (subject_mask(q, is) & q->query.mask) == 0;
    bool hit = false;
    const bool geometry = is_there && !out->reasons[REASON_INVALID];
    if (geometry) {
        look_at_plane(q, &triangle, out);
        hit = ask_library(q, &triangle, out);
        out->distance =
            out->at.prim != SL_NONE && !out->reasons[REASON_BEFORE] && !out->reasons[REASON_BEYOND]
                ? 0
                : distance_to(q, &triangle);
    }
    out->hit = hit && !out->reasons[REASON_SKIPPED] && !out->reasons[REASON_MASKED];
    bool geometric = false; /* some reason but skip and mask, which the library was not told of */
    for (int i = 0; i < REASON_COUNT; i++) {
        geometric = geometric || (out->reasons[i] && i != REASON_SKIPPED && i != REASON_MASKED);
    }
    if (out->at.prim != SL_NONE) {
        out->at.prim = is.prim;
        out->at.instance = is.instance;
    }
    out->contradicted = hit == geometric;
}

/* The distance to one; infinite for one that was left out. */
static double distance_within(const explain_query *q, sl_triangle_ref is)
{
    sl_triangle_d triangle;
    sl_hit_d hit;
    if (!sl_bvh_triangle(q->in.bvh, is, triangle.v)) {
        return INFINITY;
    }
    return subject_decide(q, &q->ray, &triangle, NULL, &hit) ? 0 : distance_to(q, &triangle);
}

sl_triangle_ref explain_nearest(const explain_query *q)
{
    sl_triangle_ref nearest = { .prim = SL_NONE, .instance = 0 };
    double least = INFINITY;
    const size_t instances = explain_is_valid(q) ? mesh_in_instances(&q->in) : 0;
    for (uint32_t instance = 0; instance < instances; instance++) {
        const size_t prims = mesh_in_prims(&q->in, instance);
        for (uint32_t prim = 0; prim < prims; prim++) {
            const sl_triangle_ref is = { .prim = prim, .instance = instance };
            const double distance = distance_within(q, is);
            if (distance < least) {
                least = distance;
                nearest = is;
            }
        }
    }
    return nearest;
}

/* explain/explain.c: finds every reason why a ray or a segment misses a triangle, for explain. */
#include "tools/explain/explain.h"

#include "tools/explain/big_integer.h"

#include <math.h>

const char *const explain_fault_words[FAULT_COUNT] = {
    [FAULT_NOT_FINITE] = "not_finite",
    [FAULT_NO_LENGTH] = "no_length",
    [FAULT_LIMIT_NAN] = "limit_is_nan",
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

static vector from_floats(const float v[3])
{
    vector out;
    for (int axis = 0; axis < 3; axis++) {
        out.axis[axis] = big_integer_from_float(v[axis]);
    }
    return out;
}

static vector subtract(const vector *a, const vector *b)
{
    vector out;
    for (int axis = 0; axis < 3; axis++) {
        out.axis[axis] = big_integer_subtract(&a->axis[axis], &b->axis[axis]);
    }
    return out;
}

static vector cross(const vector *a, const vector *b)
{
    vector out;
    for (int axis = 0; axis < 3; axis++) {
        const int i = (axis + 1) % 3;
        const int j = (axis + 2) % 3;
        const big_integer first = big_integer_multiply(&a->axis[i], &b->axis[j]);
        const big_integer second = big_integer_multiply(&a->axis[j], &b->axis[i]);
        out.axis[axis] = big_integer_subtract(&first, &second);
    }
    return out;
}

static big_integer dot(const vector *a, const vector *b)
{
    big_integer sum = { { 0 } };
    for (int axis = 0; axis < 3; axis++) {
        const big_integer product = big_integer_multiply(&a->axis[axis], &b->axis[axis]);
        sum = big_integer_add(&sum, &product);
    }
    return sum;
}

/* The line through the ray or segment. */
static void get_line(const explain_question *q, vector *origin, vector *dir)
{
    *origin = from_floats(q->is_segment ? q->segment.p : q->ray.origin);
    *dir = from_floats(q->is_segment ? q->segment.q : q->ray.dir);
    if (q->is_segment) {
        *dir = subtract(dir, origin);
    }
}

/* Where the line crosses the plane of the triangle, and on which side of each edge: the reasons
 * that plain arithmetic can give. */
static void look_at_plane(const explain_question *q, const sl_triangle *triangle, explanation *out)
{
    vector origin, dir, to[3];
    get_line(q, &origin, &dir);
    for (int i = 0; i < 3; i++) {
        const vector corner = from_floats(triangle->v[i]);
        to[i] = subtract(&corner, &origin);
    }
    const vector e1 = subtract(&to[1], &to[0]);
    const vector e2 = subtract(&to[2], &to[0]);
    const vector normal = cross(&e1, &e2);
    const big_integer along = dot(&dir, &normal);
    const big_integer height = dot(&to[0], &normal);
    bool zero_area = true;
    for (int axis = 0; axis < 3; axis++) {
        zero_area = zero_area && big_integer_sign(&normal.axis[axis]) == 0;
    }
    out->reasons[REASON_ZERO_AREA] = zero_area;
    out->facing = -big_integer_sign(&along);
    out->crosses = out->facing != 0;
    if (!out->crosses) {
        out->reasons[REASON_IN_PLANE] = !zero_area && big_integer_sign(&height) == 0;
        out->reasons[REASON_PARALLEL] = !zero_area && big_integer_sign(&height) != 0;
        return;
    }
    out->t = big_integer_to_double(&height) / big_integer_to_double(&along) + 0.0;
    for (int i = 0; i < 3; i++) {
        const vector across = cross(&to[(i + 1) % 3], &to[(i + 2) % 3]);
        const big_integer volume = dot(&dir, &across);
        out->weights[i] =
            big_integer_to_double(&volume) / big_integer_to_double(&along) + 0.0; /* no -0 */
        out->missed[i] = big_integer_sign(&volume) * big_integer_sign(&along) < 0;
        out->reasons[REASON_MISSED] = out->reasons[REASON_MISSED] || out->missed[i];
    }
}

static bool query_triangle(const explain_question *q, const sl_ray *ray,
                           const sl_triangle *triangle, const sl_query *query, sl_hit *hit)
{
    return q->is_segment ? sl_segment_triangle(&q->segment, triangle, query, hit)
                         : sl_ray_triangle(ray, triangle, query, hit);
}

/* The library's verdict on the ray as it is, then without what could stand in its way. */
static bool ask_library(const explain_question *q, const sl_triangle *triangle, explanation *out)
{
    sl_query query = { .flags = q->query.flags & (SL_OPEN_START | SL_OPEN_END),
                       .cull = q->query.cull,
                       .stats = &out->stats };
    const bool hit = query_triangle(q, &q->ray, triangle, &query, &out->at);
    const bool front_only = query.cull == SL_CULL_BACK;
    out->reasons[REASON_CULLED] =
        query.cull != SL_CULL_NONE && out->facing == (front_only ? -1 : 1);
    query.stats = NULL;
    query.cull = SL_CULL_NONE;
    if (hit || query_triangle(q, &q->ray, triangle, &query, &out->at)) {
        return hit;
    }
    if (q->is_segment) {
        const uint32_t flags = query.flags;
        query.flags = 0;
        const bool touches = query_triangle(q, NULL, triangle, &query, &out->at);
        out->reasons[REASON_OPEN_END] = flags != 0 && touches;
        if (!touches && out->crosses && !out->reasons[REASON_MISSED]) {
            out->reasons[out->t < 0.5 ? REASON_BEFORE : REASON_BEYOND] = true;
        }
        return false;
    }
    sl_ray line = q->ray;
    line.tmin = -INFINITY;
    if (query_triangle(q, &line, triangle, &query, &out->at)) {
        out->reasons[REASON_BEFORE] = true;
        return false;
    }
    line.tmin = q->ray.tmin;
    line.tmax = INFINITY;
    out->reasons[REASON_BEYOND] = query_triangle(q, &line, triangle, &query, &out->at);
    return false;
}

static bool is_finite(const float v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

void explain_faults(const explain_question *q, bool faults[FAULT_COUNT])
{
    const float *from = q->is_segment ? q->segment.p : q->ray.origin;
    const float *to = q->is_segment ? q->segment.q : q->ray.dir;
    bool still = true;
    for (int axis = 0; axis < 3; axis++) {
        still = still && to[axis] == (q->is_segment ? from[axis] : 0);
    }
    faults[FAULT_NOT_FINITE] = !is_finite(from) || !is_finite(to);
    faults[FAULT_NO_LENGTH] = still;
    faults[FAULT_LIMIT_NAN] = !q->is_segment && (isnan(q->ray.tmin) || isnan(q->ray.tmax));
    faults[FAULT_LIMITS] = !q->is_segment && q->ray.tmin > q->ray.tmax;
}

bool explain_is_valid(const explain_question *q)
{
    bool faults[FAULT_COUNT];
    bool valid = true;
    explain_faults(q, faults);
    for (int i = 0; i < FAULT_COUNT; i++) {
        valid = valid && !faults[i];
    }
    return valid;
}

static double distance_to(const explain_question *q, const sl_triangle *triangle)
{
    double origin[3], dir[3];
    for (int axis = 0; axis < 3; axis++) {
        origin[axis] = (double)(q->is_segment ? q->segment.p[axis] : q->ray.origin[axis]);
        dir[axis] = q->is_segment ? q->segment.q[axis] - origin[axis] : (double)q->ray.dir[axis];
    }
    const double tmin = q->is_segment ? 0 : (double)q->ray.tmin;
    const double tmax = q->is_segment ? 1 : (double)q->ray.tmax;
    return explain_miss_distance(origin, dir, tmin, tmax, triangle);
}

void explain_triangle(const explain_question *q, uint32_t prim, explanation *out)
{
    *out = (explanation){ .prim = prim, .at = { .prim = SL_NONE }, .distance = INFINITY };
    const sl_query *query = &q->query;
    sl_triangle triangle;
    const bool is_there = sl_mesh_triangle(q->mesh, prim, &triangle);
    out->reasons[REASON_LEFT_OUT] = !is_there;
    out->reasons[REASON_INVALID] = !explain_is_valid(q);
    out->reasons[REASON_SKIPPED] = (query->flags & SL_USE_SKIP) != 0 &&
                                   (query->skip[0].prim == prim || query->skip[1].prim == prim);
    out->reasons[REASON_MASKED] =
        (query->flags & SL_USE_MASK) != 0 &&
        ((q->masks != NULL ? q->masks[prim] : UINT32_MAX) & query->mask) == 0;
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
    out->at.prim = out->at.prim != SL_NONE ? prim : SL_NONE;
    out->contradicted = hit == geometric;
}

uint32_t explain_nearest(const explain_question *q)
{
    uint32_t nearest = SL_NONE;
    double least = INFINITY;
    const size_t count = explain_is_valid(q) ? sl_mesh_triangle_count(q->mesh) : 0;
    for (uint32_t prim = 0; prim < count; prim++) {
        sl_triangle triangle;
        if (!sl_mesh_triangle(q->mesh, prim, &triangle)) {
            continue;
        }
        const bool touches = query_triangle(q, &q->ray, &triangle, NULL, NULL);
        const double distance = touches ? 0 : distance_to(q, &triangle);
        if (distance < least) {
            least = distance;
            nearest = prim;
        }
    }
    return nearest;
}

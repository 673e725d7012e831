/* Lines against a box, by slabs, decided exactly.
 *
 * The span inside the box begins at the last of tmin and the crossings of the three near faces, and
 * ends at the first of tmax and the crossings of the three far faces; the box is missed if it ends
 * before it begins.  Deciding that takes no division, and no rounded point is tested against a
 * face.
 * Source   Kay and Kajiya, Ray Tracing Complex Scenes (1986), for the slabs. */
#include "lib/geom/intersect/paths.h"

/* Moves an end of the span to a face if that is later, with towards 1, or earlier, with -1.  Where
 * both coincide, a face wins over a limit, and the face of a lower axis, which is visited first,
 * over that of a higher one. */
static void clip_to_face(sli_path *path, sli_path_location face, int towards,
                         sli_path_location *end)
{
    if (isinf(face.value)) {
        return;
    }
    const int order = sli_path_compare(path, face, *end) * towards;
    if (order > 0 || (order == 0 && end->axis == SLI_AT_T)) {
        *end = face;
    }
}

bool sli_path_aabb(sli_path *path, const sl_aabb *box, sli_path_span *out)
{
    const sli_path_location first = { SLI_AT_T, path->tmin }, last = { SLI_AT_T, path->tmax };
    sli_path_location begin = first, end = last;
    bool between =
        true; /* strictly between the faces of the axes that the path does not move along */
    for (int axis = 0; axis < 3; axis++) {
        const double low = box->min[axis], high = box->max[axis], origin = path->origin[axis];
        if (!(low <= high)) {
            return false;
        }
        if (path->sign[axis] == 0) {
            if (origin < low || origin > high) {
                return false;
            }
            between = between && origin > low && origin < high;
            continue;
        }
        const bool up = path->sign[axis] > 0;
        if (low == INFINITY || high == -INFINITY) {
            return false;
        }
        clip_to_face(path, (sli_path_location){ axis, up ? low : high }, 1, &begin);
        clip_to_face(path, (sli_path_location){ axis, up ? high : low }, -1, &end);
    }
    if (sli_path_compare(path, begin, end) > 0) {
        return false;
    }
    const bool leaves_later = end.axis == SLI_AT_T || sli_path_compare(path, end, first) > 0;
    *out = (sli_path_span){ begin, end, begin.axis == SLI_AT_T && between && leaves_later };
    return true;
}

static sl_box_face face_at(const sli_path *path, sli_path_location at, bool entry)
{
    return at.axis == SLI_AT_T ? SL_BOX_FACE_NONE
                               : (sl_box_face)(2 * at.axis + ((path->sign[at.axis] > 0) != entry));
}

static void ray_aabb_fill(const sli_path *path, const sli_path_span *span, bool at_end,
                          sl_aabb_hit *hit)
{
    sli_path_location at = at_end ? span->end : span->begin;
    *hit = (sl_aabb_hit){ .t0 = sli_path_t(path, span->begin),
                          .t1 = sli_path_t(path, span->end),
                          .entry = face_at(path, span->begin, true),
                          .exit = face_at(path, span->end, false),
                          .inside = span->inside };
    hit->face = at_end ? hit->exit : hit->entry;
    if (at.axis == SLI_AT_T && isinf(at.value)) {
        /* t0 is -inf: the path is a point or the box is unbounded. */
        at = hit->t1 < 0 ? span->end : (sli_path_location){ SLI_AT_T, 0 };
    }
    hit->t = sli_path_t(path, at);
    for (int axis = 0; axis < 3; axis++) {
        hit->point[axis] = sli_path_coordinate(path, at, axis);
    }
    if (hit->face != SL_BOX_FACE_NONE) {
        hit->normal[hit->face / 2] = hit->face % 2 == 1 ? 1.0f : -1.0f;
    }
}

int sli_path_aabb_hit(sli_path *path, const void *volume, sl_start_inside inside, bool exact,
                      void *hit, bool *unsure)
{
    (void)exact, (void)unsure;
    sli_path_span span;
    if (!sli_path_aabb(path, volume, &span)) {
        return false;
    }
    const bool at_end = span.inside && inside == SL_INSIDE_HOLLOW;
    if ((span.inside && inside >= SL_INSIDE_IGNORE) || (at_end && span.end.axis == SLI_AT_T)) {
        return false;
    }
    if (hit != NULL) {
        ray_aabb_fill(path, &span, at_end, hit);
    }
    return true;
}

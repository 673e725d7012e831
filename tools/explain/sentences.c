/* explain/sentences.c: the reasons of an explanation as sentences, for the text output of
 * explain. */
#include "tools/explain/print.h"

#include "tools/cli/report.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

/* One sentence, in text only. */
REPORT_PRINTF(2, 3) static void say(output *out, const char *format, ...)
{
    char line[512] = "  ";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + 2, sizeof line - 2, format, arguments);
    va_end(arguments);
    output_line(out, line);
}

/* Enough to tell one number from the next. */
static int digits_of(const explain_query *q)
{
    return q->in.scene != NULL ? 17 : 9;
}

void explain_say_invalid(output *out, const explain_query *q)
{
    static const char *const names[2][2] = { { "origin", "dir" }, { "p", "q" } };
    bool faults[FAULT_COUNT];
    explain_faults(q, faults);
    for (int i = 0; i < 2; i++) {
        const double *v = q->is_segment ? (i == 0 ? q->segment.p : q->segment.q)
                                        : (i == 0 ? q->ray.origin : q->ray.dir);
        for (int axis = 0; axis < 3; axis++) {
            if (!isfinite(v[axis])) {
                say(out, "%c of %s is %g, which is no place: nothing is hit.", "xyz"[axis],
                    names[q->is_segment][i], v[axis]);
            } else if (fabs(v[axis]) > (double)FLT_MAX) {
                say(out, "%c of %s is %g, beyond the range of floats: nothing is hit.", "xyz"[axis],
                    names[q->is_segment][i], v[axis]);
            }
        }
    }
    if (faults[FAULT_NO_LENGTH]) {
        say(out, q->is_segment
                     ? "p and q are the same point: a segment without length hits nothing."
                     : "dir is zero: such a ray hits nothing.");
    }
    if (faults[FAULT_LIMIT_NAN]) {
        say(out, "%s is nan: nothing is hit.", isnan(q->ray.tmin) ? "tmin" : "tmax");
    }
    if (faults[FAULT_LIMITS]) {
        const int digits = digits_of(q);
        say(out, "tmin %.*g is more than tmax %.*g: no t lies between.", digits, q->ray.tmin,
            digits, q->ray.tmax);
    }
}

static void say_missed(output *out, const explanation *e)
{
    for (int i = 0; i < 3; i++) {
        if (e->missed[i]) {
            say(out,
                "It crosses the plane at t %.9g, outside of edge %d-%d: vertex %d would weigh %.9g "
                "there.",
                e->t, (i + 1) % 3, (i + 2) % 3, i, e->weights[i]);
        }
    }
    say(out, "It passes the triangle at a distance of %.9g.", e->distance);
}

/* The exact t is on the wrong side even where the rounded one looks equal. */
static void say_limit(output *out, const explain_query *q, const explanation *e)
{
    const bool before = e->reasons[REASON_BEFORE];
    const double limit = q->is_segment ? (before ? 0 : 1) : (before ? q->ray.tmin : q->ray.tmax);
    const char *name =
        q->is_segment ? (before ? "0, its start" : "1, its end") : (before ? "tmin" : "tmax");
    const char *side = before ? "before" : "beyond";
    const bool floats = q->in.scene == NULL;
    const int digits = digits_of(q);
    const double t = floats || e->at.prim == SL_NONE ? e->t : e->at.t;
    if (floats ? (float)t == (float)limit : t == limit) {
        say(out, "It meets the triangle %s %s, by less than a %s can show.", side, name,
            floats ? "float" : "double");
    } else if (q->is_segment) {
        say(out, "Its line meets the triangle at t %.*g, %s %s.", digits, t, side, name);
    } else {
        say(out, "It meets the triangle at t %.*g, %s %s %.*g.", digits, t, side, name, digits,
            limit);
    }
}

static void say_masked(output *out, const explain_query *q, const explanation *e)
{
    const uint32_t mask = subject_mask(q, e->is);
    if ((mask & q->query.mask) != 0) {
        say(out, "Its mask in the tree file shares no bit with --mask 0x%" PRIX32 ".",
            q->query.mask);
    } else {
        say(out, "%s 0x%" PRIX32 " shares no bit with --mask 0x%" PRIX32 ".",
            q->in.scene != NULL ? "The mask of its instance" : "Its mask", mask, q->query.mask);
    }
}

void explain_say(output *out, const explain_query *q, const explanation *e, explain_reason reason)
{
    switch (reason) {
    case REASON_INVALID:
        explain_say_invalid(out, q);
        break;
    case REASON_LEFT_OUT:
        say(out, q->in.scene != NULL
                     ? "The triangle, or its instance, was left out: it cannot be used."
                     : "The triangle was left out of the mesh: an index or a coordinate is bad.");
        break;
    case REASON_SKIPPED:
        say(out, "--skip names the triangle.");
        break;
    case REASON_MASKED:
        say_masked(out, q, e);
        break;
    case REASON_CULLED:
        say(out, "The ray comes from its %s, and --cull %s leaves that out.",
            e->facing > 0 ? "front" : "back", e->facing > 0 ? "front" : "back");
        break;
    case REASON_ZERO_AREA:
        say(out, "The triangle has no area: no ray hits it.");
        break;
    case REASON_IN_PLANE:
        say(out, "The ray lies in the plane of the triangle: that is no hit.");
        break;
    case REASON_PARALLEL:
        say(out, "The ray runs along the plane of the triangle, beside it at a distance of %.9g.",
            e->distance);
        break;
    case REASON_MISSED:
        say_missed(out, e);
        break;
    case REASON_BEFORE:
    case REASON_BEYOND:
        say_limit(out, q, e);
        break;
    case REASON_OPEN_END:
        say(out, "It touches the triangle with an end that is open.");
        break;
    case REASON_COUNT:
        break;
    }
}

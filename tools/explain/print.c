/* explain/print.c: the fields of what explain prints. */
#include "tools/explain/print.h"

#include "tools/input/scene.h"

#include <math.h>

/* As many digits as tell one number from the next. */
static out_value print_number(const explain_query *q, double x)
{
    return q->in.scene != NULL ? value_double(x) : value_float((float)x);
}

static void print_plane(output *out, const explain_query *q, const explanation *e)
{
    const out_value nothing = value_nothing();
    const bool met = e->at.prim != SL_NONE;
    out_value weights[3];
    for (int i = 0; i < 3; i++) {
        weights[i] = e->crosses ? value_rounded(e->weights[i], 9) : nothing;
    }
    output_field(out, "t",
                 met          ? print_number(q, e->at.t)
                 : e->crosses ? value_rounded(e->t, 9)
                              : nothing);
    output_field(out, "u", met ? value_float(e->at.u) : weights[1]);
    output_field(out, "v", met ? value_float(e->at.v) : weights[2]);
    output_fields(out, "weights", weights, 3);
    output_field(out, "side",
                 e->facing == 0 ? nothing : value_text(e->facing > 0 ? "front" : "back"));
    output_field(out, "on",
                 !met ? nothing
                      : value_text((e->at.flags & SL_HIT_VERTEX) != 0 ? "vertex"
                                   : (e->at.flags & SL_HIT_EDGE) != 0 ? "edge"
                                                                      : "inside"));
    output_field(out, "distance", isfinite(e->distance) ? value_rounded(e->distance, 9) : nothing);
}

static void print_name(output *out, const explain_query *q, sl_triangle_ref is)
{
    if (q->in.scene != NULL) {
        output_field(out, "instance", value_count(is.instance));
        output_field(out, "name", value_text(scene_in_name(q->in.scene, is.instance)));
    }
    output_field(out, "prim", value_count(is.prim));
    output_field(out, "face", mesh_in_face(mesh_in_mesh(&q->in, is.instance), is.prim));
}

/* The words of what is true. */
static size_t pick_words(const bool *is, const char *const *words, int count, out_value *to)
{
    size_t picked = 0;
    for (int i = 0; i < count; i++) {
        if (is[i]) {
            to[picked++] = value_text(words[i]);
        }
    }
    return picked;
}

void explain_print_triangle(output *out, const explain_query *q, const explanation *e,
                            const subject_hits *a, const char *title)
{
    output_record_begin(out, title);
    print_name(out, q, e->is);
    output_field(out, "hit", value_bool(e->hit));
    out_value words[REASON_COUNT];
    const size_t count = pick_words(e->reasons, explain_reason_words, REASON_COUNT, words);
    if (count == 0 && out->format == OUTPUT_TEXT) {
        output_field(out, "reasons_against", value_text("none"));
    } else {
        output_fields(out, "reasons_against", words, count);
    }
    const size_t place = subject_find(a, e->is);
    output_field(out, "place_among_hits",
                 place < a->count ? value_count(place + 1) : value_nothing());
    print_plane(out, q, e);
    output_record_end(out);
    for (int i = 0; i < REASON_COUNT; i++) {
        if (e->reasons[i]) {
            explain_say(out, q, e, (explain_reason)i);
        }
    }
}

void explain_print_query(output *out, const explain_query *q)
{
    out_value values[3];
    const double *from = q->is_segment ? q->segment.p : q->ray.origin;
    const double *to = q->is_segment ? q->segment.q : q->ray.dir;
    for (int i = 0; i < 2; i++) {
        for (int axis = 0; axis < 3; axis++) {
            values[axis] = print_number(q, i == 0 ? from[axis] : to[axis]);
        }
        output_fields(out, q->is_segment ? (i == 0 ? "p" : "q") : (i == 0 ? "origin" : "dir"),
                      values, 3);
    }
    if (!q->is_segment) {
        output_field(out, "tmin", print_number(q, q->ray.tmin));
        output_field(out, "tmax", print_number(q, q->ray.tmax));
    }
    bool faults[FAULT_COUNT];
    out_value words[FAULT_COUNT];
    explain_faults(q, faults);
    const size_t count = pick_words(faults, explain_fault_words, FAULT_COUNT, words);
    output_field(out, "valid", value_bool(count == 0));
    if (count > 0) {
        output_fields(out, "faults", words, count);
    }
}

void explain_print_walk(output *out, const explain_query *q, const subject_hits *a)
{
    const sl_stats *s = &a->stats;
    output_field(out, "hits", value_count(a->count));
    output_record_begin(out, "walk");
    output_field(out, "nodes", value_count(s->nodes));
    output_field(out, "boxes", value_count(s->boxes));
    output_field(out, "triangles", value_count(s->triangles));
    output_field(out, "decided_by_float", value_count(s->float_stage));
    output_field(out, "decided_by_double", value_count(s->double_stage));
    output_field(out, "decided_exactly", value_count(s->exact_stage));
    if (q->in.scene != NULL) {
        output_field(out, "instances", value_count(s->instances));
    }
    output_record_end(out);
}

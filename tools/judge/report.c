/* judge/report.c: rows of single errors, the sums of all answers, and the picture. */
#include "tools/judge/report.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *const judge_mode_words[] = {
    [JUDGE_CLOSEST] = "closest",   [JUDGE_ANY] = "any",         [JUDGE_ALL] = "all",
    [JUDGE_OCCLUDED] = "occluded", [JUDGE_OCCLUDED + 1] = NULL,
};

const char *const verdict_words[VERDICT_COUNT + 1] = {
    [VERDICT_MISS] = "miss",
    [VERDICT_HIT] = "hit",
    [VERDICT_TIE] = "tie",
    [VERDICT_TOUCH] = "touch",
    [VERDICT_LEAK] = "leak",
    [VERDICT_PHANTOM] = "phantom",
    [VERDICT_BESIDE] = "beside",
    [VERDICT_BEHIND] = "behind",
    [VERDICT_LIMITS] = "limits",
    [VERDICT_REPEATED] = "repeated",
    [VERDICT_T] = "t",
    [VERDICT_NO_TRIANGLE] = "no-triangle",
    [VERDICT_NOT_A_NUMBER] = "not-a-number",
};

/* Distinct for the colour-blind too, and none like the grey of the mesh. */
static const uint8_t colors[VERDICT_COUNT][3] = {
    [VERDICT_LEAK] = { 235, 50, 45 },
    [VERDICT_PHANTOM] = { 60, 190, 255 },
    [VERDICT_BESIDE] = { 245, 160, 20 },
    [VERDICT_BEHIND] = { 196, 110, 220 },
    [VERDICT_LIMITS] = { 80, 240, 80 },
    [VERDICT_REPEATED] = { 245, 232, 60 },
    [VERDICT_T] = { 0, 190, 140 },
    [VERDICT_NO_TRIANGLE] = { 250, 250, 250 },
    [VERDICT_NOT_A_NUMBER] = { 160, 160, 250 },
};

/* A row can be read as a ray, or a segment, again. */
static const out_column judged[] = {
    { "verdict", 13 }, { "ray", 9 },      { "t", 13 },          { "prim", 10 },
    { "instance", 9 }, { "exact_t", 13 }, { "exact_prim", 10 }, { "exact_instance", 14 },
    { "exact_u", 13 }, { "exact_v", 13 }, { "on", 7 },          { "t_of_prim", 13 },
};
enum { JUDGED = sizeof judged / sizeof judged[0] };

static const out_column asked[2][JUDGE_COLUMNS - JUDGED] = {
    { { "ox", 13 },
      { "oy", 13 },
      { "oz", 13 },
      { "dx", 13 },
      { "dy", 13 },
      { "dz", 13 },
      { "tmin", 13 },
      { "tmax", 13 } },
    { { "px", 13 }, { "py", 13 }, { "pz", 13 }, { "qx", 13 }, { "qy", 13 }, { "qz", 13 } },
};

static void begin_table(judge_report *r)
{
    if (!r->begun) {
        memcpy(r->columns, judged, sizeof judged);
        memcpy(r->columns + JUDGED, asked[r->segments], sizeof asked[0]);
        output_table_begin(&r->out, "errors", r->columns, JUDGED + (r->segments ? 6 : 8));
        r->begun = true;
    }
}

/* In text no heading stands over nothing. */
void judge_report_begin(judge_report *r)
{
    if (r->out.format != OUTPUT_TEXT) {
        begin_table(r);
    }
}

void judge_report_end(judge_report *r)
{
    if (r->begun) {
        output_table_end(&r->out);
    }
}

static out_value number(const judge *j, double x)
{
    return j->doubles ? value_double(x) : value_float((float)x);
}

static void put_row(judge_report *r, const judge *j, const judgement *what)
{
    const answer *said = what->said;
    const sl_hit_d *exact = what->exact;
    const bool is_hit = exact->prim != SL_NONE, names = j->mode != JUDGE_OCCLUDED;
    const double *const vectors[2] = { what->asked->origin, what->asked->dir };
    out_value values[JUDGE_COLUMNS] = {
        value_text(verdict_words[what->is]),
        value_count(what->ray),
        said != NULL && said->has_t ? value_double(said->t) : value_nothing(),
        said != NULL && said->has_prim && names ? value_double(said->prim) : value_nothing(),
        said != NULL && said->has_prim && names ? value_double(said->instance) : value_nothing(),
        is_hit ? number(j, exact->t) : value_nothing(),
        value_number(exact->prim),
        is_hit ? value_count(exact->instance) : value_nothing(),
        is_hit ? value_float(exact->u) : value_nothing(),
        is_hit ? value_float(exact->v) : value_nothing(),
        !is_hit ? value_nothing()
                : value_text((exact->flags & SL_HIT_VERTEX) != 0 ? "vertex"
                             : (exact->flags & SL_HIT_EDGE) != 0 ? "edge"
                                                                 : "inside"),
        what->named != NULL ? number(j, what->named->t) : value_nothing(),
    };
    for (int i = 0; i < 6; i++) {
        values[JUDGED + i] = number(j, vectors[i / 3][i % 3]);
    }
    values[JUDGED + 6] = number(j, what->asked->tmin);
    values[JUDGED + 7] = number(j, what->asked->tmax);
    begin_table(r);
    output_row(&r->out, values);
}

/* Where the exact hit is; else where the answer says that one is, or, if it only says that the ray
 * or segment is blocked, the end of that. */
static bool find_place(const judge *j, const judgement *what, double place[3])
{
    const sl_hit_d *hit = what->exact->prim != SL_NONE ? what->exact : what->named;
    sl_surface surface;
    if (hit != NULL && sl_bvh_surface(j->in->bvh, (sl_triangle_ref){ hit->instance, hit->prim },
                                      hit->u, hit->v, SL_DOUBLE, &surface)) {
        memcpy(place, surface.point, sizeof surface.point);
        return true;
    }
    if (j->segments) {
        memcpy(place, what->asked->dir, sizeof what->asked->dir);
        return true;
    }
    const bool ends = j->mode == JUDGE_OCCLUDED;
    const double t = ends                                      ? what->asked->tmax
                     : what->said != NULL && what->said->has_t ? what->said->t
                                                               : (double)INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        place[axis] = what->asked->origin[axis] + t * what->asked->dir[axis];
    }
    return isfinite(t);
}

void judge_report_put(judge_report *r, const judge *j, const judgement *what)
{
    double place[3];
    if (r->picture != NULL && find_place(j, what, place)) {
        marks_point(r->picture, (int)what->is, place, 2);
    }
    if (r->written[what->is] < r->limit) {
        r->written[what->is]++;
        put_row(r, j, what);
    }
}

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static void put_verdicts(output *out, const judge_sums *s)
{
    static const out_column titles[] = {
        { "verdict", 13 },   { "answers", 11 }, { "share", 11 },
        { "on_vertex", 10 }, { "on_edge", 10 }, { "near_edge", 10 },
    };
    uint64_t all = 0;
    for (int i = 0; i < VERDICT_COUNT; i++) {
        all += s->verdicts[i];
    }
    if (all == 0 && out->format == OUTPUT_TEXT) {
        return;
    }
    output_table_begin(out, "verdicts", titles, sizeof titles / sizeof titles[0]);
    for (int i = 0; i < VERDICT_COUNT; i++) {
        const out_value values[] = {
            value_text(verdict_words[i]),
            value_count(s->verdicts[i]),
            value_rounded(share(s->verdicts[i], all), 4),
            value_count(s->on_vertex[i]),
            value_count(s->on_edge[i]),
            value_count(s->near_edge[i]),
        };
        if (s->verdicts[i] > 0 || out->format == OUTPUT_JSON) {
            output_row(out, values);
        }
    }
    output_table_end(out);
}

static void put_steps(output *out, const judge_sums *s)
{
    static const out_column titles[] = { { "t_off_by_up_to", 14 },
                                         { "answers", 11 },
                                         { "share", 11 } };
    uint64_t all = 0;
    for (int i = 0; i < JUDGE_STEPS; i++) {
        all += s->steps[i];
    }
    if (all == 0 && out->format == OUTPUT_TEXT) {
        return;
    }
    output_table_begin(out, "t_steps", titles, sizeof titles / sizeof titles[0]);
    for (int i = 0; i < JUDGE_STEPS; i++) {
        const out_value values[] = {
            i + 1 == JUDGE_STEPS ? value_text("more")
                                 : value_count(i == 0 ? 0 : UINT64_C(1) << (i - 1)),
            value_count(s->steps[i]),
            value_rounded(share(s->steps[i], all), 4),
        };
        if (s->steps[i] > 0) {
            output_row(out, values);
        }
    }
    output_table_end(out);
}

void judge_report_sums(judge_report *r, const judge *j, bool fine)
{
    output *out = &r->out;
    const judge_sums *s = &j->sums;
    uint64_t errors = 0;
    for (int i = 0; i < VERDICT_COUNT; i++) {
        errors += verdict_is_error((verdict)i) ? s->verdicts[i] : 0;
    }
    if (out->format == OUTPUT_CSV) {
        return;
    }
    put_verdicts(out, s);
    put_steps(out, s);
    output_field(out, "file", value_text(j->in->name));
    output_field(out, "mode", value_text(judge_mode_words[j->mode]));
    output_field(out, "rays", value_count(s->rays));
    output_field(out, "answers", value_count(s->answers));
    output_field(out, "exact_hits", value_count(s->hits));
    output_field(out, "errors", value_count(errors));
    output_field(out, "t_relative_error", value_rounded(s->relative_error, 4));
    output_field(out, "fine", value_bool(fine));
}

canvas judge_report_picture(judge_report *r, const judge_sums *sums)
{
    mark_kind kinds[VERDICT_COUNT] = { { .text = "" } };
    for (int i = VERDICT_LEAK; i < VERDICT_COUNT; i++) {
        memcpy(kinds[i].color, colors[i], sizeof kinds[i].color);
        if (sums->verdicts[i] > 0) {
            snprintf(kinds[i].text, sizeof kinds[i].text, "%" PRIu64 " %s", sums->verdicts[i],
                     verdict_words[i]);
        }
        for (char *at = kinds[i].text; *at != '\0'; at++) {
            *at = (char)toupper((unsigned char)*at);
        }
    }
    return marks_finish(r->picture, kinds, VERDICT_COUNT);
}

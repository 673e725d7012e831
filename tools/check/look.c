/* check/look.c: finds the faults of a mesh, prints them and writes a repaired one. */
#include "tools/check/check.h"
#include "tools/cli/report.h"
#include "tools/input/note.h"
#include "tools/output/mesh_file.h"

#include <sightline/volumes.h>

#include <stdlib.h>

static void look_add(check_session *s, int kind, const sl_fault *fault)
{
    s->counts[kind]++;
    if (s->picture != NULL) {
        check_picture_add(s->picture, s->in.mesh, kind, fault);
    }
    if (check_rows_left(&s->rows, kind) > 0) {
        progress_clear(&s->in.bar);
        check_rows_put(&s->rows, kind, fault);
    }
}

static bool take_fault(void *user, const sl_fault *fault)
{
    check_session *s = user;
    look_add(s, (int)fault->kind, fault);
    if (s->intersections != NULL && fault->kind == SL_FAULT_DUPLICATE) {
        check_self_intersections_duplicate(s->intersections, fault);
    }
    return true;
}

static bool is_empty(const check_session *s)
{
    const sl_mesh_info info = sl_mesh_get_info(s->in.mesh);
    return info.triangle_count == info.left_out;
}

static int find_faults(check_session *s)
{
    const sl_fault_hook hook = { .found = take_fault, .user = s };
    const sl_hooks hooks = { .progress = progress_hook(&s->in.bar) };
    sl_error error;
    progress_begin(&s->in.bar, s->options->common.quiet);
    const sl_result result = sl_mesh_inspect(s->in.mesh, &hooks, &hook, &s->report, &error);
    progress_end(&s->in.bar);
    if (result != SL_OK) {
        return report_error(&error);
    }
    const sl_fault none = { .prim = SL_NONE, .other = SL_NONE, .vertex = { SL_NONE, SL_NONE } };
    if (is_empty(s)) {
        look_add(s, CHECK_NO_TRIANGLES, &none);
    }
    const sl_mesh_info info = sl_mesh_get_info(s->in.mesh);
    for (size_t i = 0; i < info.note_count; i++) {
        const sl_mesh_note_kind kind = info.notes[i].kind;
        if (kind != SL_NOTE_NOT_APPLIED && kind != SL_NOTE_NO_TRIANGLES && kind != SL_NOTE_HIDDEN) {
            look_add(s, CHECK_NOTE, &none);
        }
    }
    return EXIT_DONE;
}

/* A row for each pair, up to --limit. */
static void put_pairs(check_session *s, uint32_t prim, sl_triangle_ref *others, size_t capacity)
{
    const uint64_t left = check_rows_left(&s->rows, CHECK_INTERSECTION);
    if (left == 0) {
        return;
    }
    const size_t most = left < capacity ? (size_t)left : capacity;
    uint64_t total = 0;
    (void)sl_bvh_self_pairs(s->in.bvh, prim, 1, NULL, others, most, &total, NULL, NULL);
    for (size_t i = 0; i < total && i < most; i++) {
        const sl_fault pair = { .prim = prim,
                                .other = others[i].prim,
                                .vertex = { SL_NONE, SL_NONE } };
        progress_clear(&s->in.bar);
        check_rows_put(&s->rows, CHECK_INTERSECTION, &pair);
    }
}

/* Counts triangles: pairs may be as many as the square of that. */
static void take_triangle(check_session *s, uint32_t prim)
{
    const sl_fault fault = { .prim = prim, .other = SL_NONE, .vertex = { SL_NONE, SL_NONE } };
    s->counts[CHECK_INTERSECTION]++;
    if (s->picture != NULL) {
        check_picture_add(s->picture, s->in.mesh, CHECK_INTERSECTION, &fault);
    }
}

/* In blocks, for a bar that moves. */
static int find_intersections(check_session *s)
{
    const size_t count = sl_mesh_soup(s->in.mesh).triangle_count;
    sl_triangle_ref *others = malloc((count + 1) * sizeof *others);
    if (others == NULL) {
        return report_memory();
    }
    progress_begin(&s->in.bar, s->options->common.quiet);
    for (size_t prim = 0; prim < count;) {
        progress_show(&s->in.bar, "intersections", (double)prim / (double)count);
        for (const size_t end = check_self_intersections_find(s->intersections, prim); prim < end;
             prim++) {
            if (check_self_intersections_has(s->intersections, prim)) {
                take_triangle(s, (uint32_t)prim);
                put_pairs(s, (uint32_t)prim, others, count);
            }
        }
    }
    progress_end(&s->in.bar);
    free(others);
    return EXIT_DONE;
}

bool check_is_fine(const check_session *s)
{
    for (int kind = 0; kind < CHECK_KINDS; kind++) {
        if (s->counts[kind] > 0 && !s->allowed[kind]) {
            return false;
        }
    }
    return true;
}

static void put_summary(check_session *s)
{
    output *out = &s->out;
    const sl_mesh_info info = sl_mesh_get_info(s->in.mesh);
    const sl_mesh_report *r = &s->report;
    output_field(out, "file", value_text(s->in.name));
    output_field(out, "vertices", value_count(info.vertex_count));
    output_field(out, "triangles", value_count(info.triangle_count));
    output_field(out, "left_out", value_count(r->left_out));
    output_field(out, "not_finite_vertices", value_count(r->not_finite_vertices));
    output_field(out, "unused_vertices", value_count(r->unused_vertices));
    output_field(out, "duplicates", value_count(r->duplicates));
    output_field(out, "zero_area", value_count(r->zero_area));
    output_field(out, "edges", value_count(r->edges));
    output_field(out, "open_edges", value_count(r->open_edges));
    output_field(out, "nonmanifold_edges", value_count(r->nonmanifold_edges));
    output_field(out, "misoriented_edges", value_count(r->misoriented_edges));
    output_field(out, "intersecting_triangles",
                 s->options->no_intersections ? value_nothing()
                                              : value_count(s->counts[CHECK_INTERSECTION]));
    output_field(out, "closed", value_bool(r->closed));
    output_field(out, "fine", value_bool(check_is_fine(s)));
}

static int write_picture(check_session *s)
{
    const canvas image = check_picture_finish(s->picture, s->counts);
    return canvas_write(&image, s->options->picture);
}

static int look_weld(check_session *s, sl_mesh **welded, sl_weld_report *report)
{
    sl_error error;
    sl_weld_def def = { .drop = SL_DROP_LEFT_OUT | SL_DROP_ZERO_AREA | SL_DROP_DUPLICATES,
                        .hooks.progress = progress_hook(&s->in.bar) };
    progress_begin(&s->in.bar, s->options->common.quiet);
    const sl_result result = sl_mesh_weld(s->in.mesh, &def, welded, report, &error);
    progress_end(&s->in.bar);
    if (result != SL_OK) {
        (void)report_error(&error);
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

static int write_repaired(check_session *s)
{
    sl_mesh *welded = NULL;
    sl_weld_report report;
    int status = look_weld(s, &welded, &report);
    const mesh_out what = { .mesh = welded, .from = s->in.mesh };
    size_t vertices = 0;
    status = status == EXIT_DONE ? mesh_out_write(s->options->repair, &what, &vertices) : status;
    if (status == EXIT_DONE && !s->options->common.quiet) {
        mesh_out_warn(&what, s->in.name, s->options->repair);
    }
    if (status == EXIT_DONE && s->out.format != OUTPUT_CSV) {
        output_record_begin(&s->out, "repair");
        output_field(&s->out, "file", value_text(s->options->repair));
        output_field(&s->out, "vertices", value_count(vertices));
        output_field(&s->out, "triangles", value_count(sl_mesh_soup(welded).triangle_count));
        output_field(&s->out, "merged_vertices", value_count(report.merged_vertices));
        output_field(&s->out, "dropped_vertices", value_count(report.unused_vertices));
        output_field(&s->out, "dropped_left_out", value_count(report.left_out));
        output_field(&s->out, "dropped_zero_area", value_count(report.zero_area));
        output_field(&s->out, "dropped_duplicates", value_count(report.duplicates));
        mesh_out_report(&s->out, &what, s->options->repair);
        output_record_end(&s->out);
    }
    sl_mesh_destroy(welded);
    return status;
}

int check_look(check_session *s)
{
    check_rows_begin(&s->rows, &s->out, s->in.mesh, s->options->limit);
    if (!s->options->no_intersections) {
        s->intersections = check_self_intersections_create(&s->in);
    }
    int status = s->intersections == NULL && !s->options->no_intersections ? report_memory()
                                                                           : find_faults(s);
    status = status == EXIT_DONE && !s->options->no_intersections ? find_intersections(s) : status;
    check_rows_end(&s->rows);
    if (status == EXIT_DONE) {
        notes_report(&s->out, &s->in);
        put_summary(s);
    }
    status = status == EXIT_DONE && s->options->repair != NULL ? write_repaired(s) : status;
    status = status == EXIT_DONE && s->picture != NULL ? write_picture(s) : status;
    return status;
}

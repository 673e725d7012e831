/* select/draw.c: a picture of the region and of what it selects. */
#include "tools/cli/report.h"
#include "tools/select/select.h"

#include <string.h>

static bool is_selected(const void *context, const sl_hit *hit)
{
    const select_run *run = context;
    if (select_unit(run->options) >= SL_SELECT_EDGES) {
        return false;
    }
    return select_has(run, hit->instance, select_element_of(run, hit->instance, hit->prim));
}

static void draw_line(const marked_picture *p, const double *from, const double *to)
{
    marked_picture_line(p, from, to, 2, marked_ink);
}

/* The outline of a stroke: a circle at each end, and the sides between them. */
static void draw_brush(const marked_picture *p, const sl_region *region)
{
    marked_picture_ring(p, region->p, region->radius, 2, marked_ink);
    if (memcmp(region->p, region->q, sizeof region->p) != 0) {
        marked_picture_ring(p, region->q, region->radius, 2, marked_ink);
        draw_line(p, region->p, region->q);
    }
}

static void draw_region(const marked_picture *p, const sl_region *region)
{
    if (region->kind == SL_REGION_BRUSH) {
        draw_brush(p, region);
    } else if (region->kind == SL_REGION_LASSO) {
        for (size_t i = 0; i < region->corner_count; i++) {
            const size_t next = (i + 1) % region->corner_count;
            draw_line(p, region->corners + 2 * i, region->corners + 2 * next);
        }
    } else {
        const double corners[4][2] = { { region->p[0], region->p[1] },
                                       { region->q[0], region->p[1] },
                                       { region->q[0], region->q[1] },
                                       { region->p[0], region->q[1] } };
        for (int i = 0; i < 4; i++) {
            draw_line(p, corners[i], corners[(i + 1) % 4]);
        }
    }
}

typedef struct drawing {
    const select_run *run;
    const marked_picture *p;
} drawing;

static void draw_element(void *context, sl_selected selected)
{
    const drawing *to = context;
    const select_run *run = to->run;
    uint32_t side;
    double corners[3][3], ends[2][3], xy[2];
    const sl_triangle_ref triangle = { .instance = selected.instance,
                                       .prim = select_triangle_of(run, selected, &side) };
    if (!sl_bvh_triangle(run->in.bvh, triangle, corners)) {
        return;
    }
    memcpy(ends[0], corners[side % 3], sizeof ends[0]);
    memcpy(ends[1], corners[(side + 1) % 3], sizeof ends[1]);
    if (select_unit(run->options) == SL_SELECT_EDGES) {
        marked_picture_edge(to->p, &run->view, (const double(*)[3])ends, 2);
    } else if (sl_view_project(&run->view, ends[0], xy, NULL)) {
        marked_picture_spot(to->p, xy, 1.5, 3);
    }
}

int select_draw(select_run *run)
{
    marked_picture p;
    int status = marked_picture_make(&p, &run->in, &run->camera, &run->query, is_selected, run);
    if (status == EXIT_DONE) {
        if (select_unit(run->options) >= SL_SELECT_EDGES) {
            drawing to = { .run = run, .p = &p };
            select_each(run, draw_element, &to);
        }
        draw_region(&p, &run->region);
        status = marked_picture_write(&p, run->options->picture);
    }
    marked_picture_free(&p);
    return status;
}

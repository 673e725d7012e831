/* pick/draw.c: a picture of what was picked. */
#include "tools/pick/pick.h"

#include <string.h>

/* Whether a hit is on what was picked: on one of the faces of the file. */
static bool is_face_of(const pick_run *run, const sl_hit *hit, uint32_t instance, uint32_t prim)
{
    const sl_mesh *mesh = mesh_in_mesh(&run->in, instance);
    if (hit->instance != instance) {
        return false;
    }
    return mesh == NULL ? hit->prim == prim
                        : sl_mesh_face(mesh, hit->prim) == sl_mesh_face(mesh, prim);
}

static bool is_picked(const void *context, const sl_hit *hit)
{
    const pick_run *run = context;
    for (size_t i = 0; i < run->hit_count; i++) {
        if (is_face_of(run, hit, run->hits[i].instance, run->hits[i].prim)) {
            return true;
        }
    }
    for (size_t i = 0; i < run->pick_count; i++) {
        const sl_pick *pick = &run->picks[i];
        if (pick->kind == SL_PICK_FACE && is_face_of(run, hit, pick->instance, pick->prim)) {
            return true;
        }
    }
    return false;
}

static bool find_corners(const pick_run *run, uint32_t instance, uint32_t prim, double to[3][3])
{
    return sl_bvh_triangle(run->in.bvh, (sl_triangle_ref){ .instance = instance, .prim = prim },
                           to);
}

static void draw_side(const pick_run *run, const marked_picture *p, const double corners[3][3],
                      uint32_t side, double thickness)
{
    double ends[2][3];
    memcpy(ends[0], corners[side % 3], sizeof ends[0]);
    memcpy(ends[1], corners[(side + 1) % 3], sizeof ends[1]);
    marked_picture_edge(p, &run->view, (const double(*)[3])ends, thickness);
}

/* The outline of a triangle, so that a small one is seen, too. */
static void draw_triangle(const pick_run *run, const marked_picture *p, uint32_t instance,
                          uint32_t prim)
{
    double corners[3][3];
    for (uint32_t side = 0; find_corners(run, instance, prim, corners) && side < 3; side++) {
        draw_side(run, p, (const double(*)[3])corners, side, 1.5);
    }
}

static void draw_wire(const pick_run *run, const marked_picture *p, const sl_pick *pick)
{
    double ends[2][3];
    if (pick->kind == SL_PICK_MARK) {
        const sl_mark *mark = &sl_marks_get_info(run->marks).marks[pick->prim];
        memcpy(ends[0], mark->p, sizeof ends[0]);
        memcpy(ends[1], mark->q, sizeof ends[1]);
        marked_picture_edge(p, &run->view, (const double(*)[3])ends, 3);
    }
}

static void draw_picks(const pick_run *run, const marked_picture *p)
{
    for (size_t i = 0; i < run->hit_count; i++) {
        draw_triangle(run, p, run->hits[i].instance, run->hits[i].prim);
    }
    for (size_t i = 0; i < run->pick_count; i++) {
        const sl_pick *pick = &run->picks[i];
        double corners[3][3];
        if (pick->kind == SL_PICK_FACE) {
            draw_triangle(run, p, pick->instance, pick->prim);
            continue;
        }
        draw_wire(run, p, pick);
        if (pick->kind == SL_PICK_EDGE && find_corners(run, pick->instance, pick->prim, corners)) {
            draw_side(run, p, (const double(*)[3])corners, pick->corner, 3);
        }
        marked_picture_spot(p, pick->xy, 5, 2);
    }
}

int pick_draw(pick_run *run)
{
    const double at[2] = { (double)run->x, (double)run->y };
    marked_picture p;
    int status = marked_picture_make(&p, &run->in, &run->camera, &run->query, is_picked, run);
    if (status == EXIT_DONE) {
        draw_picks(run, &p);
        marked_picture_cross(&p, at);
        status = marked_picture_write(&p, run->options->picture);
    }
    marked_picture_free(&p);
    return status;
}

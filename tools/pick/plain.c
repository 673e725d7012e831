/* pick/plain.c: the triangles along the camera's ray, in floats, and how they are printed. */
#include "tools/cli/report.h"
#include "tools/pick/pick.h"

#include <stdlib.h>

int pick_plain_find(pick_run *run)
{
    const bool all = run->options->all;
    run->hit_count = all ? sl_bvh_all(run->in.bvh, &run->ray, &run->query, NULL, 0) : 1;
    run->hits = malloc((run->hit_count + 1) * sizeof *run->hits);
    if (run->hits == NULL) {
        return report_memory();
    }
    if (all) {
        sl_bvh_all(run->in.bvh, &run->ray, &run->query, run->hits, run->hit_count);
    } else {
        run->hit_count = sl_bvh_closest(run->in.bvh, &run->ray, &run->query, run->hits);
    }
    return EXIT_DONE;
}

static const out_column columns[] = {
    { "prim", 8 },      { "face", 8 },      { "t", 14 },        { "u", 12 },
    { "v", 12 },        { "side", 5 },      { "on", 6 },        { "point_x", 12 },
    { "point_y", 12 },  { "point_z", 12 },  { "normal_x", 12 }, { "normal_y", 12 },
    { "normal_z", 12 }, { "distance", 12 }, { "depth", 12 },
};
enum { NAMES_AT = sizeof columns / sizeof columns[0] };

static sl_hit fill_row(const pick_run *run, size_t at, out_value *row)
{
    const sl_hit *hit = &run->hits[at];
    row[0] = value_count(hit->prim);
    row[2] = value_float(hit->t);
    row[3] = value_float(hit->u);
    row[4] = value_float(hit->v);
    row[5] = value_text((hit->flags & SL_HIT_BACK) != 0 ? "back" : "front");
    row[6] = value_text((hit->flags & SL_HIT_VERTEX) != 0 ? "vertex"
                        : (hit->flags & SL_HIT_EDGE) != 0 ? "edge"
                                                          : "inside");
    pick_names(run, hit->instance, hit->prim, &row[1], &row[NAMES_AT]);
    hit_surface surface;
    if (!mesh_in_surface(&run->in, hit, &surface)) {
        return *hit;
    }
    double point[3];
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = run->ray.origin[axis] + (double)hit->t * (double)run->ray.dir[axis];
        row[7 + axis] = value_float(surface.point[axis]);
        row[10 + axis] = value_float(surface.normal[axis]);
    }
    row[13] = value_float((float)camera_in_distance(&run->camera, point));
    float depth, xy[2];
    if (sl_camera_project(&run->camera.camera, surface.point, xy, &depth)) {
        row[14] = value_float(depth);
    }
    return *hit;
}

const pick_form pick_plain_form = { .key = "hits",
                                    .columns = columns,
                                    .names_at = NAMES_AT,
                                    .vectors = { { "point", 7, 3 }, { "normal", 10, 3 } },
                                    .fill = fill_row };

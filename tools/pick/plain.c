/* pick/plain.c: the triangles along the camera's ray, in floats, and how they are printed. */
#include "tools/cli/report.h"
#include "tools/pick/pick.h"

#include <stdlib.h>
#include <string.h>

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

/* One row of answers, in the order of the columns below; the last two only of a scene. */
enum {
    NAMES_AT = 15,
    COLUMNS = NAMES_AT + PICK_NAMES,
    COLUMNS_OF_MESH = NAMES_AT + PICK_NAMES_OF_MESH
};
static const out_column columns[COLUMNS] = {
    { "prim", 8 },      { "face", 8 },      { "t", 14 },        { "u", 12 },
    { "v", 12 },        { "side", 5 },      { "on", 6 },        { "point_x", 12 },
    { "point_y", 12 },  { "point_z", 12 },  { "normal_x", 12 }, { "normal_y", 12 },
    { "normal_z", 12 }, { "distance", 12 }, { "depth", 12 },    { "part", 12 },
    { "material", 12 }, { "node", 12 },     { "instance", 8 },  { "name", 12 },
};

static size_t own_count(const pick_run *run)
{
    return run->in.scene != NULL ? COLUMNS : COLUMNS_OF_MESH;
}

static void fill_row(const pick_run *run, const sl_hit *hit, out_value row[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++) {
        row[i] = value_nothing();
    }
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
        return;
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
}

/* The same as fields, vectors together. */
static void print_hit(output *out, const pick_run *run)
{
    out_value row[COLUMNS];
    fill_row(run, &run->hits[0], row);
    for (size_t i = 0; i < own_count(run); i++) {
        if (i == 7 || i == 10) {
            output_fields(out, i == 7 ? "point" : "normal", &row[i], 3);
            i += 2;
        } else {
            output_field(out, columns[i].name, row[i]);
        }
    }
    pick_attribute_fields(run, &run->hits[0], out);
}

static void print_table(output *out, const pick_run *run)
{
    out_column all[COLUMNS + PICK_ATTRIBUTES];
    const size_t own = own_count(run);
    memcpy(all, columns, sizeof columns);
    output_table_begin(out, "hits", all, own + pick_attribute_columns(run, all + own));
    for (size_t i = 0; i < run->hit_count; i++) {
        out_value row[COLUMNS + PICK_ATTRIBUTES];
        fill_row(run, &run->hits[i], row);
        pick_attribute_values(run, &run->hits[i], row + own);
        output_row(out, row);
    }
    output_table_end(out);
}

int pick_plain_print(const pick_run *run)
{
    output out;
    bool table;
    const int status = pick_print_begin(run, run->hit_count > 0, &out, &table);
    if (status != EXIT_DONE) {
        return status;
    }
    if (table) {
        print_table(&out, run);
    } else if (run->hit_count > 0) {
        print_hit(&out, run);
    }
    return output_close(&out);
}

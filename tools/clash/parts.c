/* clash/parts.c: the parts of a mesh as elements: all triangles whose parts have one name are one
 * element, and parts without one are elements of their own.  Each is an instance of its own tree;
 * they are in the order of their first parts. */
#include "tools/clash/clash.h"
#include "tools/cli/report.h"

#include <stdlib.h>
#include <string.h>

/* A part, and the number of the first part of its element. */
typedef struct named_part {
    const char *name;
    size_t part, first;
} named_part;

static int compare_names(const void *a, const void *b)
{
    const named_part *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->part > y->part) - (x->part < y->part);
}

static int compare_firsts(const void *a, const void *b)
{
    const named_part *x = a, *y = b;
    return x->first != y->first ? (x->first < y->first ? -1 : 1)
                                : (x->part > y->part) - (x->part < y->part);
}

/* In the order of elements; returns how many elements there are. */
static size_t parts_sort(const sl_mesh *mesh, named_part *parts, size_t count)
{
    size_t elements = 0;
    for (size_t i = 0; i < count; i++) {
        sl_mesh_part part;
        (void)sl_mesh_get_part(mesh, i, &part);
        parts[i] = (named_part){ part.name[0] != '\0'   ? part.name
                                 : part.node[0] != '\0' ? part.node
                                                        : part.material,
                                 i, i };
    }
    qsort(parts, count, sizeof *parts, compare_names);
    for (size_t i = 0; i < count; i++) {
        const bool same =
            i > 0 && parts[i].name[0] != '\0' && strcmp(parts[i].name, parts[i - 1].name) == 0;
        parts[i].first = same ? parts[i - 1].first : parts[i].part;
        elements += !same;
    }
    qsort(parts, count, sizeof *parts, compare_firsts);
    return elements;
}

/* The corners of all triangles of some parts, one after another; NULL when out of memory. */
static float *parts_corners(const sl_mesh *mesh, const named_part *parts, size_t count,
                            size_t *corners)
{
    const sl_soup soup = sl_mesh_soup(mesh);
    sl_mesh_part part;
    size_t triangles = 0;
    for (size_t i = 0; i < count; i++) {
        (void)sl_mesh_get_part(mesh, parts[i].part, &part);
        triangles += part.count;
    }
    float *xyz = malloc((9 * triangles + 1) * sizeof *xyz);
    *corners = 0;
    for (size_t i = 0; i < count && xyz != NULL; i++) {
        (void)sl_mesh_get_part(mesh, parts[i].part, &part);
        for (size_t k = 3 * (size_t)part.first; k < 3 * ((size_t)part.first + part.count); k++) {
            if (soup.indices[k] != SL_NONE) {
                memcpy(xyz + 3 * (*corners)++, soup.xyz + 3 * (size_t)soup.indices[k],
                       3 * sizeof *xyz);
            }
        }
    }
    return xyz;
}

/* The tree over an element. */
static int parts_build(clash_run *run, const named_part *parts, size_t count, sl_bvh **out)
{
    const sl_build_def def = { .hooks.tasks = run->in[0].tasks };
    size_t corners;
    sl_mesh *own = NULL;
    sl_error error;
    float *xyz = parts_corners(run->in[0].mesh, parts, count, &corners);
    if (xyz == NULL) {
        return report_memory();
    }
    sl_result result = sl_mesh_from_arrays(xyz, corners, NULL, corners / 3, NULL, &own, &error);
    if (result == SL_OK) {
        result = sl_bvh_build(own, &def, out, &error);
    }
    sl_mesh_destroy(own);
    free(xyz);
    return result == SL_OK ? EXIT_DONE : report_error(&error);
}

/* A world of the elements, whose parts are sorted. */
static int parts_world(clash_run *run, const named_part *parts, size_t part_count)
{
    int status = EXIT_DONE;
    size_t element = 0;
    sl_instance *instances = malloc(run->part_count * sizeof *instances);
    if (instances == NULL) {
        return report_memory();
    }
    for (size_t i = 0; i < part_count && status == EXIT_DONE; element++) {
        size_t end = i + 1;
        while (end < part_count && parts[end].first == parts[i].first) {
            end++;
        }
        run->names[element] = parts[i].name[0] != '\0' ? parts[i].name : NULL;
        status = parts_build(run, parts + i, end - i, &run->parts[element]);
        instances[element] = sl_instance_of(run->parts[element]);
        i = end;
    }
    const sl_instances_def def = { .hooks.tasks = run->in[0].tasks,
                                   .bad = SL_BAD_INSTANCES_LEAVE_OUT };
    sl_error error;
    if (status == EXIT_DONE &&
        sl_bvh_build_instances(instances, element, &def, &run->world, &error) != SL_OK) {
        status = report_error(&error);
    }
    free(instances);
    return status;
}

int clash_build_parts(clash_run *run)
{
    const sl_mesh *mesh = run->in[0].mesh;
    const size_t count = sl_mesh_get_info(mesh).part_count;
    named_part *parts = malloc((count + 1) * sizeof *parts);
    if (parts == NULL) {
        return report_memory();
    }
    run->part_count = parts_sort(mesh, parts, count);
    run->parts = calloc(run->part_count + 1, sizeof *run->parts);
    run->names = calloc(run->part_count + 1, sizeof *run->names);
    int status = run->parts != NULL && run->names != NULL ? EXIT_DONE : report_memory();
    if (status == EXIT_DONE && run->part_count < 2) {
        status = report_input(run->in[0].name, 0,
                              "one mesh in one part has nothing to clash with; name a second mesh "
                              "or a scene, or look for self-intersections by 'sightline check'");
    }
    status = status == EXIT_DONE ? parts_world(run, parts, count) : status;
    free(parts);
    return status;
}

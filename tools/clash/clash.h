/* clash.h: what the parts of `sightline clash` share: a run of it, its reports and its picture. */
#pragma once

#include "tools/input/camera.h"
#include "tools/input/mesh.h"
#include "tools/output/output.h"

#include <sightline/clash.h>
#include <sightline/clashes.h>

typedef enum clash_mode { CLASH_LIST, CLASH_ANY, CLASH_COUNT, CLASH_CURVES } clash_mode;

typedef struct clash_options {
    int mode; /* a clash_mode */
    float margin;
    const char *relations, *of, *against, *out, *picture, *bcf;
    uint64_t limit;
    bool csv, solids;
    camera_options camera;
    mesh_options mesh;
    common_options common;
} clash_options;

/* What is clashed: two meshes or scenes, or the elements of one: the instances of a scene, or the
 * parts of a mesh. */
typedef struct clash_run {
    const invocation *call;
    const clash_options *options;
    mesh_in in[2]; /* the second is zeroed where elements of the first are clashed */
    sl_clash clash;
    /* A tree over all: of two the instances of the first come first. */
    sl_bvh *world;
    /* Of a mesh in parts: a tree and a name for each element.  Else NULL. */
    sl_bvh **parts;
    const char **names;
    size_t part_count;
    output out;
    bool is_no; /* the answer is no */
} clash_run;

/* What `sightline clash` finds, each with what the table says of it.  EXIT_DONE, or the status of a
 * reported error. */
int clash_pairs(clash_run *run);    /* clash/pairs.c: two meshes */
int clash_curves(clash_run *run);   /* clash/curves.c: where their surfaces cross */
int clash_elements(clash_run *run); /* clash/elements.c: within one */

extern const char *const clash_relation_words[]; /* by sl_relation */
extern const char *const clash_solid_words[];    /* by sl_solid_relation */

/* ---- clash/groups.c ---- */

/* What --of and --against say, in arrays that the caller frees by *bits, on failure too.
 * EXIT_DONE, or the status of a reported error: of a pattern that is like no name, for one. */
int clash_groups(clash_run *run, sl_clashes_def *def, uint32_t **bits);

/* ---- clash/parts.c ---- */

/* Makes run->world, parts and names of a mesh.  EXIT_DONE, or the status of a reported error. */
int clash_build_parts(clash_run *run);

/* Makes run->world of two: what is seen in a picture.  EXIT_DONE, or the status of a reported
 * error. */
int clash_world_of_two(clash_run *run);

/* The name of an element, or NULL; valid until the next call about that mesh. */
const char *clash_name(const clash_run *run, size_t mesh, uint32_t instance);

/* ---- clash/elements.c ---- */

/* How large an element is: the diagonal of its bounds. */
double clash_size(const clash_run *run, uint32_t instance);

/* Where two elements clash: a common point, one of the nearest two, or the middle of the one that
 * is inside the other. */
void clash_place(const clash_run *run, const sl_instance_clash *clash, double point[3]);

/* ---- clash/picture.c ---- */

/* A triangle, or where prim is SL_NONE a whole instance, and its colour. */
typedef enum clash_color {
    CLASH_RED,
    CLASH_ORANGE,
    CLASH_YELLOW,
    CLASH_BLUE,
    CLASH_COLORS
} clash_color;
typedef struct clash_mark {
    sl_triangle_ref triangle; /* of run->world */
    clash_color color;
} clash_mark;

/* Draws run->world with marks, which are sorted here; words: what each colour stands for, or NULL.
 * EXIT_DONE, or the status of a reported error. */
int clash_picture(const clash_run *run, clash_mark *marks, size_t count,
                  const char *const words[CLASH_COLORS]);

/* ---- clash/bcf.c ---- */

/* Refuses --bcf where there is no libzip.  EXIT_DONE or EXIT_FAILED. */
int clash_bcf_check(const clash_options *options);

/* A BCF 2.1 file of the clashes of elements, one topic each. */
int clash_bcf(clash_run *run, const sl_instance_clash *found, size_t count);

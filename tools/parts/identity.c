/* parts/identity.c: hashes of the mesh and its names, of the questions and of masks, and all
 * options that answers depend on. */
#include "tools/parts/part.h"

#include "tools/cli/report.h"
#include "tools/input/scene.h"
#include "tools/output/checksum.h"

#include <sightline/store.h>

#include <stdlib.h>
#include <string.h>

/* Options that no byte of an answer depends on, or whose files are told apart by what is in them.
 * Any other is part of the question. */
static const char *const left_out[] = {
    "rays",       "segments",
    "points",     "masks",
    "vertices",   "faces",
    "matrix",     "targets",
    "out",        "csv",
    "json",       "part",
    "resume",     "stats",
    "repeat",     "threads",
    "isa",        "color",
    "quiet",      "quality",
    "layout",     "brute",
    "verify",     "trusted",
    "max-memory", "max-build-memory",
    "box-filter",
};

static bool is_left_out(const char *name)
{
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++) {
        if (strcmp(left_out[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_reals(part_header *header, const option_row *row, const float *reals)
{
    char value[200] = "";
    size_t used = 0;
    for (int i = 0; i < row->length && used < sizeof value; i++) {
        used += (size_t)snprintf(value + used, sizeof value - used, "%s%.9g", i > 0 ? "," : "",
                                 (double)reals[i]);
    }
    part_header_add(header, row->name, value);
}

static void add_option(part_header *header, const option_row *row, const void *place)
{
    char value[32];
    switch (row->kind) {
    case OPTION_FLAG:
        part_header_add(header, row->name, *(const bool *)place ? "yes" : "no");
        break;
    case OPTION_COUNT:
        part_header_add_count(header, row->name, *(const uint64_t *)place);
        break;
    case OPTION_REAL:
        snprintf(value, sizeof value, "%.9g", (double)*(const float *)place);
        part_header_add(header, row->name, value);
        break;
    case OPTION_REALS:
        add_reals(header, row, place);
        break;
    case OPTION_TEXT:
        if (*(const char *const *)place != NULL) {
            part_header_add(header, row->name, *(const char *const *)place);
        }
        break;
    case OPTION_CHOICE:
        part_header_add(header, row->name, row->choices[*(const int *)place]);
        break;
    }
}

/* Flags, and what has a default, are said always; the others where they are given, as no mask and a
 * mask of 0 are not the same. */
static void add_options(part_header *header, const invocation *call)
{
    for (const option_group *group = call->command->groups; group->rows != NULL; group++) {
        for (const option_row *row = group->rows; row->name != NULL; row++) {
            const bool said =
                row->kind == OPTION_FLAG || row->fallback != NULL || options_given(call, row->name);
            if (said && !is_left_out(row->name)) {
                add_option(header, row, (const char *)call->options + group->offset + row->offset);
            }
        }
    }
}

/* The corners, the faces that triangles came from, and the names of parts; without those, a mesh
 * and its tree file are the same. */
static void add_mesh(checksum *sum, const sl_mesh *mesh, const sl_bvh *bvh)
{
    checksum_add_count(sum, bvh != NULL ? sl_bvh_mesh_hash(bvh) : sl_mesh_hash(mesh));
    const uint32_t triangles = mesh != NULL ? (uint32_t)sl_mesh_soup(mesh).triangle_count : 0;
    for (uint32_t prim = 0; prim < triangles; prim++) {
        if (sl_mesh_face(mesh, prim) != prim) {
            checksum_add_count(sum, (uint64_t)prim << 32 | sl_mesh_face(mesh, prim));
        }
    }
    const size_t parts = mesh != NULL ? sl_mesh_get_info(mesh).part_count : 0;
    for (size_t i = 0; i < parts; i++) {
        sl_mesh_part part;
        (void)sl_mesh_get_part(mesh, i, &part);
        checksum_add_text(sum, part.name);
        checksum_add_text(sum, part.material);
        checksum_add_text(sum, part.node);
        checksum_add_count(sum, (uint64_t)part.first << 32 | part.count);
    }
}

/* Every instance: which mesh, where, under which name and mask. */
static int add_scene(checksum *sum, scene_in *scene)
{
    uint64_t *hashes = calloc(scene->mesh_count + 1, sizeof *hashes);
    if (hashes == NULL) {
        return report_memory();
    }
    for (size_t i = 0; i < scene->mesh_count; i++) {
        checksum own = checksum_begin(2);
        add_mesh(&own, scene->meshes[i].mesh, scene->meshes[i].bvh);
        hashes[i] = checksum_end(&own);
    }
    for (uint64_t i = 0; i < scene->info.instance_count; i++) {
        const uint32_t number = (uint32_t)i;
        const scene_mesh *mesh = scene_in_mesh(scene, number);
        sl_transform place = sl_transform_identity();
        checksum_add_count(sum, mesh != NULL ? hashes[mesh - scene->meshes] : 0);
        checksum_add_count(sum, scene_in_mask(scene, number));
        if (scene_in_place(scene, number, &place)) {
            checksum_add(sum, place.m, sizeof place.m);
        }
        checksum_add_text(sum, scene_in_name(scene, number));
    }
    free(hashes);
    return EXIT_DONE;
}

static int hash_mesh(const mesh_in *in, uint64_t *hash)
{
    int status = EXIT_DONE;
    checksum sum = checksum_begin(in->scene != NULL);
    if (in->scene != NULL) {
        status = add_scene(&sum, in->scene);
    } else {
        add_mesh(&sum, in->mesh, in->bvh);
    }
    *hash = checksum_end(&sum);
    return status;
}

static void add_masks(part_header *header, const mesh_in *in)
{
    if (in->masks == NULL || in->mesh == NULL) {
        return;
    }
    checksum sum = checksum_begin(0);
    checksum_add(&sum, in->masks, sl_mesh_soup(in->mesh).triangle_count * sizeof *in->masks);
    part_header_add_hash(header, "masks", checksum_end(&sum));
}

int part_identity(const part_out *part, const part_question *question, part_header *header)
{
    char version[64];
    uint64_t mesh;
    const int status = hash_mesh(question->in, &mesh);
    if (status != EXIT_DONE) {
        return status;
    }
    snprintf(version, sizeof version, "%d.%d.%d", SL_VERSION_MAJOR, SL_VERSION_MINOR,
             SL_VERSION_PATCH);
    part_header_begin(header);
    part_header_add(header, "version", version);
    part_header_add(header, "command", question->call->command->name);
    part_header_add_hash(header, "mesh", mesh);
    if (question->hash != 0) {
        part_header_add_hash(header, "questions", question->hash);
    }
    part_header_add_count(header, "total", question->total);
    add_masks(header, question->in);
    add_options(header, question->call);
    part_header_add(header, "format", part->format);
    if (part->descr != NULL) {
        part_header_add(header, "row", part->descr);
        part_header_add_count(header, "columns", part->columns);
    }
    part_header_add_count(header, "of", part->of);
    part_header_add_count(header, "part", part->index);
    part_header_add_count(header, "first", part->first);
    part_header_add_count(header, "count", part->count);
    return part_header_end(header);
}

/* input/scene/reader.h: a scene file on its way in: what the files of this room share.
 *
 * Functions that return an int give EXIT_DONE, or the status of what they have reported.  `where`
 * is the place in the file that reports name, such as instances[3]; "" is the whole file. */
#pragma once

#include "tools/cli/report.h"
#include "tools/input/scene.h"

#include <jansson.h>

enum { SCENE_PATH_SIZE = 1024, SCENE_WHERE_SIZE = 160 };

typedef struct scene_reader {
    scene_in *in;
    const char *path;
    const json_t *meshes, *scenes; /* its named ones; NULL: none */
    json_t *mesh_numbers;          /* name to place in in->meshes, of those met so far */
    json_t *scene_numbers;         /* the same for in->lists */
    int depth;
} scene_reader;

/* ---- member.c ---- */

int scene_complain(const scene_reader *r, const char *where, const char *format, ...)
    REPORT_PRINTF(3, 4);

/* Refuses members that are not among the known ones, which end in NULL; what: "an instance". */
int scene_check_keys(const scene_reader *r, const json_t *object, const char *where,
                     const char *what, const char *const *known);
bool scene_is_missing(const json_t *object, const char *key);

/* count numbers of an array; wanted says what they are. */
int scene_read_numbers(const scene_reader *r, const json_t *object, const char *where,
                       const char *key, size_t count, const char *wanted, double *out);

/* A whole number of 32 bits; what is absent stays as it is. */
int scene_read_u32(const scene_reader *r, const json_t *object, const char *where, const char *key,
                   uint32_t *out);

/* The file that the member "file" means: from the folder of the scene file. */
int scene_find_path(const scene_reader *r, const char *where, const json_t *object,
                    char to[SCENE_PATH_SIZE]);
bool scene_is_there(const char *path);
int scene_check_there(const scene_reader *r, const char *where, const char *path);

/* ---- place.c ---- */

int scene_read_place(const scene_reader *r, const json_t *object, const char *where,
                     sl_transform *place);
int scene_read_grid(const scene_reader *r, const json_t *object, const char *where, double *grid);

/* ---- named.c ---- */

int scene_read_mesh(scene_reader *r, const char *name, uint32_t *mesh);

/* A scene by its name, or by the name of a file; place: where it is referred to, in named_by. */
int scene_read_named(scene_reader *r, const char *name, const char *place, uint32_t named_by,
                     uint32_t *list);
int scene_read_file(scene_reader *r, const char *where, const char *path, uint32_t named_by,
                    uint32_t *list);

/* ---- instance.c ---- */

int scene_read_list(scene_reader *r, const json_t *instances, const char *where, uint32_t list);

/* ---- json.c ---- */

/* From a stream, or where that is NULL from bytes.  NULL: scene_json_report says why. */
json_t *scene_json_parse(FILE *stream, const void *bytes, size_t size, json_error_t *error);
int scene_json_report(const char *name, const json_error_t *error);

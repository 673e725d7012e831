/* save/save.h: what the writers of mesh formats share: a mesh as it is saved, and a buffer in
 * front of a file.
 *
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/base/file/file.h"
#include "lib/mesh/mesh.h"

#include <sightline/mesh_repair.h>

#include <string.h>

typedef struct sli_saving {
    const sl_mesh *mesh;     /* its tables are by vertex where the format asks for that */
    const uint32_t *sources; /* of each vertex: which it was in xyz; NULL: the same */
    const float *xyz;
    const sl_save_def *def;
    bool flip_v;         /* the second texture coordinate runs the other way in the file */
    size_t vertex_count; /* set by the writer: of the file */
} sli_saving;

/* Writers: they set vertex_count. */
sl_result sli_save_obj(sli_saving *saving, const char *path, sl_error *error);
sl_result sli_save_stl(sli_saving *saving, const char *path, sl_error *error);
sl_result sli_save_glb(sli_saving *saving, const char *path, sl_error *error);

/* A PLY of arrays; those of one number, or three, a vertex are of the vertices that sources
 * names, unless that is NULL. */
sl_result sli_ply_write(const char *path, const sl_ply *ply, const uint32_t *sources, bool flip_v,
                        sl_error *error);

static inline const float *sli_saved_position(const sli_saving *saving, size_t vertex)
{
    return saving->xyz + 3 * (saving->sources != NULL ? (size_t)saving->sources[vertex] : vertex);
}

/* NULL: there is none, or it is dropped. */
static inline const sli_attribute *sli_saved_table(const sli_saving *saving, size_t slot)
{
    const sli_attribute *of = &saving->mesh->kept.of[slot];
    return of->values != NULL && (saving->def->drop & sli_kind(slot)) == 0 ? of : NULL;
}

/* Number k of a row, as the file has it. */
static inline float sli_saved_value(bool flip_v, size_t slot, const float *row, size_t k)
{
    return flip_v && slot == sli_slot(SL_MESH_UVS) && k == 1 ? 1 - row[k] : row[k];
}

enum { SLI_WRITER_SIZE = 1 << 14, SLI_NUMBER_TEXT = 32 };

typedef struct sli_writer {
    sli_file_out *to;
    size_t used;
    uint8_t bytes[SLI_WRITER_SIZE];
} sli_writer;

static inline void sli_write_flush(sli_writer *w)
{
    sli_file_put(w->to, w->bytes, w->used);
    w->used = 0;
}

static inline void sli_write_bytes(sli_writer *w, const void *bytes, size_t size)
{
    if (size > SLI_WRITER_SIZE - w->used) {
        sli_write_flush(w);
    }
    if (size > SLI_WRITER_SIZE) {
        sli_file_put(w->to, bytes, size);
    } else if (size > 0) {
        memcpy(w->bytes + w->used, bytes, size);
        w->used += size;
    }
}

static inline void sli_write_u32(sli_writer *w, uint32_t x)
{
    const uint8_t bytes[4] = { (uint8_t)x, (uint8_t)(x >> 8), (uint8_t)(x >> 16),
                               (uint8_t)(x >> 24) };
    sli_write_bytes(w, bytes, sizeof bytes);
}

static inline void sli_write_float(sli_writer *w, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    sli_write_u32(w, bits);
}

static inline void sli_write_floats(sli_writer *w, const float *x, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        sli_write_float(w, x[k]);
    }
}

static inline void sli_write_text(sli_writer *w, const char *text)
{
    sli_write_bytes(w, text, strlen(text));
}

/* Nine digits, which read back as the same float, with a point in any locale. */
const char *sli_float_text(float x, char text[SLI_NUMBER_TEXT]);

/* builder.h: what the formats hand their vertices and faces to, one after the other.
 *
 * A format's loader says where it stands (sli_builder_at) before each vertex and face, then gives
 * the vertex, or the corners of the face; polygons are cut here, coordinates are moved and rounded
 * here.  Indices are not checked here but in sli_mesh_finish, since they may point ahead.
 *
 * When a triangle is found bad, the same loader is run once more over the same bytes with a builder
 * that keeps nothing, only to find the place (sli_locate): good files pay nothing for good errors.
 *
 * Calls that return false mean: stop and return builder->result; its words are filled in later. */
#pragma once

#include "lib/base/fpenv.h"
#include "lib/mesh/mesh.h"

#include <sightline/mesh_format.h>

enum { SLI_WORDS = 128 };

/* A query about a triangle, and the answer. */
typedef struct sli_locate {
    size_t prim;          /* which one */
    bool vertices_wanted; /* find the vertices of corners (the rest of the answer is there) */
    bool found;
    size_t face;
    int64_t line, byte; /* of its face */
    uint32_t corners[3];
    char words[3]
              [SLI_WORDS]; /* what is wrong with a corner, where its loader knows better; or "" */
    struct {
        int64_t line, byte;
        double xyz[3];
    } vertices[3];
} sli_locate;

/* To formats of others it is the sink (sightline/mesh_format.h). */
typedef struct sl_mesh_sink {
    sl_allocator allocator;
    sl_progress progress;
    sli_fpenv caller;     /* the environment to give back while the progress hook runs */
    sli_mesh_parts parts; /* xyz stays empty where the mesh is recentred */
    bool recentre;
    double *wide; /* coordinates before recentring */
    size_t wide_capacity;
    size_t size;        /* of the source, in bytes */
    size_t next_report; /* the byte from which progress is due */
    int64_t line;       /* where we are: a line of a text, or 0 */
    size_t byte;
    int64_t face_line; /* of the face in progress */
    size_t face_byte;
    size_t corner_count; /* of it; first and previous are corners of it */
    uint32_t first, previous;
    char words[2][SLI_WORDS]; /* of first and previous, while locating */
    uint32_t keep;            /* all kinds but those of sl_mesh_def.drop */
    uint32_t by_corner;       /* bits: kinds of which a corner that nothing is said about has none;
                               * of the others it has that of its vertex */
    bool rows_given;          /* by any corner so far */
    bool next_given;          /* by the one that comes next */
    uint8_t row_state[SLI_KINDS];
    uint32_t rows[3][SLI_KINDS]; /* once given: of first and previous, and of the one that comes */
    uint32_t part[4];            /* what comes next belongs to: name, material, node, node_index */
    bool part_is_new;
    size_t memory, max_memory; /* bytes taken, and how many may be */
    sli_locate *locate;        /* NULL: building */
    sl_result result;          /* why a call returned false */
    bool fixed_memory;         /* the caller has set max_memory */
    bool out_of_bounds;        /* that was the reason */
} sli_builder;

/* The builder has failed: false, for its callers to return. */
static inline bool sli_builder_stop(sli_builder *builder, sl_result result)
{
    builder->result = result;
    return false;
}

/* The result of a step of the builder, which has been taken. */
static inline sl_result sli_built(const sli_builder *builder, bool done)
{
    return done ? SL_OK : builder->result;
}

/* a + b * c, or the most there is. */
static inline size_t sli_add_product(size_t a, size_t b, size_t c)
{
    return b > (SIZE_MAX - a) / c ? SIZE_MAX : a + b * c;
}

/* How much memory loading a file of size bytes may take. */
size_t sli_builder_max_memory(const sl_mesh_def *def, size_t size);

void sli_builder_open(sli_builder *builder, const sl_mesh_def *def, size_t size, sli_fpenv caller);
void sli_builder_close(sli_builder *builder); /* frees what no mesh has taken */

/* Calls the progress hook. */
bool sli_builder_report(sli_builder *builder);

/* What follows stands at this line (0: not text) and byte. */
static inline bool sli_builder_at(sli_builder *builder, int64_t line, size_t byte)
{
    builder->line = line;
    builder->byte = byte;
    return byte < builder->next_report || sli_builder_report(builder);
}

/* Capacity for that many more; only for counts that the bytes of the source can bear. */
bool sli_builder_reserve(sli_builder *builder, size_t vertices, size_t triangles);

/* A row of attribute kind, and which rows the corner that comes next has, by their slots
 * (sl_mesh_sink_attribute, sl_mesh_sink_corner_attributes). */
bool sli_builder_row(sli_builder *builder, uint32_t kind, const double *values, size_t components);
void sli_builder_rows(sli_builder *builder, const uint32_t rows[3]);

/* Kinds whose rows are kept. */
static inline uint32_t sli_builder_keeps(const sli_builder *builder)
{
    return builder->locate != NULL ? 0 : builder->keep;
}

/* For builder.c, once rows were given: the corner of a vertex has come; a triangle is kept, whose
 * corners have the rows in builder->rows. */
void sli_builder_next_rows(sli_builder *builder, uint32_t vertex);
bool sli_builder_keep_rows(sli_builder *builder, size_t prim, const uint32_t corners[3]);

/* After the last one: drops what no corner has, and leaves tables as sli_attribute says. */
bool sli_builder_settle_rows(sli_builder *builder);

/* Keeps a name; *name is the number of the one it replaces (0: none), and stays where that is the
 * same one.  Then the part that has such names (sl_mesh_sink_part). */
bool sli_builder_name(sli_builder *builder, const char *text, size_t length, uint32_t *name);
bool sli_builder_part(sli_builder *builder, const uint32_t part[4]);

/* Behind the last face: a part that is all there is says nothing. */
static inline void sli_builder_drop_lone_part(sli_builder *builder)
{
    builder->parts.list.count *= builder->parts.list.count > 1;
}

/* The part that was asked for last begins with triangle prim. */
bool sli_builder_begin_part(sli_builder *builder, size_t prim);

/* sl_mesh_sink_note, of a place that is not the one at hand. */
bool sli_builder_note(sli_builder *builder, sl_mesh_note_kind kind, const char *what, size_t count,
                      int64_t line, size_t byte);

/* Capacity for needed items of size bytes in all: sli_grow_array, failing as the builder does. */
bool sli_builder_grow(sli_builder *builder, void *items, size_t *capacity, size_t needed,
                      size_t size);

/* Counts bytes about to be taken towards max_memory. */
bool sli_builder_spend(sli_builder *builder, size_t bytes);

/* The input is that many bytes larger than the source. */
bool sli_builder_input(sli_builder *builder, size_t bytes);

/* Moves the centre of the bounds (of the triangles that will stay) to the origin, where wanted,
 * and rounds.  After that parts is complete.  False: out of memory. */
bool sli_builder_settle(sli_builder *builder);

/* After that: cuts the polygons, which until now are fans (polygon.h).  *fanned of them cross
 * themselves and stay fans; *first is the first triangle of the first one. */
bool sli_builder_cut_polygons(sli_builder *builder, size_t *fanned, size_t *first);

/* Tells the progress hook that all is read. */
bool sli_builder_end(sli_builder *builder);

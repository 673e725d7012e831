/* mesh_format.h: how to add a mesh format to sl_mesh_load.
 *
 * A format recognises its files and hands what is in them to a sink: vertices and faces one after
 * the other, in the order of the file.  Polygons are fanned there, coordinates moved and rounded,
 * and every index and coordinate checked at the end, so that a format need not.
 *
 *     static const sl_mesh_format points_of_mine = { .name = "mine", .ending = ".mine",
 *                                                    .recognise = recognise, .load = load };
 *     static const sl_mesh_format *const formats[] = { &points_of_mine, NULL };
 *     def.formats = formats;
 *
 * sightline::io has some ready-made (io.h).
 * Fails    calls of the sink that return false mean: give up, and return anything but SL_OK; the
 *          sink knows why, and its words are taken instead of the format's.
 * Threads  a format is called from the thread that loads; it keeps no state. */
#ifndef SIGHTLINE_MESH_FORMAT_H
#define SIGHTLINE_MESH_FORMAT_H

#include <sightline/mesh.h>

typedef struct sl_mesh_sink sl_mesh_sink;

typedef struct sl_mesh_input {
    const uint8_t *bytes; /* may be hostile */
    size_t size;
    const char *name;       /* for errors; may be NULL */
    bool is_file;           /* name is the path of the file that was read */
    sl_allocator allocator; /* where memory comes from; never zeroed */
} sl_mesh_input;

typedef struct sl_mesh_format {
    const char *name;   /* as sl_mesh_info.format tells it */
    const char *ending; /* of file names, with its dot, in lower case */

    /* True where the content says that it is this format.  Asked before the formats of the library,
     * so that in doubt it should say no; the ending then decides. */
    bool (*recognise)(const sl_mesh_input *input);

    /* Gives everything to the sink.  Called again, to find the place of what is wrong, where a
     * triangle turns out to be bad: it then has to call the sink the same way. */
    sl_result (*load)(const sl_mesh_input *input, sl_mesh_sink *sink, sl_error *error);

    /* Where load is NULL: the file holds another one, compressed.  *bytes is from
     * sl_allocator.alloc of the input, *capacity bytes of it, and at most max_bytes may be taken at
     * once.  Such a file may not hold one of its kind again. */
    sl_result (*unpack)(const sl_mesh_input *input, size_t max_bytes, uint8_t **bytes, size_t *size,
                        size_t *capacity, sl_error *error);
} sl_mesh_format;

/* Room for exactly so many vertices and triangles in all; better than growing. */
SL_API bool sl_mesh_sink_reserve(sl_mesh_sink *sink, size_t vertices, size_t triangles);

/* Where what follows stands: a line, or 0 where the file is no text; a byte, or -1. */
SL_API void sl_mesh_sink_place(sl_mesh_sink *sink, int64_t line, int64_t byte);

/* How much is done, in [0, 1]; asks the caller's progress hook. */
SL_API bool sl_mesh_sink_progress(sl_mesh_sink *sink, double fraction);

SL_API bool sl_mesh_sink_vertex(sl_mesh_sink *sink, const double xyz[3]);

/* Begins a face; then its corners, of vertices numbered from 0, which may come later. */
SL_API bool sl_mesh_sink_face(sl_mesh_sink *sink);
SL_API bool sl_mesh_sink_corner(sl_mesh_sink *sink, uint32_t vertex);

/* A corner whose index no vertex can have.  words say what is wrong with it ("triangle 7, counting
 * from 0, names <words>"); they are looked at only where sl_mesh_sink_locating says so. */
SL_API bool sl_mesh_sink_bad_corner(sl_mesh_sink *sink, const char *words);
SL_API bool sl_mesh_sink_locating(const sl_mesh_sink *sink);

/* Keeps a name (the first of length bytes at text) and tells its number; 0 is "". */
SL_API bool sl_mesh_sink_name(sl_mesh_sink *sink, const char *text, size_t length, uint32_t *out);

/* From the next face on triangles belong to a part with these names (sl_mesh_part). */
SL_API bool sl_mesh_sink_part(sl_mesh_sink *sink, uint32_t name, uint32_t material, uint32_t node,
                              uint32_t node_index);

/* The file has these as well (bits of sl_mesh_attributes), which are not handed over.  May be called
 * several times. */
SL_API void sl_mesh_sink_attributes(sl_mesh_sink *sink, uint32_t attributes);

/* Counts so many bytes, about to be taken, towards sl_mesh_def.max_memory; and those of further
 * files that belong to the input. */
SL_API bool sl_mesh_sink_spend(sl_mesh_sink *sink, size_t bytes);
SL_API bool sl_mesh_sink_input(sl_mesh_sink *sink, size_t bytes);

#endif

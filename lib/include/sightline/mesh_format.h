/* mesh_format.h: how to add a mesh format to sl_mesh_load; and what a mesh keeps besides positions:
 * texture coordinates, normals and colours.
 *
 * A format recognises its files and gives what they contain to a sink: vertices and faces one by
 * one, in the order of the file.  The sink cuts polygons, moves and rounds coordinates, and checks
 * every index and coordinate at the end, so that a format need not.
 *
 *     static const sl_mesh_format points_of_mine = { .name = "mine", .ending = ".mine",
 *                                                    .recognise = recognise, .load = load };
 *     static const sl_mesh_format *const formats[] = { &points_of_mine, NULL };
 *     def.formats = formats;
 *
 * sightline::io has formats of this kind (io.h).
 * Fails    if a function of the sink returns false, the format stops and returns anything but
 *          SL_OK; the sink keeps the reason, and its message replaces the format's.
 * Threads  a format is called from the thread that loads; it keeps no state but what its caller
 *          lends it (sl_mesh_input.user). */
#ifndef SIGHTLINE_MESH_FORMAT_H
#define SIGHTLINE_MESH_FORMAT_H

#include <sightline/mesh.h>
#include <sightline/transform.h>

typedef struct sl_mesh_sink sl_mesh_sink;

typedef struct sl_mesh_input {
    const uint8_t *bytes; /* must not be trusted */
    size_t size;
    const char *name;       /* for errors; may be NULL */
    bool is_file;           /* name is the path of the file that was read */
    sl_allocator allocator; /* where memory comes from; never zeroed */
    void *user;             /* sl_mesh_def.formats_user */
    bool hidden_nodes;      /* sl_mesh_def.hidden_nodes */
} sl_mesh_input;

typedef struct sl_mesh_format {
    const char *name;   /* as sl_mesh_info.format tells it */
    const char *ending; /* of file names, with its dot, in lower case */

    /* True if the content shows that it is of this format.  Called before the formats of the
     * library are tried, so it returns false in doubt; the ending then decides. */
    bool (*recognise)(const sl_mesh_input *input);

    /* Gives everything to the sink.  If a triangle turns out to be bad, load is called once more,
     * to find its place; it then has to call the sink in the same way. */
    sl_result (*load)(const sl_mesh_input *input, sl_mesh_sink *sink, sl_error *error);

    /* Used if load is NULL: the file contains another one, compressed.  *bytes comes from the
     * input's allocator and is *capacity bytes long; at most max_bytes may be allocated at any
     * time.  Such a file must not contain another of its kind. */
    sl_result (*unpack)(const sl_mesh_input *input, size_t max_bytes, uint8_t **bytes, size_t *size,
                        size_t *capacity, sl_error *error);
} sl_mesh_format;

/* Capacity for exactly that many vertices and triangles in all, so that arrays need not grow. */
SL_API bool sl_mesh_sink_reserve(sl_mesh_sink *sink, size_t vertices, size_t triangles);

/* The place in the file of what follows, for errors: its line, or 0 in files that are not text; its
 * byte, or -1. */
SL_API void sl_mesh_sink_at(sl_mesh_sink *sink, int64_t line, int64_t byte);

/* Reports the fraction done, in [0, 1]; false if the caller's progress hook asks to stop. */
SL_API bool sl_mesh_sink_progress(sl_mesh_sink *sink, double fraction);

SL_API bool sl_mesh_sink_vertex(sl_mesh_sink *sink, const double xyz[3]);

/* Begins a face; its corners follow.  A corner names a vertex, counted from 0, which may be given
 * later. */
SL_API bool sl_mesh_sink_face(sl_mesh_sink *sink);
SL_API bool sl_mesh_sink_corner(sl_mesh_sink *sink, uint32_t vertex);

/* A corner with an index that no vertex can have.  words say what is wrong with it, for the message
 * "triangle 7, counting from 0, names <words>"; they are read only if sl_mesh_sink_locating. */
SL_API bool sl_mesh_sink_bad_corner(sl_mesh_sink *sink, const char *words);
SL_API bool sl_mesh_sink_locating(const sl_mesh_sink *sink);

/* Keeps the name of length bytes at text, and gives its number; 0 is "". */
SL_API bool sl_mesh_sink_name(sl_mesh_sink *sink, const char *text, size_t length, uint32_t *out);

/* From the next face on, triangles belong to a part with these names (sl_mesh_part). */
SL_API bool sl_mesh_sink_part(sl_mesh_sink *sink, uint32_t name, uint32_t material, uint32_t node,
                              uint32_t node_index);

/* Texture coordinates, normals and colours: rows, numbered from 0 for each kind in the order given,
 * and the rows of each corner.
 * By vertex  row i is that of vertex i; nothing more is said.  Rows come before their vertex or
 *            behind it.  Vertices behind the last row have none.
 * By corner  sl_mesh_sink_corner_attributes names the rows of the corner that is given next,
 *            SL_NONE for none.  A row may be given later; where it never is, the corner has none.
 *            Corners that nothing is said about have the rows of their vertices.
 * kind is one bit; values are components numbers: of texture coordinates 2, of normals 3, of
 * colours 3 or 4.  A missing alpha is 1, another missing number 0; further ones are dropped. */
SL_API bool sl_mesh_sink_attribute(sl_mesh_sink *sink, uint32_t kind, const double *values,
                                   size_t components);
SL_API void sl_mesh_sink_corner_attributes(sl_mesh_sink *sink, uint32_t uv, uint32_t normal,
                                           uint32_t colour);

/* Bits of the kinds that are wanted.  Others need not be read; rows of them are dropped.  0 while
 * sl_mesh_sink_locating. */
SL_API uint32_t sl_mesh_sink_keeps(const sl_mesh_sink *sink);

/* The file has these (bits SL_MESH_...), handed over or not; the kinds of rows that are
 * handed over need not be named.  May be called several times. */
SL_API void sl_mesh_sink_attributes(sl_mesh_sink *sink, uint32_t attributes);

/* The file has count more (0: nothing is said) of what the mesh will not have: sl_mesh_note.  what
 * is the name of it, or NULL.  Notes of one kind and name are one, with the place of the first
 * (sl_mesh_sink_at); beyond some thirty, names are not told apart. */
SL_API bool sl_mesh_sink_note(sl_mesh_sink *sink, sl_mesh_note_kind kind, const char *what,
                              size_t count);

/* Counts bytes towards sl_mesh_def.max_memory: those that the format is about to allocate; or, with
 * is_input, the size of further files that belong to the input. */
SL_API bool sl_mesh_sink_spend(sl_mesh_sink *sink, size_t bytes, bool is_input);

/* ---- What a mesh keeps besides positions, and what that is at a hit ----
 *
 * Kept      all that the file gives, but for what sl_mesh_def.drop says.  Each
 *           is a table of rows of floats (sl_mesh_attribute), and three indices a triangle into it,
 *           or none where its rows are those of the vertices.  Positions stay shared as the file
 *           shares them.  What no triangle refers to may be missing.
 * Bad rows  neither whether a file is a mesh nor which triangles it has depends on what is kept.  A
 *           corner that names a row that the file has not is one without.  Where a number of a row
 *           is missing or none, it is NaN, in OBJ and OFF with those behind it.  A glTF attribute
 *           that does not fit its positions, or cannot be read, is left out of its primitive.  Only
 *           memory may end where less is kept it would not (SL_TOO_LARGE).  In the caller's arrays
 *           such an index is SL_BAD_INDEX; with SL_BAD_LEAVE_OUT the corner is one without.
 * Not kept  a second set of texture coordinates or colours, tangents, weights: sl_mesh_info
 *           says what the file has, sl_mesh_get_attribute what is kept.
 * Values    as in the file; integers that stand for fractions are divided (a colour of 255 is 1,
 *           in PLY also one of 32 bits).
 *           Colours are not converted from one colour space to another; without alpha, it is 1.
 *           Texture coordinates run as the file's: v upwards in OBJ, PLY, downwards in glTF.
 *           Values that are not finite are kept as they are. */

/* kind: one of SL_MESH_UVS, _NORMALS, _COLOURS.  The arrays live as long as the mesh.  False where
 * the mesh keeps none. */
SL_API bool sl_mesh_get_attribute(const sl_mesh *mesh, uint32_t kind, sl_mesh_attribute *out);

/* What there is at a point of a triangle. */
typedef struct sl_mesh_point {
    uint32_t kept; /* bits SL_MESH_...: which of the fields below are filled in: those that are kept
                    * and that all three corners have.  The others are 0 */
    uint32_t face; /* sl_mesh_face */
    uint32_t part; /* sl_mesh_part_of; SL_NONE where there is none */
    float uv[2], colour[4]; /* each the exact value of (1 - u - v) a + u b + v c, rounded once to
                             * the nearest float, ties to even, a zero as +0.  Of values that are
                             * not finite: NaN where one is NaN, where an infinite one weighs 0 or
                             * infinities of both signs meet; else the infinity */
    float normal[3];        /* that sum in doubles, of unit length to 2^-23, each component within
                             * 2^-23; zero where the sum is exactly zero, NaN where a corner's is
                             * not finite.  Not the geometric one (sl_bvh_surface) */
    const char *material;   /* of the part; "" where there is none.  Lives as long as the mesh */
} sl_mesh_point;

/* At the weights u, v of vertices 1 and 2 of triangle prim, as a hit has them.  transform: that of
 * the instance, for the normal (by the transpose of its inverse, mirroring ones keeping the
 * object's front; zero where it has no inverse, while those that trees over instances accept are
 * within the bound above, whatever their scale); NULL: the identity.  False where there is no such
 * triangle, or it was left out; and for weights that are not finite. */
SL_API bool sl_mesh_at(const sl_mesh *mesh, uint32_t prim, float u, float v,
                       const sl_transform *transform, sl_mesh_point *out);

#endif

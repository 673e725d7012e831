/* mesh.h: triangles, loaded from a file or memory, taken from arrays, or generated.
 *
 * An sl_mesh is checked once, when it is made: every index is in range, and every coordinate of
 * every triangle is finite.  Nothing checks it again.  Triangles are in the order of the file's
 * faces; polygons are cut along their inside (docs/conventions.md); vertices stay as shared.
 * Space    float32 coordinates, in the units of the file.  Files are parsed as doubles.
 * Fails    with an sl_error that names file, line or byte, what was found and what was expected;
 *          *out is then NULL, and nothing leaks.
 * Memory   loading takes at most 64 MiB + 40 * the size of the file, or sl_mesh_def.max_memory,
 *          with all that is kept.
 * Kept     besides positions: texture coordinates, normals and colours (mesh_format.h).
 * Threads  a mesh never changes; any number of threads may read it.
 * Limits   2^32 - 2 vertices, 2^31 - 1 triangles. */
#ifndef SIGHTLINE_MESH_H
#define SIGHTLINE_MESH_H

#include <sightline/intersect.h>

typedef struct sl_mesh sl_mesh;

/* What happens to a triangle with an index out of range or a coordinate that is not finite. */
typedef enum sl_bad_triangles {
    SL_BAD_REFUSE = 0,   /* the mesh is refused; the error names the first one */
    SL_BAD_LEAVE_OUT = 1 /* exactly that triangle is left out and counted; numbers stay */
} sl_bad_triangles;

typedef enum sl_index_type { SL_INDEX_U32 = 0, SL_INDEX_U16 = 1 } sl_index_type;

/* Bits of sl_mesh_def.drop and sl_mesh_info.attributes. */
enum {
    SL_MESH_NORMALS = 1,
    SL_MESH_UVS = 2, /* texture coordinates */
    SL_MESH_COLOURS = 4,
    SL_MESH_OTHER = 8, /* only in sl_mesh_info: more of the kind, which is never kept: second UVs or
                        * colours, tangents, weights of bones, colours or normals of faces */
};

/* The table of one attribute: SL_MESH_UVS has rows of 2 floats, SL_MESH_NORMALS of 3,
 * SL_MESH_COLOURS of 4: red, green, blue, alpha. */
typedef struct sl_mesh_attribute {
    const float *values;
    size_t count;            /* of rows */
    const uint32_t *indices; /* three for each triangle, SL_NONE for a corner without; NULL: a row
                              * for each vertex */
} sl_mesh_attribute;

typedef struct sl_mesh_def {
    sl_hooks hooks;           /* zeroed (default): malloc, no reports */
    sl_bad_triangles bad;     /* default SL_BAD_REFUSE */
    bool recentre;            /* move the centre of the bounds to the origin before rounding to
                               * float (default false); sl_mesh_info.origin says by how much */
    size_t max_file_size;     /* refuse files larger than this; 0 (default): no limit */
    size_t vertex_stride;     /* arrays: bytes from one vertex to the next; 0 (default): 12 */
    sl_index_type index_type; /* arrays: default SL_INDEX_U32 */
    size_t index_stride;      /* arrays: bytes from index triple to index triple; 0: packed */
    size_t max_memory;        /* files: bytes that loading may take, the file's own among them,
                               * SL_TOO_LARGE beyond; 0 (default): 64 MiB + 40 * size.  A stream
                               * without an end has no size that bounds it: set this or
                               * max_file_size.  Compressed or instanced scenes may need more */
    const struct sl_mesh_format *const *formats; /* files: further formats (mesh_format.h), ended by
                                                  * NULL; sightline::io has glTF and gzip
                                                  * (io.h).  NULL (default): none */
    void *formats_user; /* files: what formats find in sl_mesh_input.user; default NULL */
    bool hidden_nodes;  /* files: with nodes that they hide (KHR_node_visibility); default false */
    uint32_t drop;      /* SL_MESH_UVS, _NORMALS, _COLOURS: what is not kept besides positions,
                         * and hardly looked at.  0 (default): all three are, where there is any */
    sl_mesh_attribute uvs, normals, colours; /* arrays: copied, but for those of drop; values NULL
                                              * (default): none.  Without indices count must be
                                              * that of the vertices; those of indices are
                                              * packed */
} sl_mesh_def;

/* Loads OBJ, PLY, STL, OFF, or one of def->formats, which is detected from the content, or else
 * from the ending of the name.  def NULL: defaults; error may be NULL. */
SL_API sl_result sl_mesh_load(const char *path, const sl_mesh_def *def, sl_mesh **out,
                              sl_error *error);

/* The same from memory.  name, which may be NULL, gives the ending and appears in errors. */
SL_API sl_result sl_mesh_load_memory(const void *bytes, size_t size, const char *name,
                                     const sl_mesh_def *def, sl_mesh **out, sl_error *error);

/* Copies arrays.  indices holds three indices for each triangle, of the type that
 * def->index_type names; NULL means 0, 1, 2, ...  Strides need no alignment. */
SL_API sl_result sl_mesh_from_arrays(const float *xyz, size_t vertex_count, const void *indices,
                                     size_t triangle_count, const sl_mesh_def *def, sl_mesh **out,
                                     sl_error *error);

SL_API void sl_mesh_destroy(sl_mesh *mesh); /* NULL is fine */

/* The mesh as plain arrays, which live as long as it does; it has no masks. */
SL_API sl_soup sl_mesh_soup(const sl_mesh *mesh);

/* The face of the file that triangle prim came from, counted from 0 over all faces. */
SL_API uint32_t sl_mesh_face(const sl_mesh *mesh, uint32_t prim);

/* A run of triangles that the file sets apart by name, material or node.  Runs follow one another
 * without gaps, from triangle 0 to the last.  Names are as in the file (any bytes but '\0'), cut
 * behind 255 bytes, "" where there is none, and live as long as the mesh. */
typedef struct sl_mesh_part {
    const char *name; /* OBJ: group (g), or else object (o); STL: solid; PLY: number; glTF: mesh */
    const char *material; /* OBJ: usemtl; PLY: another number; glTF: of the primitive's material */
    const char *node;     /* OBJ: of the object (o); glTF: of the node */
    uint32_t node_index;  /* glTF: number of the node in the file; else SL_NONE */
    uint32_t first;       /* triangle */
    uint32_t count;       /* triangles, those left out included; at least 1 */
} sl_mesh_part;

/* False (and *out untouched) where there is no such part. */
SL_API bool sl_mesh_get_part(const sl_mesh *mesh, size_t index, sl_mesh_part *out);
/* The part that triangle prim belongs to; SL_NONE where there is none.  Cost: log(parts). */
SL_API uint32_t sl_mesh_part_of(const sl_mesh *mesh, uint32_t prim);

/* Triangles first .. first + count - 1: those that have moved, say (refit.h, topology.h). */
typedef struct sl_prim_range {
    uint32_t first, count;
} sl_prim_range;

/* Corners of triangle prim; false (and *out untouched) where it was left out or there is none. */
SL_API bool sl_mesh_triangle(const sl_mesh *mesh, uint32_t prim, sl_triangle *out);

/* What a file has and the mesh does not. */
typedef enum sl_mesh_note_kind {
    SL_NOTE_GEOMETRY = 0,      /* curves, surfaces, lines, points: not read */
    SL_NOTE_UNKNOWN = 1,       /* keywords, elements, extensions that are not known: not read */
    SL_NOTE_NOT_APPLIED = 2,   /* what moves, bends or hides triangles, like animations */
    SL_NOTE_SHORT_FACES = 3,   /* of fewer than three corners; they have no triangles */
    SL_NOTE_CROSSED_FACES = 4, /* polygons that cross themselves, fanned from their first corner */
    SL_NOTE_TRAILING = 5,      /* bytes behind what the file announces: not read */
    SL_NOTE_NO_TRIANGLES = 6,  /* in the whole file; count is of its vertices */
    SL_NOTE_HIDDEN = 7         /* nodes with a mesh that the file hides: left out */
} sl_mesh_note_kind;

typedef struct sl_mesh_note {
    sl_mesh_note_kind kind;
    const char *words;  /* what kind says, in English */
    char what[48];      /* its name in the file, in printable ASCII; "" where it has none */
    size_t count;       /* how many there are */
    int64_t line, byte; /* of the first: 0 where it is no text, -1 where it is not known */
} sl_mesh_note;

typedef struct sl_mesh_info {
    const char *format;    /* "obj", "ply", "stl", "off", "arrays", "generated", or another one's */
    size_t vertex_count;   /* as given, used or not */
    size_t triangle_count; /* as given, those left out included */
    size_t face_count;     /* polygons and triangles in the file */
    size_t left_out;       /* triangles left out */
    size_t part_count;     /* 0 where the file names none */
    uint32_t attributes;   /* what the source gives vertices and corners besides positions, kept or
                            * not: bits SL_MESH_...; sl_mesh_get_attribute (mesh_format.h) says
                            * which of them the mesh has */
    sl_aabb bounds;        /* of the vertices that triangles use; empty where there are none */
    double origin[3];      /* what was subtracted from every coordinate before rounding */
    double rounding;       /* the most that any coordinate moved by rounding to float, in units */
    const sl_mesh_note *notes; /* of the file that was loaded; live as long as the mesh */
    size_t note_count;         /* 0 in a mesh that is made from another one */
} sl_mesh_info;

SL_API sl_mesh_info sl_mesh_get_info(const sl_mesh *mesh);

/* Texture coordinates (all but soups) cover the unit square; vertices stay shared where they jump.
 * Spheres, tori: normals are the curved surface's, rounded once; both are closed, wound outward. */
typedef enum sl_mesh_shape_kind {
    SL_MESH_SPHERE = 0, /* of radius 1: an octahedron, every face cut into n * n triangles.  Texture
                         * coordinates are those of the octahedron unfolded to a square: the face
                         * towards +z in the middle, the south pole in its four corners */
    SL_MESH_TORUS = 1, /* around the z axis: rings * sides quads, two triangles each.  u runs around
                         * the axis, v around the tube, both from 0 where the vertex 0 is to 1 */
    SL_MESH_GRID = 2,  /* nx * ny quads over [0, nx] x [0, ny] at integer x, y; z is hash noise in
                         * [0, height]; facing +z.  Texture coordinates: x / nx, y / ny */
    SL_MESH_SOUP = 3   /* triangles with corners within size of random centres in the unit cube */
} sl_mesh_shape_kind;

typedef struct sl_mesh_shape {
    sl_mesh_shape_kind kind;
    union {
        struct {
            uint32_t n; /* 1 to 16383 */
        } sphere;
        struct {
            uint32_t rings, sides; /* 3 or more */
            float major, minor;    /* 0 < minor < major */
        } torus;
        struct {
            uint32_t nx, ny; /* 1 to 2^24 */
            float height;
            uint32_t seed;
        } grid;
        struct {
            size_t count;
            float size; /* 0 or more */
            uint64_t seed;
        } soup;
    } of;
} sl_mesh_shape;

/* Generates a mesh, with the same bits on every machine, since it uses only + - * / and sqrt.
 *
 *     const sl_mesh_shape shape = { SL_MESH_SPHERE, { .sphere = { 32 } } };
 *     sl_mesh_generate(&shape, NULL, &mesh, &error);
 *
 * SL_INVALID_ARGUMENT for numbers below the stated ones, SL_TOO_LARGE above the limits. */
SL_API sl_result sl_mesh_generate(const sl_mesh_shape *shape, const sl_hooks *hooks, sl_mesh **out,
                                  sl_error *error);

#endif

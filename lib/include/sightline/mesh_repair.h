/* mesh_repair.h: what is wrong with a mesh, and what is done about it: faults, welding and
 * splitting vertices, saving, and the edges along which a mesh is not closed.
 *
 * Fails    SL_INVALID_ARGUMENT, SL_OUT_OF_MEMORY, SL_TOO_LARGE, SL_CANCELLED; *out is NULL then.
 * Threads  a mesh never changes; any number of threads may read it. */
#ifndef SIGHTLINE_MESH_REPAIR_H
#define SIGHTLINE_MESH_REPAIR_H

#include <sightline/mesh.h>

/* The faults of a mesh, counted.
 * Zero area    decided exactly.
 * Positions    those of vertices that triangles use; zeros of either sign are equal.
 * Duplicate    a triangle with the same three positions as an earlier one, in any order.
 * Edges        pairs of positions, so that unwelded meshes are judged by shape, not by shared
 *              vertices; of triangles with area.  An edge is open if one triangle uses it,
 *              nonmanifold if more than two do, misoriented if two do and run along it the same
 *              way.
 * Closed       there are triangles with area, and no edge is any of these three.
 * Memory       about 100 bytes a triangle.  SL_TOO_LARGE above 1431655765 triangles. */
typedef struct sl_mesh_report {
    size_t left_out;            /* triangles */
    size_t not_finite_vertices; /* with a coordinate that is not finite, used or not */
    size_t unused_vertices;     /* used by no triangle, those left out not counted */
    size_t distinct_positions;
    size_t duplicates;
    size_t zero_area;
    size_t edges, open_edges, nonmanifold_edges, misoriented_edges;
    bool closed;
} sl_mesh_report;

typedef enum sl_fault_kind {
    SL_FAULT_LEFT_OUT = 0,
    SL_FAULT_NOT_FINITE,
    SL_FAULT_UNUSED_VERTEX,
    SL_FAULT_DUPLICATE,
    SL_FAULT_ZERO_AREA,
    SL_FAULT_OPEN_EDGE,
    SL_FAULT_NONMANIFOLD_EDGE,
    SL_FAULT_MISORIENTED_EDGE,
    SL_FAULT_KIND_COUNT
} sl_fault_kind;

typedef struct sl_fault {
    sl_fault_kind kind;
    uint32_t prim;      /* the triangle, of an edge the lowest that uses it; SL_NONE for vertices */
    uint32_t other;     /* duplicates: the lowest of the same positions; edges: the second lowest
                         * that uses it; else SL_NONE */
    uint32_t vertex[2]; /* edges: those of prim, from and to; a vertex: twice; else SL_NONE */
    uint32_t uses;      /* edges: how many triangles use it; else 0 */
} sl_fault;

/* Called with each fault; false stops the work, which then returns SL_CANCELLED. */
typedef struct sl_fault_hook {
    bool (*found)(void *user, const sl_fault *fault);
    void *user;
} sl_fault_hook;

/* Counts the faults; with a hook, reports each: triangles that were left out, vertices (those not
 * finite first), and in the order above duplicates, those without area, and edges of all three
 * kinds together; each in rising order of prim or vertex.  With a hook, out may be NULL. */
SL_API sl_result sl_mesh_inspect(const sl_mesh *mesh, const sl_hooks *hooks,
                                 const sl_fault_hook *hook, sl_mesh_report *out, sl_error *error);

/* Bits of sl_weld_def.drop. */
enum {
    SL_DROP_LEFT_OUT = 1,   /* triangles that were left out when the mesh was made */
    SL_DROP_ZERO_AREA = 2,  /* exactly zero */
    SL_DROP_DUPLICATES = 4, /* the same three positions as an earlier one, in any order */
};

typedef struct sl_weld_def {
    sl_hooks hooks; /* zeroed (default): malloc, no reports */
    uint32_t drop;  /* SL_DROP_...; 0 (default): triangles stay, with their numbers */
    /* Arrays to fill in with the new number of each triangle and each vertex of the mesh, SL_NONE
     * for those that were dropped.  NULL (default): not wanted. */
    uint32_t *triangle_map, *vertex_map;
} sl_weld_def;

/* What was done.  A triangle that was dropped counts once, for the first reason that applies, in
 * the order below. */
typedef struct sl_weld_report {
    size_t merged_vertices; /* became one with an earlier vertex */
    size_t unused_vertices; /* were dropped, because no triangle (that stays) uses them */
    size_t left_out, zero_area, duplicates; /* triangles dropped */
} sl_weld_report;

/* A new mesh in which vertices at equal positions (zeros of either sign are equal) are one vertex,
 * the first of them, and vertices that no triangle uses are dropped.  Vertices, triangles and parts
 * keep their order, triangles the order of their corners and their faces (sl_mesh_face), corners
 * their texture coordinates, normals and colours: where vertices that became one differ in
 * them, a table that was by vertex gets indices.  def and report may be NULL.  On failure
 * *out is NULL, and report and maps are as they were. */
SL_API sl_result sl_mesh_weld(const sl_mesh *mesh, const sl_weld_def *def, sl_mesh **out,
                              sl_weld_report *report, sl_error *error);

typedef struct sl_split_def {
    sl_hooks hooks; /* zeroed (default): malloc, no reports */
    /* An array to fill in with the vertex of the mesh that each new one was, as far as it reaches;
     * there are at most vertex_count + 3 * triangle_count new ones.  NULL
     * (default): not wanted. */
    uint32_t *sources;
    size_t source_capacity;
} sl_split_def;

/* The opposite of a weld: a new mesh in which every table of attributes is by vertex, for formats
 * and programs that know nothing else.  A vertex whose corners differ in texture coordinates,
 * normals or colours (in any bit of their values) becomes several: the first of them in the order
 * of corners keeps its number, the others follow behind the last vertex, in that order.  A corner
 * without a row has zeros, or as colour white.  Triangles keep their numbers, faces and parts.  def
 * may be NULL.  Time: linear.  Memory: about 120 bytes a triangle.  SL_TOO_LARGE above 1431655765
 * triangles, or where there would be too many vertices. */
SL_API sl_result sl_mesh_split_vertices(const sl_mesh *mesh, const sl_split_def *def, sl_mesh **out,
                                        sl_error *error);

/* What to write.  xyz and indices may be NULL if their counts are 0, and what follows them in any
 * case.  Triangles whose indices are SL_NONE are left out.  The tables of a mesh from
 * sl_mesh_split_vertices are as normals, uvs and colours want them. */
typedef struct sl_ply {
    const float *xyz; /* three for each vertex */
    size_t vertex_count;
    const uint32_t *indices; /* three for each triangle */
    size_t triangle_count;
    const float *quality; /* a number for each vertex, by the name that MeshLab gives it */
    const uint8_t *rgb;   /* its colour: three */
    const uint8_t *alpha; /* with rgb: a fourth number of it */
    const float *normals; /* three for each vertex: nx, ny, nz */
    const float *uvs;     /* two: s, t */
    const float *colours; /* four, without rgb and alpha: written as bytes, the nearest to 255 times
                           * the number; beyond 0 and 1 as these, NaN as 0 */
} sl_ply;

/* Writes a binary PLY, little-endian, which appears under its name only when it is complete.
 * Fails    SL_INVALID_ARGUMENT, SL_BAD_INDEX, SL_TOO_LARGE, SL_IO. */
SL_API sl_result sl_ply_write(const char *path, const sl_ply *ply, sl_error *error);

/* Arrays are the caller's, with a row for each vertex of the mesh; NULL (default): none. */
typedef struct sl_save_def {
    sl_hooks hooks;     /* zeroed (default): malloc.  There are no reports */
    const float *xyz;   /* edited positions, three a vertex, instead of the mesh's */
    const char *ending; /* ".obj", ...: where the name has another; NULL (default): the name's */
    uint32_t drop;      /* SL_MESH_...: attributes that are not written: stale normals, say */
    uint32_t reserved;  /* 0 */
    const char *material_library; /* .obj: the file that describes the materials (mtllib) */
    const float *quality;         /* these three .ply alone, as in sl_ply */
    const uint8_t *rgb, *alpha;   /* instead of the mesh's colours */
} sl_save_def;

typedef struct sl_save_report {
    size_t vertex_count, triangle_count; /* of the file */
} sl_save_report;
/* Saves a mesh in the format that the name ends in (.ply, .obj, .stl, .glb); the file appears when
 * it is complete.  Loaded again, it has the same triangles in the same order and the same
 * bits of positions (.glb: zeros as +0), but not those left out, and polygons as triangles.
 * .obj  keeps vertices and their order, texture coordinates and normals by corner, colours by
 *       vertex, and parts: names (bytes that OBJ cannot have as _), materials, nodes.
 * .glb  keeps texture coordinates, normals, colours and parts (names that are not UTF-8 with
 *       U+FFFD); nodes are numbered anew.  Materials are names.  Of a node's vertices, in their
 *       order, those that its triangles use are kept: several nodes each have their own.
 * .ply  keeps vertices, texture coordinates, normals, and colours as bytes.
 * .stl  (binary) keeps the corners of triangles.
 * Neighbouring parts of equal names become one.  .ply and .glb have a row for each vertex, which is
 * split as by sl_mesh_split_vertices where need be; v is 1 - v where just one of the mesh and the
 * file is glTF.  def and report may be NULL.
 * Memory  .glb up to 60 bytes a triangle; where vertices are split 120 more.
 * Fails   SL_UNSUPPORTED (the ending), SL_INVALID_ARGUMENT, SL_NOT_FINITE (xyz of a triangle),
 *         SL_TOO_LARGE (.glb: 4 GiB), SL_OUT_OF_MEMORY, SL_IO; report is as it was. */
SL_API sl_result sl_mesh_save(const sl_mesh *mesh, const char *path, const sl_save_def *def,
                              sl_save_report *report, sl_error *error);

/* ---- The boundary: what winding numbers (sl_bvh_winding, points.h) need besides the tree ----
 *
 * Each triangle runs along its edges in one direction.  If as many triangles run along an edge one
 * way as the other, the surface continues there; otherwise the difference, a count with a
 * direction, is boundary.  An edge is a pair of positions, so unwelded meshes are judged by shape,
 * not by shared vertices.  Triangles of zero area have edges too, since they may close a crack.  A
 * triangle with a coordinate that is not finite does not count.
 * Limits   SL_TOO_LARGE above 1431655765 triangles.
 * Threads  a boundary never changes; any number of threads may use it.
 * Cost     linear time; 80 bytes a triangle while it is made, and 320 for each edge of it, as often
 *          as it counts; then up to 230 for each, most of which SL_NO_WINDING (options.h) is quick
 *          by.
 * Source   winding numbers from boundaries: Martens, Trettner and Bessmeltsev, The Antipodal Method
 *          (2026). */

typedef struct sl_boundary sl_boundary;

/* The boundary of those triangles that the options leave in: their mask with the soup's masks,
 * their skips; NULL means everything.  hooks NULL: defaults. */
SL_API sl_result sl_boundary_create(const sl_soup *soup, const sl_options *options,
                                    const sl_hooks *hooks, sl_boundary **out, sl_error *error);
SL_API void sl_boundary_destroy(sl_boundary *boundary); /* NULL is fine */

typedef struct sl_boundary_info {
    size_t edge_count; /* is 0 where it is closed, and wound the same way throughout */
    size_t odd_count;  /* of those: used by an odd number of triangles; 0: every line crosses the
                        * surface an even number of times, whichever way it is wound */
} sl_boundary_info;

SL_API sl_boundary_info sl_boundary_get_info(const sl_boundary *boundary);

#endif

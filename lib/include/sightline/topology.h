/* topology.h: which vertices, edges, faces and parts of a mesh are neighbours, and which of its
 * edges are features: what editors pick, snap to and select by.
 *
 * Vertices  are positions: vertices of the mesh at equal positions (zeros of either sign are equal)
 *           are one, so unwelded meshes are judged by shape.  They are numbered in the order of
 *           their first vertex in the mesh; those that no triangle uses are not there.
 * Edges     are pairs of vertices that differ, of triangles that were not left out.  They are
 *           numbered by (lower vertex, higher vertex).  Side k of a triangle runs from its corner
 *           k to corner (k + 1) % 3.
 * Collapsed triangles, two of whose corners are one vertex, as at the pole of a sphere that was
 *           made of quads, have edges, but do not count where boundaries, non-manifold edges,
 *           creases and seams are told: they bend nothing.
 * Faces     of the file (sl_mesh_face): polygons, of which each has one or more triangles.
 * Moves     positions are read when a topology is built and not kept: neighbours stay what they are
 *           when the mesh is moved (refit.h), and so do vertices that parted or met since.  Creases
 *           are of the positions that it was built from; sl_topology_update asks for them again.
 *           A vertex is where the first vertex of the mesh there is (sl_topology_mesh_vertex).
 * Exact     normals are cross products of sides in doubles, and angles are compared by their
 *           cosine, in one sequence of operations: the same bits everywhere.  Whether a triangle
 *           has area is decided exactly.
 * Threads   a topology never changes but by sl_topology_update: any number of threads may read it.
 * Memory    58 bytes a triangle of closed meshes, 102 of those whose triangles share no position,
 *           and 4 for polygons; no more while it is built.
 * Cost      building: linear; 0.16 s for a million triangles, 0.4 s if they share no vertices.
 *           Questions: what they return; of a vertex's triangles, k log k.
 * Limits    1431655765 triangles (SL_TOO_LARGE beyond). */
#ifndef SIGHTLINE_TOPOLOGY_H
#define SIGHTLINE_TOPOLOGY_H

#include <sightline/mesh.h>

typedef struct sl_topology sl_topology;

/* What an edge is; all that hold.  An edge with none of these bits is inside a smooth surface. */
enum {
    SL_EDGE_BOUNDARY = 1,    /* one triangle has it, or only collapsed ones do */
    SL_EDGE_NONMANIFOLD = 2, /* more than two have it, or two that run along it the same way */
    SL_EDGE_CREASE = 4,      /* two triangles of area have it, and no third one, whose normals
                              * differ by more than the angle; of two that run along it the same
                              * way, as if one were turned over */
    SL_EDGE_PART = 8,        /* between triangles of different parts (sl_mesh_part_of) */
    SL_EDGE_UV_SEAM = 16,    /* its triangles give one of its ends different texture coordinates, or
                              * only some give any */
    SL_EDGE_FACE = 32,       /* the side of a face of the file: one triangle has it, or triangles of
                              * different faces do.  Without it: a diagonal of a polygon */
    SL_EDGE_DEFAULT =
        SL_EDGE_BOUNDARY | SL_EDGE_NONMANIFOLD | SL_EDGE_CREASE | SL_EDGE_PART | SL_EDGE_UV_SEAM
};

typedef struct sl_topology_def {
    sl_hooks hooks;    /* zeroed (default): malloc, no reports */
    float crease_rad;  /* up to pi; 0: 30 degrees.  Below 0, all that do not lie in one plane
                        * side by side are creases, exactly; with pi as a float, none are */
    uint32_t features; /* which edges are features: those with any of these bits; 0:
                        * SL_EDGE_DEFAULT.  With SL_EDGE_FACE all but diagonals of polygons; ~0:
                        * every edge */
} sl_topology_def;

/* def may be NULL: defaults.  The mesh may be destroyed afterwards.
 * Fails    SL_INVALID_ARGUMENT, SL_OUT_OF_MEMORY, SL_TOO_LARGE, SL_CANCELLED; *out is NULL then. */
SL_API sl_result sl_topology_build(const sl_mesh *mesh, const sl_topology_def *def,
                                   sl_topology **out, sl_error *error);
SL_API void sl_topology_destroy(sl_topology *topology); /* NULL is fine; nobody may be reading */

/* Finds creases, and with them features, of new positions of the mesh's vertices (xyz: three for
 * each vertex of the mesh, as sl_mesh_positions; the mesh's own count of vertices).  With prims,
 * only the edges and vertices of these triangles are looked at: name all that have a vertex that
 * moved, and the topology is as if all had been looked at; triangles may be named twice.  NULL:
 * all.  Nobody may be reading.  Nothing is allocated.
 * Cost     of prims: as many edges as they have, and those that end at their corners: 0.1 ms for
 *          1,000 neighbours, 1 ms for 1,000 all over a large mesh.
 * Fails    SL_INVALID_ARGUMENT, SL_BAD_INDEX, SL_NOT_FINITE (a corner of these triangles; what is
 *          not finite elsewhere has no creases); nothing has changed then. */
SL_API sl_result sl_topology_update(sl_topology *topology, const float *xyz, const uint32_t *prims,
                                    size_t prim_count, sl_error *error);

typedef struct sl_topology_info {
    size_t triangle_count; /* of the mesh, those left out included */
    size_t vertex_count, edge_count, face_count, part_count;
    size_t feature_edge_count;
    size_t feature_vertex_count; /* see sl_topology_is_feature_vertex */
    size_t bytes;
} sl_topology_info;

SL_API void sl_topology_get_info(const sl_topology *topology, sl_topology_info *out);

/* The vertex at a corner (0 to 2) of a triangle, and the edge along a side; SL_NONE where there is
 * none: a triangle that was left out, the side of one whose two ends are one vertex. */
SL_API uint32_t sl_topology_vertex_of(const sl_topology *topology, uint32_t prim, uint32_t corner);
SL_API uint32_t sl_topology_edge_of(const sl_topology *topology, uint32_t prim, uint32_t side);
/* SL_NONE where there is none. */
SL_API uint32_t sl_topology_face_of(const sl_topology *topology, uint32_t prim);
SL_API uint32_t sl_topology_part_of(const sl_topology *topology, uint32_t prim);

typedef struct sl_edge {
    uint32_t vertex[2];      /* of the topology; vertex[0] < vertex[1] */
    uint32_t kinds;          /* SL_EDGE_... */
    uint32_t triangle_count; /* that have it */
} sl_edge;

/* False (*out untouched) where there is no such edge. */
SL_API bool sl_topology_get_edge(const sl_topology *topology, uint32_t edge, sl_edge *out);
/* The first vertex of the mesh at the position of this vertex; SL_NONE where there is none. */
SL_API uint32_t sl_topology_mesh_vertex(const sl_topology *topology, uint32_t vertex);
SL_API bool sl_topology_is_feature_edge(const sl_topology *topology, uint32_t edge);
/* Whether feature edges end, branch or turn at a vertex: neither none nor two of them end there; or
 * two do, which are not in line to within the angle of creases (an angle of 0: exactly). */
SL_API bool sl_topology_is_feature_vertex(const sl_topology *topology, uint32_t vertex);

/* The triangles that have an edge or a vertex, in rising order: the first `capacity` are written,
 * and the number of all is returned. */
SL_API size_t sl_topology_triangles_of_edge(const sl_topology *topology, uint32_t edge,
                                            uint32_t *prims, size_t capacity);
SL_API size_t sl_topology_triangles_of_vertex(const sl_topology *topology, uint32_t vertex,
                                              uint32_t *prims, size_t capacity);
/* The edges that end at a vertex, in rising order. */
SL_API size_t sl_topology_edges_of_vertex(const sl_topology *topology, uint32_t vertex,
                                          uint32_t *edges, size_t capacity);

#endif

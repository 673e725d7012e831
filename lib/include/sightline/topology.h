/* topology.h: which vertices, edges, faces and parts of a mesh are neighbours, and which of its
 * edges are features: what editors pick, snap to and select by.
 *
 * Vertices  are positions: vertices of the mesh at equal positions (zeros of either sign are equal)
 *           are one, so unwelded meshes are judged by shape.  They are numbered in the order of
 *           their first vertex in the mesh; those that no triangle uses are not there.
 * Edges     are pairs of vertices that differ, of triangles that were not left out.  They are
 *           numbered by (lower vertex, higher vertex).  Side k of a triangle runs from its corner
 *           k to corner (k + 1) % 3.
 * Collapsed triangles, two of whose corners are one vertex, have edges, but do not count where
 *           boundaries, non-manifold edges, creases and seams are told: they bend nothing.
 * Faces     of the file (sl_mesh_face): polygons, of which each has one or more triangles.
 * Moves     positions are read when a topology is built and not kept: neighbours stay what they are
 *           when the mesh is moved (refit.h); sl_topology_update finds creases anew.
 * Exact     angles are compared by one sequence of operations in doubles: the same bits
 *           everywhere.  Whether a triangle has area is decided exactly.
 * Threads   a topology never changes but by sl_topology_update: any number of threads may read it.
 * Memory    58 bytes a triangle of closed meshes, up to 106 of others; no more while it is built.
 * Cost      building: linear; 0.16 s for a million triangles, 0.4 s if they share no vertices.
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
SL_API void sl_topology_destroy(sl_topology *topology); /* NULL is fine; no reader may be left */

/* Finds creases, and with them features, of new positions of the mesh's vertices (xyz: three for
 * each vertex of the mesh).  With dirty, which is that of sl_refit_def, only the edges and vertices
 * of these triangles are looked at: name all that have a vertex that moved, and the topology is as
 * if all had been looked at; ranges may overlap.  NULL: all.  Nothing else may use the topology
 * meanwhile.  Nothing is allocated.
 * Cost     of dirty ranges: 0.1 ms for 1,000 neighbours, 1 ms for 1,000 all over a large mesh.
 * Fails    SL_INVALID_ARGUMENT, SL_BAD_INDEX, SL_NOT_FINITE; nothing has changed then. */
SL_API sl_result sl_topology_update(sl_topology *topology, const float *xyz,
                                    const sl_prim_range *dirty, size_t dirty_count,
                                    sl_error *error);

typedef struct sl_topology_info {
    size_t triangle_count; /* of the mesh, those left out included */
    size_t vertex_count, edge_count, face_count, part_count;
    size_t feature_edge_count;
    size_t feature_vertex_count; /* see sl_topology_is_feature */
    size_t scratch_words; /* of the scratch of sl_set_connected and sl_set_chain, for any kind:
                           * about 6 bytes a triangle */
    size_t bytes;
} sl_topology_info;

SL_API sl_topology_info sl_topology_get_info(const sl_topology *topology);

typedef enum sl_element {
    SL_VERTICES = 0, /* of the topology */
    SL_EDGES = 1,
    SL_TRIANGLES = 2, /* prim */
    SL_FACES = 3,     /* of the file */
    SL_PARTS = 4,
    SL_ELEMENT_COUNT
} sl_element;

/* What a triangle has of a kind: the vertex at its corner k (0 to 2), the edge along its side k, or
 * for any k its face or its part.  SL_NONE where there is none: no such triangle; of vertices and
 * edges also one that was left out, and the side of one whose two ends are one vertex. */
SL_API uint32_t sl_topology_element_of(const sl_topology *topology, uint32_t prim, sl_element kind,
                                       uint32_t k);

typedef struct sl_edge {
    uint32_t vertex[2];      /* of the topology; vertex[0] < vertex[1] */
    uint32_t kinds;          /* SL_EDGE_... */
    uint32_t triangle_count; /* that have it */
} sl_edge;

/* False (*out untouched) where there is no such edge. */
SL_API bool sl_topology_get_edge(const sl_topology *topology, uint32_t edge, sl_edge *out);
/* The first vertex of the mesh at the position of this vertex; SL_NONE where there is none. */
SL_API uint32_t sl_topology_mesh_vertex(const sl_topology *topology, uint32_t vertex);
/* All vertices of the mesh there that triangles use: those to move together.  indices: the mesh's
 * (sl_mesh_soup).  Written as by sl_topology_around; quickest where each corner there would fit. */
SL_API size_t sl_topology_mesh_vertices(const sl_topology *topology, const uint32_t *indices,
                                        uint32_t vertex, uint32_t *out, size_t capacity);
/* Whether an edge is a feature, or a vertex: feature edges end, branch or turn there, so neither
 * none nor two of them end there; or two do, which are not in line to within the angle of creases
 * (an angle of 0: exactly).  False for other kinds. */
SL_API bool sl_topology_is_feature(const sl_topology *topology, sl_element kind, uint32_t element);

/* The elements of kind `what` around one: the triangles that have an edge or a vertex, and the
 * edges that end at a vertex, in rising order.  The first `capacity` are written, and the number of
 * all is returned; 0 for other pairs of kinds. */
SL_API size_t sl_topology_around(const sl_topology *topology, sl_element kind, uint32_t element,
                                 sl_element what, uint32_t *out, size_t capacity);

/* ---- Sets of elements, as editors handle selections: grown, shrunk, followed to what hangs
 * together, bounded, and converted from faces to vertices and back ----
 *
 *     uint64_t *touched = calloc(sl_set_words(topology, SL_FACES), sizeof *touched);
 *     sl_set_convert(topology, SL_TRIANGLES, selected, SL_ANY_OF, SL_FACES, touched);
 *     sl_set_convert(topology, SL_FACES, touched, SL_ANY_OF, SL_TRIANGLES, selected);
 *
 * Sets     are arrays of the caller: bit i % 64 of word i / 64 stands for element i, as in
 *          sl_selected_bits.  sl_set_words says how many words there are.  Bits behind the last
 *          element, and those of triangles that were left out, are ignored, and 0 in every answer.
 * Touching an edge touches its ends; a triangle its corners, its sides, its face and its part; a
 *          face and a part what their triangles touch, but a face not its own diagonals.
 * Aliases  an output may be the array of the input where both are sets of one kind.
 * Fails    never; a kind that is none has no elements.  Nothing is allocated: scratch is the
 *          caller's, and may hold anything before and after.
 * Cost     linear in the mesh at most, 6 ms for a million triangles, connected 75 ms; small sets
 *          mostly below 0.1 ms. */

/* The words of a set. */
SL_API size_t sl_set_words(const sl_topology *topology, sl_element kind);

/* The numbers of the elements in the set, in rising order: the first `capacity` are written;
 * returns how many there are. */
SL_API size_t sl_set_list(const sl_topology *topology, sl_element kind, const uint64_t *set,
                          uint32_t *elements, size_t capacity);
/* The set of these and no others; numbers that no element has are passed over. */
SL_API void sl_set_from_list(const sl_topology *topology, sl_element kind, const uint32_t *elements,
                             size_t count, uint64_t *out);
/* All that are not in the set; of NULL: all. */
SL_API void sl_set_invert(const sl_topology *topology, sl_element kind, const uint64_t *set,
                          uint64_t *out);

typedef enum sl_set_rule {
    SL_ANY_OF = 0, /* what touches an element of the set */
    SL_ALL_OF = 1  /* what touches elements of the set and no others: what lies wholly inside */
} sl_set_rule;

/* Of vertices: SL_ANY_OF gives triangles with a corner among them, SL_ALL_OF those with all three
 * corners; of triangles: the vertices that they have, and those that no other triangle has.  Of one
 * kind to the same: a copy. */
SL_API void sl_set_convert(const sl_topology *topology, sl_element from, const uint64_t *set,
                           sl_set_rule rule, sl_element to, uint64_t *out);

/* The edges that bound a set of triangles: those that one of them has, and besides another triangle
 * that is not in the set, or none at all (SL_EDGE_BOUNDARY). */
SL_API void sl_set_boundary(const sl_topology *topology, const uint64_t *triangles,
                            uint64_t *edges);

/* The set and its neighbours: those that touch something of kind `through` that touches something
 * in the set.  Triangles through vertices grow by a ring; through edges, by those across a side;
 * through faces, to whole polygons.  Vertices through edges grow along these.  scratch has
 * sl_set_words(topology, through) words. */
SL_API void sl_set_grow(const sl_topology *topology, sl_element kind, const uint64_t *set,
                        sl_element through, uint64_t *scratch, uint64_t *out);

/* What has no neighbour outside the set: the complement of the complement grown.  The border of the
 * mesh is no neighbour, so that a whole mesh stays whole. */
SL_API void sl_set_shrink(const sl_topology *topology, sl_element kind, const uint64_t *set,
                          sl_element through, uint64_t *scratch, uint64_t *out);

/* Of the edges that are not crossed or followed: bits SL_EDGE_..., and those that are features. */
enum { SL_STOP_AT_FEATURES = 128 };

/* The set and all that hangs together with it: triangles across edges, vertices along edges, edges
 * through vertices; not by edges that have any of these kinds (0: by all).  With stop
 * SL_EDGE_CREASE, a smooth region; SL_EDGE_UV_SEAM, an island of the texture; SL_EDGE_PART |
 * SL_EDGE_NONMANIFOLD, a sheet.  Faces and parts: as they are. */
SL_API void sl_set_connected(const sl_topology *topology, sl_element kind, const uint64_t *set,
                             uint32_t stop, uint64_t *scratch, uint64_t *out);

/* The set of edges, and the edges that are features and go on from those of the set that are, as
 * far as they neither branch, end nor turn: through vertices that are no feature vertices. */
SL_API void sl_set_chain(const sl_topology *topology, const uint64_t *edges, uint64_t *scratch,
                         uint64_t *out);

#endif

/* element_set.h: sets of the elements of a mesh, as editors handle selections: grown, shrunk,
 * followed to what hangs together, bounded, and carried from faces to vertices and back.
 *
 *     uint64_t *touched = calloc(sl_set_words(topology, SL_FACES), sizeof *touched);
 *     sl_set_convert(topology, SL_TRIANGLES, selected, SL_ANY_OF, SL_FACES, touched);
 *     sl_set_convert(topology, SL_FACES, touched, SL_ANY_OF, SL_TRIANGLES, selected);
 *         ... whole polygons are selected now; with SL_PARTS, whole parts ...
 *
 * Sets     are arrays of the caller: bit i % 64 of word i / 64 stands for element i, as in
 *          sl_selection_words.  sl_set_words says how many words there are.  Bits behind the last
 *          element, and those of triangles that were left out, are ignored, and 0 in every answer.
 * Touching an edge touches its two ends; a triangle its corners, its sides, its face and its part;
 *          a face and a part touch what their triangles touch, but a face does not touch the
 *          diagonals between its own triangles.
 * Aliases  an output may be the array of the input where both are sets of one kind.
 * Fails    never; a kind that is none has no elements.
 * Threads  as reading a topology.  Nothing is allocated: where work needs memory, the caller gives
 *          it, and it may hold anything before and after.
 * Cost     linear in the mesh at most: 6 ms for one of a million triangles, connected 75 ms.  Small
 *          sets are grown, bounded, converted (SL_ANY_OF) and followed in the time that their
 *          neighbours take, and that of clearing and copying words: below 0.1 ms.  Those of faces
 *          and parts, SL_ALL_OF and shrinking always look at the whole mesh. */
#ifndef SIGHTLINE_ELEMENT_SET_H
#define SIGHTLINE_ELEMENT_SET_H

#include <sightline/topology.h>

typedef enum sl_element {
    SL_VERTICES = 0, /* of the topology */
    SL_EDGES = 1,
    SL_TRIANGLES = 2, /* prim */
    SL_FACES = 3,     /* of the file */
    SL_PARTS = 4,
    SL_ELEMENT_COUNT
} sl_element;

/* ---- Sets ---- */

/* How many elements of a kind are numbered (triangles that were left out, too), and how many words
 * a set of them has. */
SL_API size_t sl_set_capacity(const sl_topology *topology, sl_element kind);
SL_API size_t sl_set_words(const sl_topology *topology, sl_element kind);

/* How many elements are in the set. */
SL_API size_t sl_set_count(const sl_topology *topology, sl_element kind, const uint64_t *set);
/* Their numbers in rising order: the first `capacity` are written; returns how many there are. */
SL_API size_t sl_set_list(const sl_topology *topology, sl_element kind, const uint64_t *set,
                          uint32_t *elements, size_t capacity);
/* The set of these and no others; numbers that no element has are passed over. */
SL_API void sl_set_from_list(const sl_topology *topology, sl_element kind, const uint32_t *elements,
                             size_t count, uint64_t *out);
/* All that are not in the set; of NULL: all. */
SL_API void sl_set_invert(const sl_topology *topology, sl_element kind, const uint64_t *set,
                          uint64_t *out);

/* ---- From kind to kind ---- */

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

/* ---- Neighbours ---- */

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

/* Words of the scratch of the two functions below, for any kind: about 6 bytes a triangle. */
SL_API size_t sl_set_scratch_words(const sl_topology *topology);

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

/* pick.h: what is under the mouse: the face there, or an edge or a vertex within a radius in pixels
 * that is not hidden; everything there, in depth order; the next element after what is selected.
 *
 *     sl_view view = (sl_view){ .camera = camera };
 *     sl_pick_def def = { .topologies = topologies };   one for each instance (topology.h), or NULL
 *     if (sl_pick_at(scene, &view, mouse, &def, &pick)) {
 *         ... pick.kind, pick.instance, pick.prim, pick.point ...
 *     }
 *
 * Scene    is a tree of either kind (bvh.h).
 * Face     the closest hit of sl_view_ray through the pixel.  Its point is origin + t dir, its
 *          distance t times the length of dir, in doubles.
 * Vertex   a corner of a triangle that the options leave in: it appears at sl_view_project of its
 *          corner in the world.
 * Edge     a side of such a triangle, between its corners a and b, of which a is the lower one
 *          ((x, y, z) in that order): its point nearest to the pixel, found by a fixed sequence of
 *          operations in double: clipped to what is in front of the near plane, projected, the
 *          parameter of the nearest point of the projected segment corrected for perspective, and
 *          the point a + s (b - a) rounded to double (docs/notes/picking.md has the formulas).
 *          It appears at sl_view_project of that.  A side whose ends are equal is no edge.
 * Seen     a vertex or edge counts where there is a line of sight (sl_view_sight) to its point, and
 *          where that line, open at that end, is occluded by no triangle but those that have the
 *          vertex, or both ends of the edge, among their corners: exactly, as sl_bvh_occluded_d.
 *          Triangles that the options leave out block nothing.
 * Culled   is a triangle, for its corners and sides, that turns its back to the eye, of cull front
 *          its front, or that turns neither side: the eye's side of its plane, exactly.  The eye is
 *          the point of the world, or the direction, that the inverses of the camera's matrices
 *          make of (0, 0, 1, 0) in clip space, in doubles taken to the nearest multiples of 2^-149.
 *          What rays and lines of sight hit is culled by the side that they meet.
 * Nearest  `pixels`, the distance in the picture, is at most the radius.  Of the highest rank the
 *          smallest `pixels` is picked; of equal ones the smallest `distance`, then the lowest
 *          (instance, prim, corner), then vertices before edges before faces.
 * Exact    the answer is that of looking at every corner and side of every triangle; no answer
 *          depends on the tree, the kernel or the scene's earlier versions.
 * Fails    never: false, or 0, where there is nothing, for a view that is not usable, for a def
 *          that is not (NaN, a radius or a budget below 0, a radius above FLT_MAX), and for a
 *          position that is not finite or more than 2^100 pixels away.
 * Threads  as queries of rays.h; nothing is allocated; a call takes at most 48 KiB of stack.
 * Cost     some ten microseconds: one ray, the triangles that appear nearer than the answer, and a
 *          ray for each that is seen.  What is behind one triangle that covers it is left out with
 *          its boxes; any other hidden corner or side costs at most six tests of triangles that
 *          appear where it does and one ray (docs/notes/picking.md has figures).  Lists look at
 *          everything within the radius. */
#ifndef SIGHTLINE_PICK_H
#define SIGHTLINE_PICK_H

#include <sightline/camera.h>
#include <sightline/instances.h>
#include <sightline/rays.h>
#include <sightline/topology.h>

/* What can be picked: bits of sl_pick_def.kinds. */
typedef enum sl_pick_kind {
    SL_PICK_NONE = 0,
    SL_PICK_FACE = 1,
    SL_PICK_EDGE = 2,
    SL_PICK_VERTEX = 4,
    SL_PICK_MARK = 8 /* points, wires and icons (marks.h) */
} sl_pick_kind;

/* What one entry stands for where everything under the mouse is listed. */
typedef enum sl_pick_unit {
    SL_PICK_OBJECTS = 0,   /* the outermost instance (the first step of sl_bvh_path) */
    SL_PICK_INSTANCES = 1, /* sl_hit.instance */
    SL_PICK_PARTS = 2,     /* instance and part (sl_topology_element_of) */
    SL_PICK_FACES = 3      /* instance and face of the file (without a topology, triangle) */
} sl_pick_unit;

typedef struct sl_pick_def {
    uint32_t kinds;    /* 0 means SL_PICK_FACE | SL_PICK_EDGE | SL_PICK_VERTEX */
    float radius;      /* in pixels, of edges and vertices; 0: 5.  Faces are under the pixel */
    uint8_t rank[4];   /* of faces, edges, vertices, marks: the highest rank is picked, and of equal
                      * ranks what is nearer in pixels.  Zeros: 0, 1, 2, 3 */
    bool hidden;       /* edges and vertices that are not seen count, too */
    bool all_vertices; /* with a topology vertices that are no features count, too: of smooth
                        * surfaces */
    bool same_part;    /* where a face is under the pixel, edges and vertices count of its part
                        * alone; without a topology, of its instance.  Lists have all */
    sl_pick_unit unit; /* of lists */
    const sl_topology *const *topologies; /* one for each instance number, NULL where there is
                                          * none: then all sides and corners count, and edge,
                                          * vertex, part and face are SL_NONE.  With one, only its
                                          * features.  NULL (default): none at all */
    const sl_options *options;            /* mask, skip, ignore and cull; NULL: everything */
    double budget_ms; /* after this time on the wall's clock the best so far is returned, with
                            * SL_PICK_CUT_SHORT; 0 (default): no limit */
} sl_pick_def;

/* Bits of sl_pick.flags, besides those of sl_hit (SL_HIT_BACK, of faces). */
enum {
    SL_PICK_HIDDEN = 256,    /* an edge or vertex that is not seen (only with sl_pick_def.hidden) */
    SL_PICK_CUT_SHORT = 512, /* the budget was used up: there may be something better */
};

typedef struct sl_pick {
    double point[3]; /* in the world */
    double distance; /* length of the line of sight from the near plane to it */
    double pixels;   /* from the position of the call to xy; 0 for faces */
    double xy[2];    /* where it appears; for faces the position of the call */
    double along;    /* edges: where on the side, 0 at corner, 1 at the next one; otherwise 0 */
    float u, v;      /* weights of the triangle's vertices 1 and 2 at the point */
    uint32_t kind;   /* sl_pick_kind */
    uint32_t instance, prim;
    uint32_t corner;       /* of a vertex; of an edge the first corner of its side; else 0 */
    uint32_t part, face;   /* of the topology; SL_NONE where there is none */
    uint32_t edge, vertex; /* of the topology, each for its kind; else SL_NONE */
    uint32_t flags;        /* SL_HIT_BACK, SL_PICK_... */
} sl_pick;

/* The best pick at a position of the picture.  False, and *out as it was, where there is none.
 * sl_bvh_surface gives the normal of a face, from its instance, prim, u and v. */
SL_API bool sl_pick_at(const sl_bvh *bvh, const sl_view *view, const double xy[2],
                       const sl_pick_def *def, sl_pick *out);

/* Everything at a position, one entry for each unit, its nearest pick: faces along the
 * ray of the pixel, and edges and vertices within the radius.  Sorted by distance, then (instance,
 * prim, corner), then vertices before edges before faces.  The first `capacity` are written;
 * returns how many there are.  Beyond 256 units it searches once more for each further 256, to
 * count them. */
SL_API size_t sl_pick_all(const sl_bvh *bvh, const sl_view *view, const double xy[2],
                          const sl_pick_def *def, sl_pick *out, size_t capacity);

/* What a second click on what is selected picks: in the order of sl_pick_all the unit after the one
 * that selected belongs to (by its instance and prim), and after the last one the first.  Where
 * selected is NULL or not there: the first.  Cost: one search where selected is among the first 31
 * units; behind those, two for each unit that is passed over.  out may be selected. */
SL_API bool sl_pick_next(const sl_bvh *bvh, const sl_view *view, const double xy[2],
                         const sl_pick_def *def, const sl_pick *selected, sl_pick *out);

#endif

/* select.h: what a rectangle, a lasso or a brush in the picture selects: instances, parts, faces,
 * edges and vertices, touched, inside or seen; and what changes when the region moves on.
 *
 *     const sl_selection_def def = { .mode = SL_SELECT_VISIBLE };
 *     sl_selection_create(scene, &view, &def, &selection, &error);
 *     while (dragging) {
 *         sl_region region = sl_region_rectangle(from, mouse);
 *         sl_selection_update(selection, &region, tasks, &error);
 *         const uint64_t *bits = sl_selection_of(selection, instance).words;
 *     }
 *
 * Position where something appears is decided on doubles: the corners in the world
 *          (sl_bvh_triangle), each taken to clip space, and to a position in the picture, by the
 *          operations of sl_view_project.  Positions, and the numbers of a region, are then taken
 *          to the nearest multiple of 2^-149, and those beyond 2^127 to that.  What follows is
 *          decided as by exact arithmetic on these numbers.
 * Figure   of a triangle: that of its three positions, where all three lie between the near and the
 *          far plane (one at infinity has none behind it).  Otherwise it is cut in clip space, at
 *          the near plane and then at the far one, going around from corner 0.  With d = z - near w
 *          (far: far w - z; both negated where depth is reversed), what has d >= 0 stays, and
 *          between a corner a that stays and b that does not lies a + t (b - a), t = d(a) / (d(a) -
 *          d(b)), each step rounded: neighbours get the same.  The figure is then that of the
 *          triangles (first, i, i + 1) of what is left.  It is none if nothing is left, or if a
 *          position in it is none (w <= 0).  A triangle of zero area is the segment or the point
 *          that its figure is.  Sides and corners likewise.
 * Modes    TOUCHED: the figure and the region have a point in common.  INSIDE: nothing is cut, and
 *          all of the figure lies in the region.  VISIBLE: what is seen there, below.  Regions are
 *          closed, and may reach beyond the picture; so may what they touch.
 * Whole    an element (sl_select_unit) has the figures of all its triangles, sides or corners that
 *          the options leave in.  It is touched if one of these is, and inside if all are.
 * Visible  faces, parts and instances: those that are the closest hit (sl_bvh_closest_d) of the
 *          ray (sl_view_ray) through the centre of a pixel, for each pixel of the picture whose
 *          centre lies in the region.  Vertices: their position lies in the region, and the line of
 *          sight to it (sl_view_sight), open at that end, is not occluded.  Edges: those that are
 *          touched, and of which a sample, below, is likewise in the region (any sample, where the
 *          edge is inside) and seen; what has both of the edge's ends among its corners does not
 *          block.
 * Samples  of an edge from a to b, of which a is the lower one ((x, y, z) in that order), cut at
 *          the near plane as above: with p, q the positions of what is left, major the axis along
 *          which they differ more (x, if equally), those points where the centre of a pixel of the
 *          picture lies in between along it, both included; or the middle of p and q where there
 *          is none.  With f the fraction of the way from p to q there, (c - p) / (q - p), and s0,
 *          s1 where p and q are between a and b (t as above, or 1 - t), s = s0 + f w(p) / ((1 - f)
 *          w(q) + f w(p)) (s1 - s0), and the sample is the point a + s (b - a), each step rounded:
 *          its position is that of sl_view_project.
 * Options  mask, skips, ignore and cull (pick.h, Culled) say what is there, in every mode: an edge
 *          or vertex is there if one of its triangles is, and what is not there hides nothing.  A
 *          hit filter is that of rays and lines of sight.
 * Same     no answer depends on the tree, the kernel, the number of workers, or on
 *          earlier updates.
 * Threads  one call at a time uses a selection; any number of selections share a scene, which
 *          is a tree of either kind.  An update takes at most 60 KiB of stack.
 * Fails    sl_selection_update says why, and the last answer stays.
 * Memory   a bit for each element; with VISIBLE also 8 bytes for each pixel of the picture, 4 for
 *          each element, and 900 KB; of edges and vertices 7 bits for each side or corner, 4
 *          bytes for each element, with topologies 8, and 2.1 MB.  Taken when the selection is
 *          made; a lasso with more corners than ever before takes more, two times: 0.4 MB with 100
 *          corners, 1.4 MB with 1000, 7 MB with 10,000; one of more than 1000 also with longer
 *          sides, up to 500 bytes for each corner.
 * Cost     an update looks at what the region gained or lost: pixels not traced before, and boxes
 *          at its border.  VISIBLE edges and vertices: a line of sight for each vertex, and for
 *          each edge as many as it has samples before one is seen; without a topology, for each
 *          corner and each side, which are six and two times as many.  Tasks share pixels and lines
 *          of sight. */
#ifndef SIGHTLINE_SELECT_H
#define SIGHTLINE_SELECT_H

#include <sightline/base.h>
#include <sightline/camera.h>
#include <sightline/instances.h>
#include <sightline/rays.h>
#include <sightline/topology.h>

/* ---- Regions ---- */

typedef enum sl_region_kind {
    SL_REGION_RECTANGLE = 0, /* between two opposite corners, p and q */
    SL_REGION_LASSO = 1,     /* a polygon and what it has an odd number of times around it, its
                              * sides included; it may cross itself, and needs no area */
    SL_REGION_BRUSH = 2      /* what is no farther than radius from the segment from p to q, the
                              * last move of the mouse; a circle where p is q */
} sl_region_kind;

/* In pixels, as sl_view_project reports them. */
typedef struct sl_region {
    sl_region_kind kind;
    uint32_t reserved; /* 0 */
    double p[2], q[2];
    double radius;
    const double *corners; /* of a lasso: x and y of each, which the caller keeps for the call */
    size_t corner_count;   /* is 2^24 at most; 0 selects nothing */
} sl_region;

SL_API sl_region sl_region_rectangle(const double p[2], const double q[2]);
SL_API sl_region sl_region_brush(const double p[2], const double q[2], double radius);

/* ---- Selections ---- */

typedef enum sl_select_mode {
    SL_SELECT_TOUCHED = 0,
    SL_SELECT_INSIDE = 1,
    SL_SELECT_VISIBLE = 2
} sl_select_mode;

/* What is selected, and what bit i of an instance's words stands for; numbered as sl_pick_unit
 * (pick.h), whose outermost instances, 0, are no unit here. */
typedef enum sl_select_unit {
    SL_SELECT_INSTANCES = 1, /* bit 0: the instance itself */
    SL_SELECT_PARTS = 2,     /* of the topology; without one, bit 0 */
    SL_SELECT_FACES = 3,     /* of the file, of the topology; without one, triangles */
    SL_SELECT_TRIANGLES = 4, /* prim */
    SL_SELECT_EDGES = 5,     /* of the topology; without one, sides: 3 * prim + side */
    SL_SELECT_VERTICES = 6   /* of the topology; without one, corners: 3 * prim + corner */
} sl_select_unit;

typedef struct sl_selection_def {
    sl_hooks hooks;      /* zeroed (default): malloc; tasks are those of each update */
    sl_select_unit unit; /* 0 means SL_SELECT_TRIANGLES */
    sl_select_mode mode;
    const sl_topology *const *topologies; /* one for each instance number, NULL where there is
                                           * none; NULL (default): none at all.  They live as long
                                           * as the selection uses them */
    const sl_options *options; /* mask, skip, ignore, filter, cull; its arrays are the caller's as
                                * long as the selection lives.  NULL: everything */
    double budget_ms; /* VISIBLE: after about this time on the wall's clock an update ends, and the
                       * next one, with the same region, goes on; what is not traced yet is not
                       * selected; 0 (default): no limit */
} sl_selection_def;

typedef struct sl_selection sl_selection;

/* The scene is read by updates, so it lives until the selection is reset or destroyed.
 * Fails    SL_INVALID_ARGUMENT (also for a view that is not usable), SL_TOO_LARGE,
 *          SL_OUT_OF_MEMORY; *out is NULL then. */
SL_API sl_result sl_selection_create(const sl_bvh *bvh, const sl_view *view,
                                     const sl_selection_def *def, sl_selection **out,
                                     sl_error *error);
SL_API void sl_selection_destroy(sl_selection *selection); /* NULL is fine */

/* The same selection of another version of the scene, or from another view, with the options that
 * it was made with: it is empty then, and the next update begins anew.  Nothing is allocated where
 * what it has is enough.
 * Fails    as sl_selection_create; the selection is as it was. */
SL_API sl_result sl_selection_reset(sl_selection *selection, const sl_bvh *bvh, const sl_view *view,
                                    sl_error *error);

/* Makes it the selection of this region.  region NULL: of nothing.
 * Fails    SL_NOT_FINITE (the error names the corner), SL_INVALID_ARGUMENT (a kind that is none, a
 *          negative radius), SL_TOO_LARGE, SL_OUT_OF_MEMORY. */
SL_API sl_result sl_selection_update(sl_selection *selection, const sl_region *region,
                                     const sl_tasks *tasks, sl_error *error);

typedef struct sl_selection_info {
    uint64_t selected;   /* elements */
    uint64_t word_count; /* of all instances together */
    uint64_t pending;    /* what a budget left to the next update: pixels, or sides or corners;
                          * 0: done */
    uint64_t traced;     /* counts rays and lines of sight of the last update */
    uint64_t boxes;      /* by the last update: boxes that were looked at */
    uint64_t tested;     /* and triangles, sides and corners that were, one by one */
    size_t bytes;        /* that the selection holds */
} sl_selection_info;

SL_API sl_selection_info sl_selection_get_info(const sl_selection *selection);

/* What is selected of an instance: element i is bit i % 64 of word i / 64. */
typedef struct sl_selected_bits {
    const uint64_t *words; /* NULL where there are none: holes, and numbers that are none */
    uint64_t bit_count;    /* elements that bits stand for */
    uint64_t selected;     /* elements */
    uint64_t offset;       /* where the words begin among those of all instances */
} sl_selected_bits;

/* The words stay where they are until the selection is reset.  Of SL_NONE: the words of all
 * instances, those of each behind those of the one before; their bits are not counted. */
SL_API sl_selected_bits sl_selection_of(const sl_selection *selection, uint32_t instance);
SL_API bool sl_selection_has(const sl_selection *selection, uint32_t instance, uint32_t element);

/* 8 bytes. */
typedef struct sl_selected {
    uint32_t instance, element;
} sl_selected;

/* What is selected, sorted by (instance, element): `capacity` of them are written, from the one
 * numbered first on; returns how many there are in all. */
SL_API uint64_t sl_selection_list(const sl_selection *selection, uint64_t first, sl_selected *out,
                                  size_t capacity);

#endif

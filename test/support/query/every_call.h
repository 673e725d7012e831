/* every_call.h: a call of every public function of the core library, for tests of what holds for
 * all of them.  CMake makes the calls (calls.h) from docs/api.md and arguments.txt, by calls.awk;
 * functions of a sink (mesh_format.h) are called by the format of the test, and the library of
 * files and pictures has calls that take no numbers. */
#pragma once

#include "test/support/input/wild.h"

enum { COUNT = WILD_COUNT, KEPT = 4 };

/* What shapes and files are asked about; every number is denormal. */
typedef struct every_call_numbers {
    float point[3], matrix[16], rectangle[4], xyz[3 * COUNT];
    sl_ray ray;
    sl_segment segment;
    sl_line line;
    sl_triangle triangle;
    sl_plane plane;
    sl_sphere sphere;
    sl_mesh_shape mesh_shape;
    sl_capsule capsule;
    sl_obb obb;
    sl_frustum frustum;
    sl_aabb aabb;
    sl_camera camera;
    sl_view view;
    sl_region region, lasso;
    sl_selection *selection[2];
    sl_drag drag, drag_out;
    sl_drag_move drag_move;
    sl_gizmo gizmo;
    sl_handle handle;
    sl_camera_def camera_def, camera_def_out;
    sl_options query;
    sl_soup soup;
    sl_transform transform;
    double wide[4];
    sl_ray_d ray_d;
    sl_segment_d segment_d;
    sl_triangle_d triangle_d;
    uint32_t indices[COUNT];
    sl_mesh_def mesh_def;
    sl_build_def high, compact;
    sl_refit_def dirty;
    sl_prim_range some;
    sl_ply ply;
    sl_mesh *mesh;
    sl_bvh *bvh, *torus;
    sl_build *build;
    sl_boundary *boundary;
    sl_topology *topology;
    uint64_t bits[8 * COUNT], more_bits[8 * COUNT];
    char off[4096], ply_path[64], slt_path[64], written[64]; /* of test_traps.c, as saved is */
    size_t off_size, saved_size;
    void *saved;
} every_call_numbers;

extern every_call_numbers in;
extern wild sc;             /* what trees are asked about; wild_fill changes it */
extern const sl_bvh *asked; /* the tree: sc.scene until a test says otherwise */

void every_call_begin(void);
void every_call_end(void);

/* The calls of trees, on asked with sc, are the last ones.  A name has the arguments behind it. */
extern const int every_call_count, every_call_first_of_trees;
const char *every_call_name(int which);
void every_call_make(int which);

/* Destroys what calls have made; true where there was anything. */
bool every_call_free(void);

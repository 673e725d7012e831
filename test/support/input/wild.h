/* wild.h: what scenes and lines of sight are asked about in tests of what must never happen:
 * numbers that are denormal, NaN, infinite or too large, in each place of a ray, point, volume, end
 * and so on in turn, and ordinary ones in the others. */
#pragma once

#include <sightline/sightline.h>

enum {
    WILD_KINDS = 6,  /* of numbers */
    WILD_PLACES = 8, /* where one of them is; in all, for the last */
    WILD_COUNT = 48,
    WILD_VOLUMES = SL_VOLUME_HULL + 1,
    WILD_SIDE = 6, /* of the grid of a viewshed */
    WILD_INSTANCES = 8
};

typedef struct wild {
    sl_instance instances[WILD_INSTANCES]; /* some of them bad */
    sl_bvh *inner, *scene;
    sl_instances_def leave_out, follows;
    sl_ray ray, rays[WILD_COUNT];
    sl_segment segment, segments[WILD_COUNT];
    sl_ray_d ray_d, rays_d[WILD_COUNT];
    sl_segment_d segment_d, segments_d[WILD_COUNT];
    sl_hit hit, hits[WILD_COUNT];
    sl_hit_d hit_d, hits_d[WILD_COUNT];
    float distance, points[3 * WILD_COUNT];
    double distance_d, points_d[3 * WILD_COUNT];
    sl_volume volume, volumes[WILD_VOLUMES];
    sl_volume_d volume_d, volumes_d[WILD_VOLUMES];
    sl_sweep sweeps[WILD_VOLUMES];
    sl_sweep_d sweeps_d[WILD_VOLUMES];
    sl_transform transforms[WILD_INSTANCES];
    sl_clash clash;
    sl_clashes_def clashes_def;
    sl_triangle_ref ref, hint[WILD_COUNT];
    sl_sight_end end, ends[WILD_COUNT];
    sl_sight_ends all;
    sl_sight_cone cone, cones[WILD_COUNT];
    sl_sight_pair pairs[WILD_COUNT];
    sl_sight_samples samples[WILD_COUNT];
    sl_sight_grid grid;
    sl_sight sight, sight_d;
    sl_sight_memory *memory;
    sl_seams_def seams;
    sl_clashes *clashes;
    sl_view view; /* these stay as they are made */
    sl_drag drag;
    sl_drag_move drag_move;
    double mouse[2];
    sl_mark mark[4];
    sl_marks *marks;
    sl_pick_def pick;
    sl_pick picked;
    sl_snap_def snap;
    sl_snap_grid snap_grid;
    sl_snap snapped;
} wild;

/* Over a tree, which stays the caller's; to stays where it is. */
void wild_make(wild *to, const sl_bvh *bvh);
void wild_free(wild *to);

/* Fills in numbers of a kind, in one place of each thing. */
void wild_fill(wild *to, int kind, int place);

/* The table of camera options. */
#include "tools/input/camera.h"

const char *const camera_depth_words[] = { "gl", "d3d", "vulkan", "reversed", NULL };
static const char *const up_axis_words[] = { "y", "z", NULL };

const option_row camera_rows[] = {
    OPTION_ROW(TEXT, "size", camera_options, size, "WxH",
               "of the picture in pixels (default 800x600, or that of --camera)"),
    OPTION_ROW(REALS, "eye", camera_options, eye, "X,Y,Z",
               "where the camera is; without it the whole mesh is framed", .length = 3),
    OPTION_ROW(REALS, "target", camera_options, target, "X,Y,Z",
               "the point that it looks at (default the middle of the mesh)", .length = 3),
    OPTION_ROW(REALS, "up", camera_options, up, "X,Y,Z",
               "what is up in the picture (default the axis of --up-axis)", .length = 3),
    OPTION_CHOICE_ROW("up-axis", camera_options, up_axis, up_axis_words,
                      "the axis of the mesh that points up", .fallback = "y"),
    OPTION_ROW(REALS, "from", camera_options, from, "X,Y,Z",
               "where a mesh is framed from: direction from it to the eye (default three quarters: "
               "1,0.6,1.6 where y is up, 1,-1.6,0.6 where z is)",
               .length = 3),
    OPTION_ROW(REAL, "fov", camera_options, fov, "DEGREES", "perspective: the whole vertical angle",
               .min = 0.001, .max = 179, .fallback = "40"),
    OPTION_ROW(REAL, "ortho", camera_options, ortho, "HEIGHT",
               "orthographic: height of the picture in units; 0: as framed", .max = 3e38),
    OPTION_ROW(REALS, "window", camera_options, window, "L,R,B,T",
               "off-centre view: left, right, bottom and top, in units, on the near plane for "
               "perspective",
               .length = 4),
    OPTION_ROW(REAL, "near", camera_options, near_distance, "UNITS",
               "nothing nearer is seen (default from the size of the mesh)"),
    OPTION_ROW(
        REAL, "far", camera_options, far_distance, "UNITS",
        "nothing farther is seen; inf for perspective only (default inf, or beyond the mesh)",
        .infinite = true),
    OPTION_CHOICE_ROW(
        "depth", camera_options, depth, camera_depth_words,
        "clip space of depths and matrices: gl -1 near, 1 far; d3d and vulkan 0 near, 1 far "
        "(vulkan: y down); reversed 1 near, 0 far",
        .fallback = "gl"),
    OPTION_ROW(TEXT, "view", camera_options, view, "MATRIX",
               "world to eye: a .npy of 4 rows and 4 columns, or 16 numbers column by column"),
    OPTION_ROW(TEXT, "projection", camera_options, projection, "MATRIX",
               "eye to clip space, likewise; these two replace the rest of the camera"),
    OPTION_ROW(TEXT, "camera", camera_options, camera, "FILE",
               "a camera that --save-camera wrote; options beside it change it",
               .file = OPTION_READ),
    OPTION_ROW(TEXT, "save-camera", camera_options, save, "FILE", "write the camera as JSON",
               .file = OPTION_WRITTEN),
    { .name = NULL },
};

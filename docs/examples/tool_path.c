/* tool_path.c: a cutting tool is checked along its path: where the cutter gouges the part, where
 * the holder comes too near, and how deep the cutter may go instead.
 *
 *     tool_path
 *
 * Lengths are in mm.  The part is a floor, a slope and a wall.  The path takes the middle of the
 * cutter's flat end along them, a common mistake: on the slope the end's rim is then too deep. */
#include <sightline/sightline.h>

#include <stdio.h>

enum { SIDES = 20, STATIONS = 5, STEPS = 8, TRIANGLES_MAX = 4 * SIDES };

static const float safe_height = 40;  /* nothing of the part is as high */
static const float margin = 1;        /* the holder must stay farther away than this */
static const float limit = 12;        /* a clearance beyond this is of no interest */
static const double allowance = 0.02; /* left on the part where the path is mended */

/* A tree over the closed surface through rings of n points; NULL when out of memory. */
static sl_bvh *build_rings(float (*points)[3], uint32_t rings, uint32_t n)
{
    uint32_t corners[TRIANGLES_MAX][3];
    const uint32_t last = n * (rings - 1), pairs = last + n - 2;
    for (uint32_t i = 0; i < pairs; i++) {
        const uint32_t next = i % n + 1 < n ? i + 1 : i + 1 - n, k = i - last + 1;
        const uint32_t two[2][3] = { { i, next, next + n }, { i, next + n, i + n } };
        const uint32_t ends[2][3] = { { 0, k + 1, k }, { last, last + k, last + k + 1 } };
        for (uint32_t j = 0; j < 6; j++) {
            corners[2 * i + j / 3][j % 3] = (i < last ? two : ends)[j / 3][j % 3];
        }
    }
    sl_mesh *mesh = NULL;
    sl_bvh *bvh = NULL;
    (void)sl_mesh_from_arrays(points[0], last + n, corners, 2 * pairs, NULL, &mesh, NULL);
    (void)sl_bvh_build(mesh, NULL, &bvh, NULL); /* not without a mesh */
    sl_mesh_destroy(mesh);
    return bvh;
}

/* The part: its profile in x and z, drawn along y. */
static sl_bvh *build_part(void)
{
    static const float x[STATIONS] = { 0, 40, 50, 50, 80 }, z[STATIONS] = { 0, 0, 10, 30, 30 };
    float points[STATIONS * 4][3];
    for (int i = 0; i < STATIONS * 4; i++) {
        points[i][0] = x[i / 4];
        points[i][1] = i % 4 == 1 || i % 4 == 2 ? 20 : -20;
        points[i][2] = i % 4 < 2 ? -10 : z[i / 4];
    }
    return build_rings(points, STATIONS, 4);
}

/* A part of the tool: a cylinder over points in fractions, which are the same on all machines. */
static sl_bvh *build_cylinder(float radius, float bottom, float top, float points[2 * SIDES][3])
{
    static const float x[5] = { 1, 12 / 13.0f, 0.8f, 0.6f, 5 / 13.0f };
    static const float y[5] = { 0, 5 / 13.0f, 0.6f, 0.8f, 12 / 13.0f };
    for (int i = 0; i < 2 * SIDES; i++) {
        points[i][0] = i % SIDES < 5 ? radius * x[i % SIDES] : -points[i - 5][1];
        points[i][1] = i % SIDES < 5 ? radius * y[i % SIDES] : points[i - 5][0];
        points[i][2] = i < SIDES ? bottom : top;
    }
    return build_rings(points, 2, SIDES);
}

/* How far down the cutter may go at x: its hull is swept from above until it touches the part. */
static double lowest(const sl_bvh *part, float cutter[2 * SIDES][3], double x)
{
    float points[2 * SIDES][3];
    for (int i = 0; i < 2 * SIDES; i++) {
        points[i][0] = cutter[i][0] + (float)x;
        points[i][1] = cutter[i][1];
        points[i][2] = cutter[i][2] + safe_height;
    }
    const sl_sweep sweep = { .volume = { SL_VOLUME_HULL, { .hull = { points[0], 2 * SIDES } } },
                             .dir = { 0, 0, -2 * safe_height } };
    sl_contact contact;
    (void)sl_bvh_sweep(part, &sweep, NULL, &contact);
    return (double)safe_height * (1 - 2 * contact.t_safe);
}

/* Where the cutter goes into the part: the curve in which their surfaces cross. */
static void print_gouge(const sl_bvh *part, const sl_bvh *cutter, const sl_transform *pose)
{
    const sl_clash crossing = { .relations = 1u << SL_CROSSING };
    sl_instance instance = sl_instance_of(cutter);
    sl_bvh *there = NULL;
    sl_curves *curves = NULL;
    instance.transform = *pose;
    if (sl_bvh_build_instances(&instance, 1, NULL, &there, NULL) == SL_OK &&
        sl_bvh_clash_curves(part, there, &crossing, NULL, &curves, NULL) == SL_OK) {
        double top = 0;
        for (size_t k = 0; k < curves->point_count; k++) {
            top = curves->points[k][2] > top ? curves->points[k][2] : top;
        }
        printf("first gouge: a curve of %zu points, up to z %.2f\n", curves->starts[1], top);
    }
    sl_curves_destroy(curves);
    sl_bvh_destroy(there);
}

/* Prints how a path goes, and returns its first pose that gouges, or STEPS. */
static int check_path(const sl_bvh *part, const sl_bvh *cutter, const sl_bvh *holder,
                      const sl_transform poses[STEPS])
{
    /* A cutter that only touches is at work; a holder must not come near.  Surfaces are asked: for
     * what may be wholly inside the part there is sl_bvh_solids. */
    const sl_clash gouge = { .relations = 1u << SL_CROSSING }, nearby = { .margin = margin };
    uint8_t gouges[STEPS], meets[STEPS];
    sl_distance clear[STEPS];
    int first = STEPS;
    sl_bvh_clash_any_many(part, cutter, poses, STEPS, &gouge, gouges, NULL, NULL);
    sl_bvh_clash_any_many(part, holder, poses, STEPS, &nearby, meets, NULL, NULL);
    sl_bvh_distance_many(part, holder, poses, STEPS, limit, NULL, clear, NULL, NULL);
    for (int i = 0; i < STEPS; i++) {
        const bool far = clear[i].a.prim == SL_NONE;
        printf("x %2.0f z %5.2f: cutter %s, holder %s (%s%.2f)\n", poses[i].m[0][3],
               poses[i].m[2][3], gouges[i] ? "gouges" : "good", meets[i] ? "too near" : "good",
               far ? "beyond " : "", (double)(far ? limit : clear[i].distance));
        first = gouges[i] && first == STEPS ? i : first;
    }
    return first;
}

int main(void)
{
    float cutter_points[2 * SIDES][3], holder_points[2 * SIDES][3];
    sl_bvh *part = build_part(), *cutter = build_cylinder(3, 0, 20, cutter_points),
           *holder = build_cylinder(8, 20, 50, holder_points);
    const bool built = part != NULL && cutter != NULL && holder != NULL;
    sl_transform poses[STEPS];
    for (int i = 0; i < STEPS; i++) {
        poses[i] = sl_transform_identity();
        poses[i].m[0][3] = 16 + 4 * i;
        poses[i].m[2][3] = i < 6 ? 0 : 4 * (i - 6);
    }
    const int first = built ? check_path(part, cutter, holder, poses) : STEPS;
    if (first < STEPS) {
        print_gouge(part, cutter, &poses[first]);
        for (int i = 0; i < STEPS; i++) {
            poses[i].m[2][3] = lowest(part, cutter_points, poses[i].m[0][3]) + allowance;
        }
        printf("mended:\n");
        (void)check_path(part, cutter, holder, poses);
    }
    sl_bvh_destroy(part);
    sl_bvh_destroy(cutter);
    sl_bvh_destroy(holder);
    return built ? 0 : 1;
}

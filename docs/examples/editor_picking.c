/* editor_picking.c: what an editor asks between two frames, all of docs/picking.md in one program.
 *
 *     editor_picking spot.obj
 *
 * Three cows, one of them behind another, and a box; what the mouse does is written down here. */
#include <sightline/sightline.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COWS = 3, OBJECTS = 4, BOX = 3 };

/* What the editor keeps: meshes, their trees and topologies, and the scene of this frame. */
typedef struct editor {
    sl_mesh *cow_mesh, *box_mesh;
    sl_bvh *cow, *box;
    sl_topology *cow_topology, *box_topology;
    sl_instance instances[OBJECTS];
    const sl_mesh *meshes[OBJECTS];
    const sl_topology *topologies[OBJECTS];
    sl_bvh *scene;
    sl_view view;
} editor;

static const char *const kinds[] = { "nothing", "face", "edge", "", "vertex" };

static sl_result load_box(sl_mesh **out, sl_error *error)
{
    static const float xyz[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                                 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1 };
    static const uint32_t indices[] = { 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                        2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5 };
    return sl_mesh_from_arrays(xyz, 8, indices, 12, NULL, out, error);
}

/* A scene is made anew of its instances where one has moved; it borrows their trees. */
static sl_result rebuild_scene(editor *e, sl_error *error)
{
    sl_instances_def def = (sl_instances_def){ 0 };
    def.previous = e->scene;
    sl_bvh *next = NULL;
    const sl_result result = sl_bvh_build_instances(e->instances, OBJECTS, &def, &next, error);
    if (result == SL_OK) {
        sl_bvh_destroy(e->scene);
        e->scene = next;
    }
    return result;
}

static void place(editor *e, int object, double x, double y, double z)
{
    e->instances[object].transform.m[0][3] = x;
    e->instances[object].transform.m[1][3] = y;
    e->instances[object].transform.m[2][3] = z;
}

static sl_result open_editor(editor *e, const char *path, sl_error *error)
{
    sl_result result = sl_mesh_load(path, NULL, &e->cow_mesh, error);
    result = result == SL_OK ? load_box(&e->box_mesh, error) : result;
    result = result == SL_OK ? sl_bvh_build(e->cow_mesh, NULL, &e->cow, error) : result;
    result = result == SL_OK ? sl_bvh_build(e->box_mesh, NULL, &e->box, error) : result;
    result =
        result == SL_OK ? sl_topology_build(e->cow_mesh, NULL, &e->cow_topology, error) : result;
    result =
        result == SL_OK ? sl_topology_build(e->box_mesh, NULL, &e->box_topology, error) : result;
    for (int i = 0; i < OBJECTS && result == SL_OK; i++) {
        e->instances[i] = sl_instance_of(i == BOX ? e->box : e->cow);
        e->meshes[i] = i == BOX ? e->box_mesh : e->cow_mesh;
        e->topologies[i] = i == BOX ? e->box_topology : e->cow_topology;
    }
    place(e, 0, -1.6, 0, 0);
    place(e, 2, 0, 0, 3);
    place(e, BOX, 1.2, -0.7, 0);
    return result == SL_OK ? rebuild_scene(e, error) : result;
}

static void close_editor(editor *e)
{
    sl_bvh_destroy(e->scene);
    sl_topology_destroy(e->cow_topology);
    sl_topology_destroy(e->box_topology);
    sl_bvh_destroy(e->cow);
    sl_bvh_destroy(e->box);
    sl_mesh_destroy(e->cow_mesh);
    sl_mesh_destroy(e->box_mesh);
}

static bool aim(editor *e)
{
    sl_camera_def def = { 0 };
    const float eye[3] = { 0, 1, -5 };
    sl_camera camera;
    memcpy(def.eye, eye, sizeof eye);
    def.near_distance = 0.1f;
    def.far_distance = 100;
    if (sl_camera_make(&def, &camera, NULL) != SL_OK) {
        return false;
    }
    e->view = (sl_view){ .camera = camera };
    return true;
}

static void print_pick(const char *what, const sl_pick *pick)
{
    printf("%s: %s of object %u, %.2f pixels away, at %.4f %.4f %.4f\n", what, kinds[pick->kind],
           pick->instance, pick->pixels, pick->point[0], pick->point[1], pick->point[2]);
}

/* ---- What is under the mouse ---- */

static void hover(const editor *e, const double mouse[2])
{
    sl_pick_def def = { 0 };
    sl_pick pick;
    def.topologies = e->topologies;
    if (!sl_pick_at(e->scene, &e->view, mouse, &def, &pick)) {
        printf("nothing is under %g, %g\n", mouse[0], mouse[1]);
        return;
    }
    print_pick("under the mouse", &pick);
}

/* What the mesh has at a hit: here its texture coordinates. */
static void probe(const editor *e, const double mouse[2])
{
    sl_pick_def def = { 0 };
    sl_pick pick;
    sl_mesh_point at;
    def.kinds = SL_PICK_FACE;
    if (sl_pick_at(e->scene, &e->view, mouse, &def, &pick) &&
        sl_mesh_at(e->meshes[pick.instance], pick.prim, pick.u, pick.v,
                   &e->instances[pick.instance].transform, &at) &&
        (at.kept & SL_MESH_UVS) != 0) {
        printf("texture coordinates there: %.5f %.5f\n", (double)at.uv[0], (double)at.uv[1]);
    }
}

/* ---- Everything under the mouse, and the next one ---- */

static void click_thrice(const editor *e, const double mouse[2])
{
    enum { KEPT = 8 };
    sl_pick_def def = { 0 };
    sl_pick all[KEPT], selected = { .instance = SL_NONE };
    def.kinds = SL_PICK_FACE;
    def.unit = SL_PICK_OBJECTS;
    const size_t count = sl_pick_all(e->scene, &e->view, mouse, &def, all, KEPT);
    printf("%zu objects under the mouse:", count);
    for (size_t i = 0; i < count && i < KEPT; i++) {
        printf(" %u", all[i].instance);
    }
    printf("; clicks select");
    for (int i = 0; i < 3; i++) {
        if (sl_pick_next(e->scene, &e->view, mouse, &def, &selected, &selected)) {
            printf(" %u", selected.instance);
        }
    }
    printf("\n");
}

/* ---- Snapping ---- */

/* The mouse moves away from a corner, which holds on to it for a while. */
static void snap(const editor *e)
{
    static const char *const names[] = { "nothing", "vertex", "edge", "midpoint" };
    const double moves[3][2] = { { 280, 272 }, { 264, 270 }, { 226, 271 } };
    sl_snap_def def = { 0 };
    sl_snap at = { .kind = SL_SNAP_NONE };
    def.kinds = SL_SNAP_VERTEX | SL_SNAP_EDGE | SL_SNAP_MIDPOINT;
    def.topologies = e->topologies;
    for (int i = 0; i < 3; i++) {
        sl_snap_at(e->scene, &e->view, moves[i], &def, &at, &at);
        const int name = at.kind == SL_SNAP_MIDPOINT ? 3 : (int)at.kind;
        printf("snaps to %s at %.4f %.4f %.4f%s\n", names[name], at.point[0], at.point[1],
               at.point[2], at.kept ? ", still" : "");
    }
}

/* ---- Regions ---- */

static sl_result select_by(const editor *e, const char *name, const sl_region *region,
                           sl_select_unit unit, sl_select_mode mode, sl_error *error)
{
    sl_selection_def def = { 0 };
    sl_selection *selection = NULL;
    def.unit = unit;
    def.mode = mode;
    def.topologies = e->topologies;
    sl_result result = sl_selection_create(e->scene, &e->view, &def, &selection, error);
    if (result == SL_OK) {
        result = sl_selection_update(selection, region, NULL, error);
    }
    if (result == SL_OK) {
        printf("%s:", name);
        for (uint32_t i = 0; i < OBJECTS; i++) {
            printf(" %llu", (unsigned long long)sl_selection_of(selection, i).selected);
        }
        printf("\n");
    }
    sl_selection_destroy(selection);
    return result;
}

static sl_result select_all_ways(const editor *e, sl_error *error)
{
    const double from[2] = { 300, 150 }, to[2] = { 620, 420 };
    const double corners[] = { 100, 300, 300, 150, 500, 320, 300, 420 };
    const sl_region marquee = sl_region_rectangle(from, to), lasso = (sl_region){
        .kind = SL_REGION_LASSO, .corners = corners, .corner_count = 4
    };
    const sl_region brush = sl_region_brush(to, from, 20);
    sl_result result =
        select_by(e, "objects touched", &marquee, SL_SELECT_INSTANCES, SL_SELECT_TOUCHED, error);
    if (result == SL_OK) {
        result =
            select_by(e, "objects inside", &marquee, SL_SELECT_INSTANCES, SL_SELECT_INSIDE, error);
    }
    if (result == SL_OK) {
        result = select_by(e, "faces seen in a lasso", &lasso, SL_SELECT_FACES, SL_SELECT_VISIBLE,
                           error);
    }
    return result == SL_OK ? select_by(e, "vertices under a stroke", &brush, SL_SELECT_VERTICES,
                                       SL_SELECT_TOUCHED, error)
                           : result;
}

/* ---- Gizmos ---- */

static bool drag_along_x(editor *e, uint32_t object, const double from[2], const double to[2],
                         sl_error *error)
{
    sl_gizmo gizmo = { 0 };
    sl_drag drag = { 0 };
    sl_drag_move move;
    sl_handle handle;
    const sl_transform start = e->instances[object].transform;
    for (int axis = 0; axis < 3; axis++) {
        gizmo.centre[axis] = start.m[axis][3];
    }
    if (!sl_gizmo_pick(&gizmo, &e->view, from, 8, &handle) ||
        !sl_gizmo_drag(&gizmo, &handle, &drag) ||
        sl_drag_begin(&drag, &e->view, from) != SL_DRAG_MOVED ||
        sl_drag_to(&drag, &e->view, to, NULL, &move) != SL_DRAG_MOVED ||
        !sl_drag_transform(&drag, &move, &start, &e->instances[object].transform)) {
        printf("no handle is under the mouse\n");
        return true;
    }
    printf("handle %u drags object %u by %.4f %.4f %.4f\n", handle.handle, object,
           move.translation[0], move.translation[1], move.translation[2]);
    return rebuild_scene(e, error) == SL_OK;
}

/* ---- A mesh that is being edited ---- */

/* A corner of the box is pulled out: its tree is refitted, the scene is the next version, and the
 * topology looks at the edges of the triangles that have moved. */
static sl_result edit_box(editor *e, sl_error *error)
{
    const size_t count = sl_mesh_soup(e->box_mesh).vertex_count;
    const size_t triangles = sl_mesh_soup(e->box_mesh).triangle_count;
    float xyz[3 * 8];
    sl_bvh *next = NULL;
    memcpy(xyz, sl_mesh_soup(e->box_mesh).xyz, sizeof xyz);
    xyz[3 * 2 + 1] += 0.5f; /* vertex 2, upwards */
    sl_result result = sl_bvh_refit(e->box, xyz, count, sl_mesh_soup(e->box_mesh).indices,
                                    triangles, NULL, &next, error);
    if (result != SL_OK) {
        return result;
    }
    sl_bvh *before = e->box;
    e->box = next;
    e->instances[BOX].bvh = next;
    result = rebuild_scene(e, error);
    sl_bvh_destroy(before); /* no scene has it any more */
    if (result == SL_OK) {
        result = sl_topology_update(e->box_topology, xyz, NULL, 0, error);
    }
    return result;
}

int main(int argc, char **argv)
{
    editor e = { .scene = NULL };
    sl_error error = { .message = "the camera cannot be made" };
    int status = 1;
    if (open_editor(&e, argc > 1 ? argv[1] : "spot.obj", &error) != SL_OK || !aim(&e)) {
        goto done;
    }
    const double cow[2] = { 400, 270 }, corner[2] = { 280, 272 }, sky[2] = { 20, 20 };
    hover(&e, cow);
    probe(&e, cow);
    hover(&e, corner);
    hover(&e, sky);
    click_thrice(&e, cow);
    snap(&e);
    const double arrow[2] = { 340, 302 }, moved[2] = { 300, 310 }, pulled[2] = { 272, 220 };
    if (select_all_ways(&e, &error) != SL_OK || !drag_along_x(&e, 1, arrow, moved, &error) ||
        edit_box(&e, &error) != SL_OK) {
        goto done;
    }
    hover(&e, cow);
    hover(&e, pulled);
    status = 0;

done:
    if (status != 0) {
        fprintf(stderr, "%s: %s\n", error.file, error.message);
    }
    close_editor(&e);
    return status;
}

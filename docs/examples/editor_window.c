/* editor_window.c: a small editor in a window (GLFW, OpenGL 1): what is under the mouse, clicks
 * that cycle through what lies behind, a marquee, and objects dragged by the handles of a gizmo.
 *
 *     editor_window spot.obj                      left button: pick, marquee, drag; right: orbit
 *     editor_window spot.obj --script shot.ppm    a mouse of its own: prints what it did, and ends
 *
 * The scene is built anew in each frame of a drag. */
#include <sightline/sightline.h>

#include <GLFW/glfw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECTS = 3, WIDTH = 800, HEIGHT = 600 };

/* What the mouse does in a frame. */
typedef struct mouse_state {
    double at[2];
    bool left, right; /* buttons */
} mouse_state;

typedef enum action { NOTHING, PRESSED, MARQUEE, DRAGGING } action;

typedef struct editor {
    sl_mesh *mesh;
    float *normals; /* of the vertices */
    sl_bvh *bvh;
    sl_topology *topology;
    const sl_topology *topologies[OBJECTS];
    sl_instance instances[OBJECTS];
    bool selected[OBJECTS];
    sl_bvh *scene;
    sl_selection *selection;
    double turn, rise; /* of the camera around the middle */
    sl_view view;
    sl_pick hover, clicked; /* the gizmo stands where what was clicked stands */
    bool has_hover;
    action action;
    mouse_state before;
    double from[2]; /* where the button went down */
    sl_gizmo gizmo;
    sl_drag drag;
    sl_instance start[OBJECTS]; /* the instances, then */
} editor;

static sl_result build_scene(editor *e, sl_error *error)
{
    sl_bvh *next;
    const sl_result result = sl_bvh_build_instances(e->instances, OBJECTS, NULL, &next, error);
    if (result == SL_OK) {
        sl_bvh_destroy(e->scene);
        e->scene = next;
    }
    return result;
}

/* Smooth normals: at each vertex those of its triangles, by their areas; OpenGL makes them of unit
 * length. */
static bool find_normals(editor *e)
{
    const float *xyz = sl_mesh_soup(e->mesh).xyz;
    const uint32_t *corners = sl_mesh_soup(e->mesh).indices;
    e->normals = calloc(3 * sl_mesh_soup(e->mesh).vertex_count, sizeof *e->normals);
    for (size_t i = 0; e->normals != NULL && i < sl_mesh_soup(e->mesh).triangle_count; i++) {
        const float *a = xyz + 3 * corners[3 * i], *b = xyz + 3 * corners[3 * i + 1];
        const float *c = xyz + 3 * corners[3 * i + 2];
        for (int axis = 0; axis < 3; axis++) {
            const int y = (axis + 1) % 3, z = (axis + 2) % 3;
            const float n = (b[y] - a[y]) * (c[z] - a[z]) - (b[z] - a[z]) * (c[y] - a[y]);
            for (int k = 0; k < 3; k++) {
                e->normals[3 * corners[3 * i + (size_t)k] + (size_t)axis] += n;
            }
        }
    }
    return e->normals != NULL;
}

static sl_result open_editor(editor *e, const char *path, sl_error *error)
{
    if (sl_mesh_load(path, NULL, &e->mesh, error) != SL_OK ||
        sl_bvh_build(e->mesh, NULL, &e->bvh, error) != SL_OK ||
        sl_topology_build(e->mesh, NULL, &e->topology, error) != SL_OK) {
        return error->code;
    }
    if (!find_normals(e)) {
        snprintf(error->message, sizeof error->message, "out of memory");
        return SL_OUT_OF_MEMORY;
    }
    for (int i = 0; i < OBJECTS; i++) {
        e->instances[i] = sl_instance_of(e->bvh);
        e->instances[i].transform.m[0][3] = 2.2 * (i - 1);
        e->instances[i].transform.m[2][3] = 1.5 * (i % 2);
        e->topologies[i] = e->topology;
    }
    return build_scene(e, error);
}

static void aim(editor *e)
{
    sl_camera_def def = { 0 };
    sl_camera camera;
    def.eye[0] = (float)(4.5 * sin(e->turn) * cos(e->rise));
    def.eye[1] = (float)(4.5 * sin(e->rise));
    def.eye[2] = (float)(-4.5 * cos(e->turn) * cos(e->rise));
    def.width = WIDTH;
    def.height = HEIGHT;
    if (sl_camera_make(&def, &camera, NULL) == SL_OK) {
        e->view = (sl_view){ .camera = camera };
    }
    for (int axis = 0; axis < 3; axis++) {
        e->gizmo.centre[axis] = e->instances[e->clicked.instance].transform.m[axis][3];
    }
}

/* The button goes down: on a handle, or on whatever is there. */
static void press(editor *e, const double at[2])
{
    sl_handle handle;
    memcpy(e->from, at, sizeof e->from);
    e->action = PRESSED;
    e->drag = (sl_drag){ 0 };
    if (e->selected[e->clicked.instance] && sl_gizmo_pick(&e->gizmo, &e->view, at, 8, &handle) &&
        sl_gizmo_drag(&e->gizmo, &handle, &e->drag) &&
        sl_drag_begin(&e->drag, &e->view, at) == SL_DRAG_MOVED) {
        e->action = DRAGGING;
    }
    memcpy(e->start, e->instances, sizeof e->start);
}

static void drag_objects(editor *e, const double at[2])
{
    sl_drag_move move;
    const sl_drag_answer answer = sl_drag_to(&e->drag, &e->view, at, NULL, &move);
    for (int i = 0; i < OBJECTS; i++) {
        if (answer == SL_DRAG_MOVED && e->selected[i]) {
            sl_drag_transform(&e->drag, &move, &e->start[i].transform, &e->instances[i].transform);
        }
    }
    build_scene(e, NULL);
}

/* A click on what is selected already asks for what lies behind it. */
static void click(editor *e, const double at[2])
{
    sl_pick_def def = { 0 };
    const sl_pick *before = e->selected[e->clicked.instance] ? &e->clicked : NULL;
    def.kinds = SL_PICK_FACE;
    const bool found = sl_pick_next(e->scene, &e->view, at, &def, before, &e->clicked);
    memset(e->selected, 0, sizeof e->selected);
    e->selected[e->clicked.instance] = found;
}

static void marquee(editor *e, const double at[2])
{
    const sl_region region = sl_region_rectangle(e->from, at);
    sl_selection_def def = { .unit = SL_SELECT_INSTANCES };
    if (e->action == PRESSED) {
        sl_selection_destroy(e->selection);
        sl_selection_create(e->scene, &e->view, &def, &e->selection, NULL);
    }
    e->action = MARQUEE;
    sl_selection_update(e->selection, &region, NULL, NULL);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        e->selected[i] = sl_selection_has(e->selection, i, 0);
    }
}

/* What a frame does with the mouse. */
static void update(editor *e, const mouse_state *mouse)
{
    const double *at = mouse->at, *last = e->before.at;
    aim(e);
    if (mouse->right) {
        e->turn -= 0.01 * (at[0] - last[0]);
        e->rise = fmin(fmax(e->rise + 0.01 * (at[1] - last[1]), -1.5), 1.5);
    } else if (mouse->left && !e->before.left) {
        press(e, at);
    } else if (mouse->left && e->action == DRAGGING) {
        drag_objects(e, at);
    } else if (mouse->left && hypot(at[0] - e->from[0], at[1] - e->from[1]) > 4) {
        marquee(e, at);
    } else if (!mouse->left && e->action == PRESSED) {
        click(e, at);
    }
    e->action = mouse->left ? e->action : NOTHING;
    e->before = *mouse;
    sl_pick_def def = { .topologies = e->topologies };
    e->has_hover = e->action <= PRESSED && sl_pick_at(e->scene, &e->view, at, &def, &e->hover);
}

static void draw_objects(const editor *e)
{
    const GLsizei corners = (GLsizei)(3 * sl_mesh_soup(e->mesh).triangle_count);
    glVertexPointer(3, GL_FLOAT, 0, sl_mesh_soup(e->mesh).xyz);
    glNormalPointer(GL_FLOAT, 0, e->normals);
    glEnable(GL_LIGHTING);
    for (int i = 0; i < OBJECTS; i++) {
        double m[16] = { [15] = 1 };
        for (int k = 0; k < 12; k++) {
            m[4 * (k % 4) + k / 4] = e->instances[i].transform.m[k / 4][k % 4];
        }
        glColor3d(0.8, e->selected[i] ? 0.5 : 0.7, e->selected[i] ? 0.1 : 0.6);
        glPushMatrix();
        glMultMatrixd(m);
        glDrawElements(GL_TRIANGLES, corners, GL_UNSIGNED_INT, sl_mesh_soup(e->mesh).indices);
        glPopMatrix();
    }
    glDisable(GL_LIGHTING);
}

/* Over everything: what is under the mouse, and the gizmo's arrows. */
static void draw_handles(const editor *e)
{
    static const GLenum modes[5] = { GL_POINTS, GL_TRIANGLES, GL_LINES, GL_POINTS, GL_POINTS };
    static const uint32_t counts[5] = { 0, 3, 2, 0, 1 };
    const uint32_t kind = e->has_hover ? e->hover.kind : SL_PICK_NONE;
    double c[3][3], size = 0;
    const bool shown =
        e->selected[e->clicked.instance] && sl_gizmo_size(&e->gizmo, &e->view, &size);
    glColor3d(1, 0.9, 0.1);
    glBegin(modes[kind]);
    for (uint32_t i = 0; i < counts[kind]; i++) {
        sl_bvh_triangle(e->scene, (sl_triangle_ref){ e->hover.instance, e->hover.prim }, c);
        glVertex3dv(c[(e->hover.corner + i) % 3]);
    }
    glEnd();
    glBegin(GL_LINES);
    for (int axis = 0; shown && axis < 3; axis++) {
        const double *from = e->gizmo.centre, *to = e->gizmo.axes[axis];
        glColor3d(axis == 0, axis == 1, axis == 2);
        for (int end = 0; end < 2; end++) {
            const double s = size * (end == 0 ? SL_GIZMO_ARROW_START : 1);
            glVertex3d(from[0] + s * to[0], from[1] + s * to[1], from[2] + s * to[2]);
        }
    }
    glEnd();
}

static void draw(const editor *e)
{
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_NORMAL_ARRAY);
    glEnable(GL_LIGHT0);
    glEnable(GL_NORMALIZE);
    glEnable(GL_COLOR_MATERIAL);
    glEnable(GL_DEPTH_TEST);
    glPointSize(9);
    glLineWidth(3);
    glClearColor(0.2f, 0.25f, 0.3f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glMatrixMode(GL_PROJECTION);
    glLoadMatrixf(e->view.camera.projection);
    glMatrixMode(GL_MODELVIEW);
    glLoadMatrixf(e->view.camera.view);
    draw_objects(e);
    glDisable(GL_DEPTH_TEST);
    draw_handles(e);
    glLoadIdentity();
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(0, WIDTH, HEIGHT, 0, -1, 1);
    if (e->action == MARQUEE) {
        glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
        glColor3d(1, 1, 1);
        glRectd(e->from[0], e->from[1], e->before.at[0], e->before.at[1]);
        glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    }
}

/* Hovers, clicks, drags the arrow along x, and opens a marquee; then the picture is written. */
static bool play(editor *e, const char *path)
{
    static const mouse_state steps[] = { { { 400, 290 }, 0, 0 }, { { 400, 290 }, 1, 0 },
                                         { { 400, 290 }, 0, 0 }, { { 340, 262 }, 1, 0 },
                                         { { 260, 262 }, 1, 0 }, { { 260, 262 }, 0, 0 },
                                         { { 10, 10 }, 1, 0 },   { { 450, 580 }, 1, 0 } };
    static unsigned char rgb[HEIGHT][WIDTH][3];
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        update(e, &steps[i]);
        printf("%3g %3g: action %d, hover %u, selected %d%d%d, the middle one at %.2f\n",
               steps[i].at[0], steps[i].at[1], e->action, e->has_hover ? e->hover.kind : 0,
               e->selected[0], e->selected[1], e->selected[2], e->instances[1].transform.m[0][3]);
    }
    draw(e);
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fprintf(file, "P6 %d %d 255\n", WIDTH, HEIGHT) > 0;
    for (int y = HEIGHT - 1; good && y >= 0; y--) {
        good = fwrite(rgb[y], sizeof rgb[y], 1, file) == 1;
    }
    return file != NULL && fclose(file) == 0 && good;
}

int main(int argc, char **argv)
{
    editor e = { .gizmo.axes = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, .rise = 0.3 };
    sl_error error = { .message = "no window can be opened" };
    GLFWwindow *window =
        glfwInit() ? glfwCreateWindow(WIDTH, HEIGHT, "sightline", NULL, NULL) : NULL;
    if (window == NULL || open_editor(&e, argc > 1 ? argv[1] : "spot.obj", &error) != SL_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    glfwMakeContextCurrent(window);
    const bool good = argc <= 3 || play(&e, argv[3]);
    while (argc <= 3 && !glfwWindowShouldClose(window)) {
        mouse_state mouse;
        glfwGetCursorPos(window, &mouse.at[0], &mouse.at[1]);
        mouse.left = glfwGetMouseButton(window, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS;
        mouse.right = glfwGetMouseButton(window, GLFW_MOUSE_BUTTON_RIGHT) == GLFW_PRESS;
        update(&e, &mouse);
        draw(&e);
        glfwSwapBuffers(window);
        glfwPollEvents();
    }
    glfwTerminate();
    sl_selection_destroy(e.selection);
    sl_bvh_destroy(e.scene);
    sl_topology_destroy(e.topology);
    sl_bvh_destroy(e.bvh);
    sl_mesh_destroy(e.mesh);
    free(e.normals);
    return good ? 0 : 1;
}

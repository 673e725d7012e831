#include "test/support/input/dragged.h"

#include <math.h>
#include <string.h>

/* From low to high, evenly by exponents. */
static double between(double number, double low, double high)
{
    return low * exp2(number * log2(high / low));
}

static void make_view(const double *n, sl_view *out)
{
    static const sl_clip_space clips[4] = { SL_CLIP_SPACE_GL, SL_CLIP_SPACE_D3D,
                                            SL_CLIP_SPACE_VULKAN, SL_CLIP_SPACE_REVERSED };
    sl_camera_def def = { 0 };
    for (int i = 0; i < 3; i++) {
        def.eye[i] = (float)(20 * n[i] - 10);
        def.target[i] = def.eye[i] + (float)(2 * n[3 + i] - 1);
    }
    def.up[0] = 0.25f;
    const int kind = (int)(n[6] * 5);
    def.orthographic = kind >= 3;
    def.off_centre = kind == 2 || kind == 4;
    const float window[4] = { -0.25f, 0.5f, -0.375f, 0.125f };
    memcpy(def.window, window, sizeof window);
    def.far_distance = kind == 1 ? INFINITY : 5000;
    def.near_distance = 0.125f;
    def.fov_y_rad = (float)(0.2 + 2 * n[7]);
    def.ortho_height = (float)between(n[7], 0.1, 1000);
    def.clip = clips[(int)(n[8] * 4)];
    sl_camera camera;
    if (sl_camera_make(&def, &camera, NULL) != SL_OK) {
        def = (sl_camera_def){ 0 };
        (void)sl_camera_make(&def, &camera, NULL);
    }
    *out = (sl_view){ .camera = camera };
    for (int i = 0; i < 3; i++) {
        out->origin[i] = n[9] < 0.5 ? 0 : (n[10 + i] - 0.5) * 2e7;
    }
}

bool test_dragged_make(const double n[DRAGGED_NUMBERS], test_dragged *out)
{
    sl_ray_d ray;
    make_view(n, &out->view);
    const double at[2] = { 800 * n[12], 600 * n[13] };
    if (!sl_view_ray(&out->view, at, &ray)) {
        return false;
    }
    out->drag = (sl_drag){ 0 };
    out->drag.kind = (sl_drag_kind)(int)(n[14] * 7);
    out->drag.limit = n[15] < 0.5 ? 32 : between(2 * n[15] - 1, 4, 1000);
    double length = 0;
    for (int i = 0; i < 3; i++) {
        length += ray.dir[i] * ray.dir[i];
    }
    length = sqrt(length);
    const double away = between(n[16], 0.01, 2000);
    for (int i = 0; i < 3; i++) {
        /* Axes of all directions; some nearly along the sight, some nearly across. */
        const double dir = ray.dir[i] / length, some = 2 * n[17 + i] - 1;
        const double next = ray.dir[(i + 1) % 3] / length;
        const double slant = exp2(-30 * fmod(16 * n[20], 1));
        out->drag.point[i] = ray.origin[i] + dir * away;
        out->drag.axis[i] = n[20] < 0.5    ? some
                            : n[20] < 0.75 ? dir + slant * some
                                           : next - dir * 0.5 + slant * some;
        out->drag.centre[i] = out->drag.point[i] + 0.2 * away * (2 * n[(3 * i + 1) % 12] - 1);
    }
    double centre[2];
    const bool near_centre = out->drag.kind == SL_DRAG_RING && n[21] > 0.7 &&
                             sl_view_project(&out->view, out->drag.centre, centre, NULL);
    for (int i = 0; i < 2; i++) {
        const double far =
            near_centre ? between((n[21] - 0.7) / 0.3, 1e-2, 1e2) : between(n[21], 1e-3, 1e6);
        out->start[i] = at[i] + 8 * n[22] - 4;
        const double angle = 6.283185307179586 * (n[22] + 0.25 * i);
        out->mouse[i] = (near_centre ? centre[i] : out->start[i]) + far * cos(angle);
        const double turn = 6.283185307179586 * (8 * n[23] + 0.25 * i);
        out->apart = n[11] < 0.5 ? 1 : between(2 * n[11] - 1, 1e-2, 1e4);
        out->other[i] = out->mouse[i] + out->apart * cos(turn);
    }
    out->apart = hypot(out->other[0] - out->mouse[0], out->other[1] - out->mouse[1]);
    return sl_drag_begin(&out->drag, &out->view, out->start) == SL_DRAG_MOVED;
}

void test_dragged_random(test_random *random, double numbers[DRAGGED_NUMBERS])
{
    for (int i = 0; i < DRAGGED_NUMBERS; i++) {
        numbers[i] = (double)(test_random_u64(random) >> 11) * 0x1p-53;
    }
}

/* The angle of the turn from one to another. */
static double angle_between(const double p[4], const double q[4])
{
    double less = 0, more = 0;
    for (int i = 0; i < 4; i++) {
        less += (p[i] - q[i]) * (p[i] - q[i]);
        more += (p[i] + q[i]) * (p[i] + q[i]);
    }
    return 4 * atan2(sqrt(fmin(less, more)), sqrt(fmax(less, more)));
}

static double apart(const test_dragged *dragged, const sl_drag_move *a, const sl_drag_move *b)
{
    const sl_drag *drag = &dragged->drag;
    double arm[3], moved[3], along = 0, size = 0, unit = 0;
    for (int i = 0; i < 3; i++) {
        arm[i] = drag->point[i] - drag->centre[i];
        moved[i] = b->translation[i] - a->translation[i];
        along += arm[i] * drag->axis[i];
        unit += drag->axis[i] * drag->axis[i];
        size += arm[i] * arm[i];
    }
    along /= sqrt(unit);
    switch (drag->kind) {
    case SL_DRAG_RING: {
        double across = 0;
        for (int i = 0; i < 3; i++) {
            const double part = arm[i] - along * drag->axis[i] / sqrt(unit);
            across += part * part;
        }
        return fabs(b->free_angle - a->free_angle) * sqrt(across);
    }
    case SL_DRAG_ROLL:
        return angle_between(a->rotation, b->rotation) * sqrt(size);
    case SL_DRAG_SCALE:
        return fabs(b->factor - a->factor) * sqrt(size);
    case SL_DRAG_STRETCH:
        return fabs(b->factor - a->factor) * fabs(along);
    case SL_DRAG_AXIS:
    case SL_DRAG_PLANE:
    case SL_DRAG_SCREEN:
    case SL_DRAG_SURFACE:
    default:
        return sqrt(moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2]);
    }
}

double test_dragged_jump(const test_dragged *dragged)
{
    sl_drag_move a, b;
    if (sl_drag_to(&dragged->drag, &dragged->view, dragged->mouse, NULL, &a) != SL_DRAG_MOVED ||
        sl_drag_to(&dragged->drag, &dragged->view, dragged->other, &a, &b) != SL_DRAG_MOVED) {
        return -1;
    }
    return apart(dragged, &a, &b) / (dragged->drag.limit * a.pixel * dragged->apart);
}

void test_dragged_project(const sl_view *view, const double point[3], const double moved[3],
                          long double xyw[3])
{
    long double eye[4] = { 0 }, clip[4] = { 0 };
    for (int row = 0; row < 4; row++) {
        for (int k = 0; k < 4; k++) {
            eye[row] += (long double)view->camera.view[4 * k + row] *
                        (k < 3 ? (long double)point[k] - view->origin[k] + moved[k] : 1);
        }
    }
    for (int row = 0; row < 4; row++) {
        for (int k = 0; k < 4; k++) {
            clip[row] += (long double)view->camera.projection[4 * k + row] * eye[k];
        }
    }
    const int up = view->camera.clip == SL_CLIP_SPACE_VULKAN ? -1 : 1;
    xyw[0] = (clip[0] / clip[3] + 1) / 2 * view->camera.width;
    xyw[1] = (1 - clip[1] / clip[3] * up) / 2 * view->camera.height;
    xyw[2] = clip[3];
}

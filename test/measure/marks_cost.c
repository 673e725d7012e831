/* marks_cost: what marks near a pixel cost.
 *
 *     marks_cost [MARKS [PIXELS]]      default 100000 and 10000
 *
 * Points and short wires at random in a cube of side 2, and a sphere among them that hides some.
 * Prints the milliseconds that the list takes to build, and microseconds a call, the median, the
 * 99th percentile and the worst of the pixels, for the best mark and for all, through the sphere
 * and not. */
#include "test/measure/timing.h"
#include "test/support/input/random.h"

#include <sightline/sightline.h>

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 1920, HEIGHT = 1080 };

static void check(bool good, const char *words)
{
    if (!good) {
        fprintf(stderr, "marks_cost: %s\n", words);
        exit(1);
    }
}

static sl_mark draw(uint32_t i, test_random *random)
{
    double p[3], q[3];
    for (int axis = 0; axis < 3; axis++) {
        p[axis] = (double)test_random_in(random, -1, 1);
        q[axis] = p[axis] + 0.02 * (double)test_random_in(random, -1, 1);
    }
    return i % 2 == 0 ? sl_mark_point(p, 4, i) : sl_mark_wire(p, q, 1, i);
}

static void measure(const sl_marks *marks, const sl_scene *scene, const sl_view *view, bool all,
                    size_t pixels)
{
    test_random random = { 20261125 };
    double *us = calloc(pixels, sizeof *us);
    size_t found = 0;
    check(us != NULL, "not enough memory for pixels");
    for (size_t i = 0; i < pixels; i++) {
        sl_pick picks[64];
        const double xy[2] = { WIDTH * (double)test_random_unit(&random),
                               HEIGHT * (double)test_random_unit(&random) };
        for (int round = 0; round < 3; round++) {
            const double start = timing_seconds();
            const size_t count = all ? sl_marks_pick_all(marks, scene, view, xy, NULL, picks, 64)
                                     : sl_marks_pick(marks, scene, view, xy, NULL, picks);
            const double took = 1e6 * (timing_seconds() - start);
            us[i] = round == 0 || took < us[i] ? took : us[i];
            found += round == 0 ? count : 0;
        }
    }
    const double median = timing_median(us, pixels);
    printf("%-5s %-14s %.1f found; median %.1f, 99%% %.1f, worst %.1f us\n", all ? "all" : "best",
           scene != NULL ? "behind a scene" : "alone", (double)found / (double)pixels, median,
           us[pixels - 1 - pixels / 100], us[pixels - 1]);
    free(us);
}

int main(int argc, char **argv)
{
    const size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
    const size_t pixels = argc > 2 ? strtoul(argv[2], NULL, 10) : 10000;
    test_random random = { 20261124 };
    sl_mark *marks = calloc(count + 1, sizeof *marks);
    sl_camera_def def = sl_default_camera_def();
    sl_camera camera;
    sl_marks *list = NULL;
    sl_mesh *mesh;
    sl_bvh *bvh;
    sl_scene *scene;
    check(marks != NULL && pixels > 0, "not enough memory for marks");
    for (size_t i = 0; i < count; i++) {
        marks[i] = draw((uint32_t)i, &random);
    }
    double least = 0;
    for (int round = 0; round < 5; round++) {
        sl_marks_destroy(list);
        const double start = timing_seconds();
        check(sl_marks_build(marks, count, NULL, &list, NULL) == SL_OK, "no list");
        const double took = timing_seconds() - start;
        least = round == 0 || took < least ? took : least;
    }
    printf("%zu marks, built in %.1f ms\n", count, 1e3 * least);
    check(sl_mesh_generate_sphere(35, NULL, &mesh, NULL) == SL_OK &&
              sl_bvh_build(mesh, NULL, &bvh, NULL) == SL_OK,
          "no sphere");
    const sl_instance one = sl_instance_of(bvh);
    check(sl_scene_build(&one, 1, NULL, &scene, NULL) == SL_OK, "no scene");
    def.eye[2] = 3;
    def.width = WIDTH;
    def.height = HEIGHT;
    check(sl_camera_make(&def, &camera, NULL) == SL_OK, "no camera");
    const sl_view view = sl_view_of(&camera);
    for (int i = 0; i < 4; i++) {
        measure(list, i % 2 == 0 ? NULL : scene, &view, i >= 2, pixels);
    }
    sl_scene_destroy(scene);
    sl_bvh_destroy(bvh);
    sl_mesh_destroy(mesh);
    sl_marks_destroy(list);
    free(marks);
    return 0;
}

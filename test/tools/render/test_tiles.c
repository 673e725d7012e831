/* Pictures: every pixel once, by the rays of its cells, the same on any number of threads. */
#include "test/support/test.h"
#include "tools/render/render.h"

/* A sphere that nearly fills the picture. */
typedef struct scene {
    mesh_in in;
    camera_in camera;
    progress bar;
} scene;

static void open_scene(scene *s, uint32_t width, uint32_t height)
{
    *s = (scene){ .bar = { 0 } };
    assert_int_equal(sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 6 } } }, NULL,
                                      &s->in.mesh, NULL),
                     SL_OK);
    assert_int_equal(sl_bvh_build(s->in.mesh, NULL, &s->in.bvh, NULL), SL_OK);
    sl_camera_def def = { 0 };
    const float eye[3] = { 0.5f, 1, 2 };
    memcpy(def.eye, eye, sizeof eye);
    def.width = width;
    def.height = height;
    s->camera.camera = made_camera(&def);
    s->camera.axes[CAMERA_RIGHT][0] = s->camera.axes[CAMERA_UP][1] = 1;
    s->camera.axes[CAMERA_FORWARD][2] = -1; /* near enough for light */
}

static void close_scene(scene *s)
{
    sl_bvh_destroy(s->in.bvh);
    sl_mesh_destroy(s->in.mesh);
}

static tiles_job make_job(scene *s, int samples)
{
    return (tiles_job){
        .in = &s->in, .camera = &s->camera, .samples = samples, .bar = &s->bar, .stage = "testing"
    };
}

typedef struct visits {
    const scene *scene;
    int samples;
    uint8_t *seen;
    size_t hits, misses;
} visits;

/* Each ray is the one through its cell's middle, and each hit what a single question gives. */
static void visit_pixel(void *context, const tiles_pixel *pixel, int worker)
{
    visits *v = context;
    const sl_camera *camera = &v->scene->camera.camera;
    assert_int_equal(worker, 0);
    assert_true(pixel->x < camera->width && pixel->y < camera->height);
    v->seen[pixel->y * camera->width + pixel->x]++;
    assert_int_equal(pixel->count, v->samples * v->samples);
    for (int i = 0; i < v->samples * v->samples; i++) {
        const float cell = 1.0f / (float)v->samples;
        sl_ray expected;
        sl_hit hit;
        assert_true(sl_camera_ray(camera, (float)pixel->x + ((float)(i % v->samples) + 0.5f) * cell,
                                  (float)pixel->y + ((float)(i / v->samples) + 0.5f) * cell,
                                  &expected));
        for (int axis = 0; axis < 3; axis++) {
            assert_true(fabsf(expected.dir[axis] - pixel->rays[i].dir[axis]) < 1e-6f);
        }
        sl_bvh_closest(v->scene->in.bvh, &pixel->rays[i], NULL, &hit);
        assert_memory_equal(&hit, &pixel->hits[i], sizeof hit);
        v->hits += hit.prim != SL_NONE;
        v->misses += hit.prim == SL_NONE;
    }
}

TEST(every_pixel_is_seen_once_by_the_rays_of_its_cells)
{
    static const uint32_t sizes[][2] = { { 1, 1 }, { 33, 31 }, { 70, 3 }, { 5, 40 } };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int samples = 1; samples <= TILES_SAMPLES_MAX; samples++) {
            UNDONE(close_scene) scene s;
            open_scene(&s, sizes[i][0], sizes[i][1]);
            const size_t count = (size_t)sizes[i][0] * sizes[i][1];
            visits v = { .scene = &s, .samples = samples, .seen = calloc(count, 1) };
            const tiles_job job = make_job(&s, samples);
            assert_int_equal(tiles_trace(&job, visit_pixel, &v), EXIT_DONE);
            for (size_t k = 0; k < count; k++) {
                assert_int_equal(v.seen[k], 1);
            }
            assert_true(v.hits > 0 && (count == 1 || v.misses > 0));
            free(v.seen);
        }
    }
}

/* Costs of a walk are those of a single question with statistics. */
static void cost_pixel(void *context, const tiles_pixel *pixel, int worker)
{
    (void)worker;
    const scene *s = context;
    sl_stats stats = { .rays = 0 };
    sl_bvh_closest_many(s->in.bvh, sl_rays_of(&pixel->rays[0], 1), NULL, sl_hits_of(NULL), NULL,
                        &stats);
    assert_int_equal(pixel->costs[0], stats.nodes + stats.triangles);
}

TEST(costs_are_those_of_single_rays)
{
    UNDONE(close_scene) scene s;
    open_scene(&s, 20, 20);
    tiles_job job = make_job(&s, 1);
    job.costs = true;
    assert_int_equal(tiles_trace(&job, cost_pixel, &s), EXIT_DONE);
}

static uint8_t *draw(scene *s, int workers, render_show show)
{
    const sl_camera *camera = &s->camera.camera;
    OWN(sl_pool) pool = NULL;
    assert_int_equal(sl_pool_create(workers, NULL, &pool, NULL), SL_OK);
    picture p = { .in = &s->in,
                  .camera = &s->camera,
                  .show = show,
                  .ao = 5,
                  .ao_distance = 1,
                  .normals = render_vertex_normals(s->in.mesh),
                  .high = 20,
                  .width = camera->width,
                  .height = camera->height,
                  .rgb = calloc((size_t)camera->width * camera->height, 3) };
    tiles_job job = make_job(s, 2);
    job.tasks = sl_pool_tasks(pool);
    job.costs = show == SHOW_COST;
    assert_int_equal(tiles_trace(&job, render_pixel, &p), EXIT_DONE);
    free(p.normals);
    return p.rgb;
}

TEST(pictures_do_not_depend_on_threads)
{
    UNDONE(close_scene) scene s;
    open_scene(&s, 90, 70);
    for (int show = SHOW_SHADE; show <= SHOW_COST; show++) {
        FREED uint8_t *alone = draw(&s, 1, (render_show)show);
        FREED uint8_t *many = draw(&s, 4, (render_show)show);
        assert_memory_equal(alone, many, 90 * 70 * 3);
        uint8_t least = 255, most = 0;
        for (int i = 0; i < 90 * 70 * 3; i++) {
            least = alone[i] < least ? alone[i] : least;
            most = alone[i] > most ? alone[i] : most;
        }
        assert_true(most - least > 100); /* and there is something to see */
    }
}

/* The sphere is an octahedron cut finer, so its vertex normals point outward along positions; by
 * symmetry exactly so at the six corners. */
TEST(vertex_normals_point_outward)
{
    OWN(sl_mesh) mesh = made_sphere(8);
    float(*normals)[3] = render_vertex_normals(mesh);
    const float *xyz = sl_mesh_soup(mesh).xyz;
    for (size_t i = 0; i < sl_mesh_soup(mesh).vertex_count; i++) {
        float cosine = 0;
        for (int axis = 0; axis < 3; axis++) {
            cosine += normals[i][axis] * xyz[3 * i + (size_t)axis];
        }
        assert_true(cosine > 0.97f && cosine < 1.001f);
    }
    free(normals);
}

/* Every dot of it is in the lower half, and the bar is as the map is. */
TEST(the_legend_runs_from_dark_to_light_in_its_corner)
{
    enum { WIDTH = 400, HEIGHT = 300 };
    picture p = { .show = SHOW_COST, .high = 12, .width = WIDTH, .height = HEIGHT };
    p.rgb = calloc(WIDTH * HEIGHT, 3);
    render_legend(&p, "NODES", true);
    size_t last = 0, first = WIDTH * HEIGHT;
    for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
        if (p.rgb[3 * i] != 0) {
            first = i < first ? i : first;
            last = i;
        }
    }
    assert_true(first / WIDTH > HEIGHT / 2 && last / WIDTH < HEIGHT);
    /* The row through the middle of the bar: x 8 .. 168. */
    const uint8_t *row = p.rgb + 3 * WIDTH * (HEIGHT - 37 + 11 + 3);
    for (int x = 9; x < 168; x++) {
        const int before = row[3 * x - 3] + row[3 * x - 2] + row[3 * x - 1];
        const int now = row[3 * x] + row[3 * x + 1] + row[3 * x + 2];
        assert_true(now >= before - 12); /* blue falls in the upper half */
    }
    assert_true(row[3 * 8] < 30 && row[3 * 167] > 240);
    /* Too small for it: left alone. */
    memset(p.rgb, 0, WIDTH * HEIGHT * 3);
    p.width = 100;
    render_legend(&p, "NODES", true);
    for (size_t i = 0; i < WIDTH * HEIGHT * 3; i++) {
        assert_int_equal(p.rgb[i], 0);
    }
    free(p.rgb);
}

/* frame_loop: whether a game's loop keeps its frames: what each version of a world that moves
 * costs, and whether it allocates.
 *
 *     frame_loop [FRAMES [INSTANCES [MOVING [LINES]]]]      default 3000, 2000, 300 and 0
 *
 * INSTANCES of one sphere in the cube of bench --scene; MOVING of them go their ways, by a
 * twentieth of their size in each frame at most, and turn back at the sides.  Each frame builds the
 * next of two versions that take turns, and traces LINES lines of sight in it.  Prints, of the
 * frames from the tenth on, the processor's time of this thread in milliseconds: median, the
 * smallest that 99.9 % do not exceed and the largest; frames above three times the median; and
 * allocations. */
#include "test/measure/program.h"
#include "test/support/query/of_one.h"
#include "tools/bench/harness/ask.h"
#include "tools/bench/harness/world.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARM = 10 };

static size_t allocations;

static void *count_alloc(void *user, size_t size, size_t align)
{
    (void)user;
    allocations++;
    return aligned_alloc(align < 64 ? 64 : align, (size + 63) / 64 * 64);
}

static void count_free(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double thread_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* Moves along, and back at the sides of the cube. */
static void move(sl_instance *instance, double speed[3], double side)
{
    for (int axis = 0; axis < 3; axis++) {
        double *at = &instance->transform.m[axis][3];
        *at += speed[axis];
        speed[axis] = (*at < 0 && speed[axis] < 0) || (*at > side && speed[axis] > 0) ? -speed[axis]
                                                                                      : speed[axis];
    }
}

/* Sorts the times of the frames that count. */
static void print_times(double *ms, size_t frames, size_t late)
{
    const size_t timed = frames - WARM;
    qsort(ms + WARM, timed, sizeof *ms, by_value);
    const double median = ms[WARM + timed / 2];
    size_t long_frames = 0;
    for (size_t i = WARM; i < frames; i++) {
        long_frames += ms[i] > 3 * median;
    }
    printf("median %.3f ms, 99.9 %% %.3f, largest %.3f; %zu of %zu above 3 medians; "
           "%zu allocations\n",
           median, ms[WARM + timed * 999 / 1000], ms[frames - 1], long_frames, timed, late);
}

int main(int argc, char **argv)
{
    const size_t frames = (size_t)number_at(argc, argv, 1, 3000);
    const size_t count = (size_t)number_at(argc, argv, 2, 2000);
    const size_t moving = (size_t)number_at(argc, argv, 3, 300);
    const size_t lines = (size_t)number_at(argc, argv, 4, 0);
    must(moving <= count && frames > WARM, "MOVING is at most INSTANCES, and FRAMES more than 10");
    sl_bvh *tree = tree_of_only(shape_mesh(SHAPE_SPHERE, 8000));
    const sl_aabb box = bounds_in_floats(tree);
    const float reach = box.max[0] - box.min[0];
    bench_world world;
    must(bench_world_make(&box, count, DENSITY_TOUCHING, 1, &world), "not enough memory");
    bench_random random = bench_random_make(1, STREAM_FRAME);
    float(*places)[12] = memory_for(count, sizeof *places);
    sl_instance *instances = memory_for(count, sizeof *instances);
    double(*speed)[3] = memory_for(count, sizeof *speed);
    sl_segment *segments = memory_for(lines + 1, sizeof *segments);
    uint8_t *occluded = memory_for(lines + 1, 1);
    double *ms = memory_for(frames, sizeof *ms);
    bench_world_places(&world, 0, places);
    bench_world_instances(tree, (const float(*)[12])places, count, instances);
    const sl_aabb cube = { .max = { (float)world.side, (float)world.side, (float)world.side } };
    for (size_t i = 0; i < moving; i++) {
        for (int axis = 0; axis < 3; axis++) {
            speed[i][axis] = (double)bench_random_in(&random, -reach / 20, reach / 20);
        }
    }
    for (size_t i = 0; i < lines; i++) {
        bench_random_point(&random, &cube, segments[i].p);
        bench_random_point(&random, &cube, segments[i].q);
    }
    sl_bvh *version[2] = { NULL, NULL };
    size_t late = 0;
    for (size_t frame = 0; frame < frames; frame++) {
        for (size_t i = 0; i < moving; i++) {
            move(&instances[i], speed[i], world.side);
        }
        const size_t before = allocations;
        sl_instances_def def = { .previous = version[(frame + 1) % 2],
                                 .recycle = version[frame % 2] };
        def.hooks.allocator = (sl_allocator){ .alloc = count_alloc, .free = count_free };
        const double start = thread_ms();
        must(sl_bvh_build_instances(instances, count, &def, &version[frame % 2], NULL) == SL_OK,
             "not built");
        if (lines > 0) {
            sl_bvh_any_many(version[frame % 2], sl_segments_of(segments, lines), NULL, occluded,
                            NULL, NULL, NULL);
        }
        ms[frame] = thread_ms() - start;
        if (frame >= WARM && allocations > before) {
            late += allocations - before;
            printf("frame %zu: %zu allocations, %.3f ms\n", frame, allocations - before, ms[frame]);
        }
    }
    print_times(ms, frames, late);
    sl_bvh_destroy(version[0]);
    sl_bvh_destroy(version[1]);
    sl_bvh_destroy(tree);
    bench_world_free(&world);
    free(places);
    free(instances);
    free(speed);
    free(segments);
    free(occluded);
    free(ms);
    return 0;
}

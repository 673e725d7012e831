/* bench/world/pairs.c: draws segments for the frames of bench. */
#include "tools/bench/world/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void draw_segments(bench_random *random, const sl_aabb *box, double reach, size_t count,
                          sl_segment *out)
{
    for (size_t i = 0; i < count; i++) {
        float dir[3];
        const float length = bench_random_in(random, 0, (float)reach);
        bench_random_point(random, box, out[i].p);
        bench_random_sphere(random, dir);
        for (int axis = 0; axis < 3; axis++) {
            out[i].q[axis] = out[i].p[axis] + length * dir[axis];
        }
    }
}

static size_t count_occluded(const sl_bvh *scene, sl_segment *segments, size_t count,
                             uint8_t *occluded)
{
    size_t sum = 0;
    const bench_target target = { .bvh = scene };
    const bench_rays rays = { .query = BENCH_BLOCKED, .count = count, .segments = segments };
    bench_ask_batches(&target, &rays, 0, &(bench_answers){ .any = occluded });
    for (size_t i = 0; i < count; i++) {
        sum += occluded[i];
    }
    return sum;
}

/* Draws until two fifths are blocked, and no longer than for 50 times as many. */
static void draw_occluded(const sl_bvh *scene, bench_random *random, const sl_aabb *box,
                          double reach, size_t count, sl_segment *out, sl_segment *drawn,
                          uint8_t *occluded)
{
    const size_t clear_max = count - count * 2 / 5;
    size_t there = 0, clear = 0;
    for (int tries = 0; there < count; tries++) {
        draw_segments(random, box, reach, count, drawn);
        count_occluded(scene, drawn, count, occluded);
        for (size_t i = 0; i < count && there < count; i++) {
            if (occluded[i] != 0 || clear < clear_max || tries == 50) {
                clear += occluded[i] == 0;
                out[there++] = drawn[i];
            }
        }
    }
}

static void shuffle_segments(bench_random *random, sl_segment *segments, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t other = bench_random_below(random, i);
        const sl_segment swapped = segments[i - 1];
        segments[i - 1] = segments[other];
        segments[other] = swapped;
    }
}

bool bench_pairs_make(const sl_bvh *scene, double side, uint64_t seed, size_t count,
                      sl_segment *out)
{
    const sl_aabb box = { .max = { (float)side, (float)side, (float)side } };
    bench_random random = bench_random_make(seed, STREAM_FRAME);
    sl_segment *drawn = malloc(count * sizeof *drawn);
    uint8_t *occluded = malloc(count);
    const bool done = drawn != NULL && occluded != NULL;
    if (done) {
        double reach = side / 4;
        draw_segments(&random, &box, reach, count, out);
        size_t sum = count_occluded(scene, out, count, occluded);
        for (int tries = 0; tries < 20 && sum > count * 7 / 10; tries++) {
            reach *= 0.75;
            draw_segments(&random, &box, reach, count, out);
            sum = count_occluded(scene, out, count, occluded);
        }
        if (sum < count * 2 / 5) {
            draw_occluded(scene, &random, &box, reach, count, out, drawn, occluded);
        }
        shuffle_segments(&random, out, count);
    }
    free(drawn);
    free(occluded);
    return done;
}

bool bench_lines_make(const bench_source *source, size_t count, sl_segment *out)
{
    bench_rays lines;
    if (!bench_rays_make(source, SET_LOSBOX, count, &lines)) {
        return false;
    }
    memcpy(out, lines.segments, count * sizeof *out);
    bench_rays_free(&lines);
    return true;
}

void bench_lines_move(const bench_world *world, bench_random *random, sl_segment *lines,
                      size_t count)
{
    const float most = (float)(world->side / cbrt((double)world->count) / 200);
    for (size_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            lines[i].p[axis] += bench_random_in(random, -most, most);
            lines[i].q[axis] += bench_random_in(random, -most, most);
        }
    }
}

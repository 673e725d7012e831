/* bench/world/frame.h: the times of frames in a world that moves, for its rows. */
#pragma once

#include "tools/bench/harness/clock.h"
#include "tools/bench/job/job.h"

enum {
    FRAME_CALLS = PEER_STREAM + 1,
    FRAME_RIVALS = (int)PEER_WAY_COUNT * FRAME_CALLS /* ways and calls of the peer's */
};

/* Seconds of each round. */
typedef double frame_times[BENCH_ROUNDS_MAX];
typedef struct frame_all_times {
    frame_times built, moved, plain, hinted;
    frame_times many, one, remembered; /* of a game: asking alone */
    frame_times still_many, still_one; /* where what does not move is in one tree */
    frame_times their_one[PEER_WAY_COUNT];
    frame_times their_built[PEER_WAY_COUNT], their_moved[PEER_WAY_COUNT];
    frame_times theirs[FRAME_RIVALS], packed[FRAME_RIVALS];
    size_t occluded; /* in the last round */
    double agree;
} frame_all_times;

/* count: segments that are asked in a frame; 0: nothing is asked.  EXIT_DONE or the status of a
 * reported error. */
int bench_frame_time(bench_job *job, bench_scene *s, int threads, size_t count, frame_all_times *t);

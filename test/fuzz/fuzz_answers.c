/* fuzz_answers.c: any bytes as a file of what another tracer answered: a verdict about each, or an
 * error.  The first byte says what was asked: its bits 0 and 1 the mode, 2 of segments, 3 in
 * doubles, 4 whether rays are those of a file of their own. */
#include "test/fuzz/fuzz.h"
#include "test/fuzz/scratch.h"
#include "tools/command.h"
#include "tools/judge/judge.h"
#include "tools/output/file_conflicts.h"

#include <math.h>

static const char name[] = "answers", pairs[] = "pairs.txt";

static void write_file(const char *to, const void *data, size_t size)
{
    FILE *file = fopen(to, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        fuzz_fail("no file in the scratch folder");
    }
}

static void take(void *user, const judgement *what)
{
    uint64_t *errors = user;
    ++*errors;
    fuzz_expect(verdict_is_error(what->is), "what is right is an error");
}

/* Where each ray has one answer, all of them have a verdict. */
static void check_sums(const judge *j, uint64_t errors)
{
    uint64_t all = 0, wrong = 0;
    for (int i = 0; i < VERDICT_COUNT; i++) {
        all += j->sums.verdicts[i];
        wrong += verdict_is_error((verdict)i) ? j->sums.verdicts[i] : 0;
    }
    fuzz_expect(wrong == errors, "errors are not counted");
    fuzz_expect(j->mode == JUDGE_ALL || all == j->sums.rays, "an answer has no verdict");
}

static void judge_file(const sl_bvh *bvh, const sl_mesh *mesh, uint8_t bits)
{
    const mesh_in in = { .mesh = (sl_mesh *)mesh, .bvh = (sl_bvh *)bvh };
    const judge_mode mode = (judge_mode)(bits & 3);
    const bool segments = (bits & 4) != 0 && mode == JUDGE_OCCLUDED;
    uint64_t errors = 0;
    judge j = { .in = &in,
                .mode = mode,
                .segments = segments,
                .doubles = (bits & 8) != 0,
                .steps = 4,
                .take = take,
                .user = &errors };
    const answers_def def = { .path = name,
                              .rays = (bits & 16) == 0 ? name
                                      : segments       ? pairs
                                                       : "rays.txt",
                              .segments = segments,
                              .occluded = mode == JUDGE_OCCLUDED,
                              .doubles = j.doubles,
                              .tmax = INFINITY };
    answers_in answers;
    int status = answers_open(&answers, &def);
    status = status == EXIT_DONE ? judge_run(&j, &answers) : status;
    if (status == EXIT_DONE) {
        check_sums(&j, errors);
    }
    fuzz_expect(status == EXIT_DONE || status == EXIT_BAD_INPUT, "neither judged nor refused");
    answers_close(&answers);
    judge_free(&j);
    file_conflicts_forget();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char ends[] = "0.5 0.5 2 0.5 0.5 -1\n1 1 2 1 1 -1\n0.5 0 1 0.5 1 1\n";
    static sl_mesh *mesh;
    static sl_bvh *bvh;
    if (mesh == NULL) {
        scratch_enter();
        write_file(pairs, ends, sizeof ends - 1);
        fuzz_expect(sl_mesh_load("cube.obj", NULL, &mesh, NULL) == SL_OK &&
                        sl_bvh_build(mesh, NULL, &bvh, NULL) == SL_OK,
                    "no cube");
    }
    if (size > 0) {
        write_file(name, data + 1, size - 1);
        judge_file(bvh, mesh, data[0]);
    }
    return 0;
}

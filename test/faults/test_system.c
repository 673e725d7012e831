/* Every call that the library makes of the system, failing: the n-th of every case that touches
 * files, for every n, once and with all that follow it, with several errors; interrupted; and doing
 * only a part.  A write leaves the old file or the new one, and no other. */
#include "test/faults/fault_case.h"
#include "test/support/environment/failing_system.h"
#include "test/support/test.h"

#include <errno.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 17, LEAST = 3500 };

static const char old_text[] = "what was there";

/* A case, and what its run is like when nothing fails. */
typedef struct plain {
    const fault_case *one;
    uint64_t answer;
    uint8_t bytes[MOST_BYTES]; /* of the file that it writes */
    size_t size;
    int files, descriptors; /* before it */
} plain;

static size_t injections, survived;

static void read_back(plain *p)
{
    FILE *file = fopen(in_folder(p->one->writes), "rb");
    assert_non_null(file);
    p->size = fread(p->bytes, 1, sizeof p->bytes, file);
    fclose(file);
    assert_in_range(p->size, 1, sizeof p->bytes - 1);
    unlink(in_folder(p->one->writes));
}

static void run_plainly(const fault_case *one, plain *p)
{
    fault_run run = { .answer = 0 };
    p->one = one;
    p->files = files_in_folder();
    p->descriptors = open_descriptors();
    assert_int_equal(one->run(one, &run), SL_OK);
    p->answer = run.answer;
    if (one->writes != NULL) {
        read_back(p);
    }
}

/* The file that was to be written is the new one, or the old one, or is not there. */
static void judge_file(const plain *p, sl_result result, bool there_before)
{
    const char *path = in_folder(p->one->writes);
    const bool there = result == SL_OK || there_before;
    const bool whole = result == SL_OK ? holds(path, p->bytes, p->size)
                                       : !there || holds(path, old_text, sizeof old_text);
    if (!whole || files_in_folder() != p->files + there) {
        fail_msg("%s: the file is broken, or one is left beside it", p->one->name);
    }
    unlink(path);
}

/* Runs with what was set to fail; true if that came to pass. */
static bool run_once(const plain *p, int call, bool there_before, bool must_survive)
{
    sli_failing_allocator memory;
    fault_run run = { .memory = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
    const sl_result result = p->one->run(p->one, &run);
    const bool reached = system_calls() >= call;
    system_fails(0, 0);
    const bool done = result == SL_OK && run.answer == p->answer;
    const bool refused = (result == SL_IO || result == SL_NOT_FOUND) && run.error.code == result &&
                         run.error.message[0] != '\0' && run.error.file[0] != '\0';
    if (!done && (!refused || !reached || must_survive)) {
        fail_msg("%s, call %d: %s: %s", p->one->name, call, sl_result_name(result),
                 run.error.message);
    }
    if (p->one->writes != NULL) {
        judge_file(p, result, there_before);
    }
    assert_int_equal(memory.live_blocks, 0);
    assert_int_equal(open_descriptors(), p->descriptors);
    injections += reached;
    survived += reached && done;
    return reached;
}

static void prepare_file(const plain *p, bool there_before)
{
    if (p->one->writes != NULL && there_before) {
        put(in_folder(p->one->writes), old_text, sizeof old_text);
    }
}

/* Every call with one error; there_before: over a file that is there. */
static void fail_each(const plain *p, int number, bool once, bool there_before)
{
    for (int call = 1;; call++) {
        prepare_file(p, there_before);
        if (once) {
            system_fails(call, number);
        } else {
            system_fails_from(call, number);
        }
        if (!run_once(p, call, there_before, false)) {
            return;
        }
    }
}

static void in_each(void (*test)(const plain *))
{
    static plain p;
    size_t count;
    const fault_case *cases = fault_cases(&count);
    for (size_t i = 0; i < count; i++) {
        if (cases[i].in_files) {
            run_plainly(&cases[i], &p);
            test(&p);
        }
    }
}

static void fail_in_many_ways(const plain *p)
{
    static const int numbers[] = { EIO, ENOSPC, EACCES, ENOMEM, EMFILE, ENOENT };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        for (int how = 0; how < (p->one->writes != NULL ? 4 : 2); how++) {
            fail_each(p, numbers[i], how % 2 == 0, how >= 2);
        }
    }
}

TEST(every_call_may_fail)
{
    in_each(fail_in_many_ways);
}

/* Full after so many bytes: each write moves a part, and then no more. */
static void fail_in_small_parts(const plain *p)
{
    system_moves_at_most(p->one->writes != NULL ? p->size / 20 + 1 : 100);
    fail_each(p, p->one->writes != NULL ? ENOSPC : EIO, true, false);
    fail_each(p, p->one->writes != NULL ? ENOSPC : EIO, false, true);
    system_moves_at_most(0);
}

TEST(every_call_may_fail_half_way)
{
    in_each(fail_in_small_parts);
}

static void move_little(const plain *p)
{
    static const size_t parts[] = { 1, 7, 1000 };
    for (int i = 0; i < 3; i++) {
        system_moves_at_most(parts[i]);
        run_once(p, 0, false, true);
    }
    system_moves_at_most(0);
}

TEST(short_reads_and_writes_change_nothing)
{
    in_each(move_little);
}

static void interrupt(const plain *p)
{
    system_interrupts(true);
    for (size_t part = 100; part <= 1000; part *= 10) {
        system_moves_at_most(part);
        run_once(p, 0, false, true);
    }
    system_moves_at_most(0);
    system_interrupts(false);
}

TEST(interrupts_change_nothing)
{
    in_each(interrupt);
}

TEST(there_were_many)
{
    print_message("%zu calls of the system failed; %zu of them changed nothing\n", injections,
                  survived);
    assert_true(injections >= LEAST);
}

static int leave(void **state)
{
    fault_cases_end();
    return system_leave(state);
}

TEST_ONCE(folder_enter, leave);

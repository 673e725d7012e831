/* --part, --resume and merge, refused every allocation and every call of the system in turn: a run
 * ends as always, or says what failed; and what it leaves a run without faults makes whole.
 * Started with the malloc of failing_malloc.c, or with the calls of preload_io.c, in front of the
 * system's. */
#include "test/support/environment/folder.h"
#include "test/support/test.h"

#include <sys/wait.h>
#include <unistd.h>

enum { FAILED = 4, EVERY = 5 };

/* Each makes "made", in a folder with cube.obj, rays.txt and the parts of "made" (not of lines that
 * go on). */
static const char *const lines[] = {
    "cast cube.obj --rays rays.txt --mode all -k 65536 -o made.csv --resume -q",
    "cast cube.obj --rays rays.txt --mode all -k 65536 -o made.npy --resume -q",
    "inside cube.obj --generate box --number 9 --summary -o made.csv --resume -q",
    "cast cube.obj --rays rays.txt -o made.csv --part 1/1 --resume -q",
    "cast cube.obj --rays rays.txt -o made.csv --part 1/1",
    "cast cube.obj --rays - -o made.csv --part 1/1 <rays.txt",
    "merge parts.csv.1-of-2.part parts.csv.2-of-2.part -o made.csv",
    "merge parts.npy.1-of-2.part parts.npy.2-of-2.part -o made.npy",
    "merge -o parts.csv",
};

static size_t injections;

/* Runs a line in the folder; *failed: whether something was made to fail.  The exit status. */
static int run_line(const char *line, const char *fault, bool *failed)
{
    int report[2];
    char command[2048], byte;
    assert_int_equal(pipe(report), 0);
    snprintf(command, sizeof command, "cd %s && exec 9>&%d && exec env %s %s %s >out 2>err",
             in_folder("."), report[1], fault, SIGHTLINE_COMMAND, line);
    const int status = system(command);
    close(report[1]);
    *failed = read(report[0], &byte, 1) == 1;
    close(report[0]);
    if (!WIFEXITED(status)) {
        fail_msg("'%s' under %s: %#x", line, fault, (unsigned)status);
    }
    return WEXITSTATUS(status);
}

static void shell(const char *what)
{
    char command[2048];
    snprintf(command, sizeof command, "cd %s && PATH=%s:$PATH && { %s; }", in_folder("."),
             COMMAND_FOLDER, what);
    if (system(command) != 0) {
        fail_msg("%s", what);
    }
}

static void fail_each(const char *line, const char *how)
{
    bool failed = true;
    shell("rm -rf made.* parts.csv expected; mkdir expected");
    assert_int_equal(run_line(line, "", &failed), 0);
    shell("cp made.* parts.csv expected 2>/dev/null; rm -f expected/*.done");
    for (size_t n = 0; failed || n == 0; n += n < 40 ? 1 : EVERY) {
        char fault[1024];
        bool none;
        snprintf(fault, sizeof fault, how, n);
        shell("rm -f made.* parts.csv");
        const int status = run_line(line, fault, &failed);
        if (status != 0 && status != FAILED) {
            fail_msg("'%s' under %s: status %d", line, fault, status);
        }
        shell("test \"$(ls -A | grep -c tmp)\" = 0");
        injections += failed;
        /* What is there is whole, and the next run makes the rest. */
        shell("for f in made.csv made.npy made.offsets.npy made.csv.1-of-1.part parts.csv; do"
              " [ ! -e $f ] || cmp $f expected/$f || exit 1; done");
        if (status != 0) {
            if (strstr(line, "--resume") != NULL) {
                /* An array may be there without the other one of its lists. */
                shell("[ -e made.csv.partial ] || [ -e made.npy.partial ] || "
                      "[ -e made.csv.1-of-1.partial ] || rm -f made.*");
            }
            assert_int_equal(run_line(line, "", &none), 0);
        }
        shell("for f in expected/*; do cmp $f ${f#expected/} || exit 1; done");
    }
}

static void prepare(void)
{
    static const char rays[] = "3 0 0  -1 0 0\n0 3 0  0 -1 0\n5 5 5  1 0 0\n"
                               "0.2 3 0  0 -1 0\n0.2 0.1 3  0 0 -1\n0.3 0.1 3  0 0 -1\n";
    char copy[512];
    put(in_folder("rays.txt"), rays, sizeof rays - 1);
    snprintf(copy, sizeof copy, "cp '%s/test/data/cube.obj' '%s'", SOURCE_DIR, in_folder("."));
    assert_int_equal(system(copy), 0);
    shell("for i in 1 2; do sightline cast cube.obj --rays rays.txt -o parts.csv --part $i/2;"
          "sightline cast cube.obj --rays rays.txt --mode all -o parts.npy --part $i/2; done");
}

TEST_ONCE(folder_enter, folder_leave);

TEST(without_memory_parts_go_on)
{
    prepare();
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        fail_each(lines[i], "LD_PRELOAD=" FAULTS_PRELOAD " SIGHTLINE_FAULT='%zu once'");
    }
    print_message("%zu allocations refused\n", injections);
    assert_true(injections >= 300);
}

TEST(when_calls_of_the_system_fail_parts_go_on)
{
    injections = 0;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        fail_each(lines[i], "LD_PRELOAD=" FAULTS_PRELOAD_IO " SIGHTLINE_IO_FAULT='%zu'");
    }
    print_message("%zu calls failed\n", injections);
    assert_true(injections >= 60);
}

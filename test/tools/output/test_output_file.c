/* Files that the library writes for the command: an interrupt waits until they are whole. */
#include "test/support/test.h"
#include "tools/command.h"
#include "tools/output/file.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the process does that is interrupted: tells how far it came. */
static void be_interrupted(int to, bool lent)
{
    char path[] = "/tmp/sightline-lent"; /* never made */
    out_file_guard();
    if (lent && out_file_lend(path) != EXIT_DONE) {
        _exit(1);
    }
    raise(SIGTERM);
    if (write(to, "w", 1) != 1 || (lent && out_file_take_back(SL_OK, NULL) != EXIT_DONE)) {
        _exit(1);
    }
    _exit(write(to, "e", 1) == 1 ? 0 : 1);
}

/* How many of the two steps behind the interrupt are done; it ends the process either way. */
static ssize_t steps(bool lent)
{
    int ends[2], status;
    char told[2];
    ssize_t count = 0, got;
    assert_int_equal(pipe(ends), 0);
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        be_interrupted(ends[1], lent);
    }
    close(ends[1]);
    while ((got = read(ends[0], told, sizeof told)) > 0) {
        count += got;
    }
    close(ends[0]);
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    return count;
}

TEST(an_interrupt_waits_for_what_the_library_writes)
{
    assert_int_equal(steps(false), 0);
    assert_int_equal(steps(true), 1);
}

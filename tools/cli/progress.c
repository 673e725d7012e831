/* progress.c: the progress bar on stderr, for everything that may take seconds. */
#include "tools/cli/progress.h"

#include "tools/cli/common.h"

#include <string.h>
#include <unistd.h>

#define BAR_WIDTH 30

/* Not on screen sooner, and not drawn more often, in seconds. */
static const double wait_before = 0.5;
static const double wait_between = 0.1;

void progress_begin(progress *bar, bool quiet)
{
    *bar = (progress){ .on = !quiet && isatty(STDERR_FILENO), .started = common_seconds() };
}

static bool progress_report(void *user, const char *stage, float fraction)
{
    progress_show(user, stage, (double)fraction);
    return true;
}

sl_progress progress_hook(progress *bar)
{
    return (sl_progress){ .report = progress_report, .user = bar };
}

/* How long something takes, for people: "7 s", "3 min", "2 h". */
static void print_time(char *to, size_t size, double seconds)
{
    if (seconds < 100) {
        snprintf(to, size, "%.0f s", seconds);
    } else if (seconds < 6000) {
        snprintf(to, size, "%.0f min", seconds / 60);
    } else {
        snprintf(to, size, "%.0f h", seconds / 3600);
    }
}

static void progress_draw(const progress *bar, double fraction, double elapsed)
{
    char time[32];
    if (fraction < 0) {
        print_time(time, sizeof time, elapsed);
        fprintf(stderr, "\r\033[K%-12s %s", bar->stage, time);
        fflush(stderr);
        return;
    }
    char cells[BAR_WIDTH + 1];
    for (int i = 0; i < BAR_WIDTH; i++) {
        cells[i] = (double)i < fraction * BAR_WIDTH ? '#' : '.';
    }
    cells[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r\033[K%-12s [%s] %3.0f %%", bar->stage, cells, 100 * fraction);
    if (fraction > 0.01) {
        print_time(time, sizeof time, elapsed * (1 - fraction) / fraction);
        fprintf(stderr, ", %s left", time);
    }
    fflush(stderr);
}

void progress_show(progress *bar, const char *stage, double fraction)
{
    if (!bar->on) {
        return;
    }
    const double now = common_seconds();
    if (strncmp(bar->stage, stage, sizeof bar->stage - 1) != 0) {
        snprintf(bar->stage, sizeof bar->stage, "%s", stage);
        bar->started = now;
    }
    if (now - bar->started < wait_before || now - bar->drawn < wait_between) {
        return;
    }
    bar->drawn = now;
    progress_draw(bar, fraction > 1 ? 1 : fraction, now - bar->started);
}

void progress_clear(progress *bar)
{
    if (bar->on && bar->drawn > 0) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        bar->drawn = 0;
    }
}

void progress_end(progress *bar)
{
    progress_clear(bar);
    bar->on = false;
}

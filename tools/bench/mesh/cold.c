/* bench/mesh/cold.c: builds as the first thing that a process does, each in a process of its own.
 *
 * What a build costs then is not what the next one costs: its memory is fresh from the system,
 * which has to find and clear it.  A process with threads should not be copied, so that one that
 * does nothing else is kept from the start; it copies itself for every build. */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L /* fdopen */
#endif
#include "tools/bench/mesh/rows.h"
#include "tools/cli/report.h"

#include <math.h>

#if defined(_WIN32)

int bench_cold_open(bench_job *job)
{
    (void)job;
    return EXIT_DONE;
}

void bench_cold_close(bench_cold *cold)
{
    (void)cold;
}

double bench_cold_seconds(const bench_cold *cold, const bench_place *place, const char *kernel)
{
    (void)cold, (void)place, (void)kernel;
    return NAN;
}

#else

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct request {
    bench_place place;
    char kernel[16]; /* the peer's build beside it; "": ours */
} request;

static double cold_build(const bench_job *job, const request *r)
{
    bench_scene s;
    double seconds;
    int status = bench_scene_load(job, &r->place, &s);
    if (status == EXIT_DONE) {
        status = r->kernel[0] == '\0' ? bench_build_ours(&s, &seconds)
                                      : bench_build_theirs(&s, r->kernel, &seconds);
    }
    return status == EXIT_DONE ? seconds : (double)NAN; /* its process ends, and s with it */
}

/* Copies this process and has the copy build.  The copy leaves without flushing what it shares. */
static double build_in_copy(const bench_job *job, const request *r)
{
    int ends[2];
    double seconds = NAN;
    if (pipe(ends) != 0) {
        return NAN;
    }
    const pid_t copy = fork();
    if (copy == 0) {
        seconds = cold_build(job, r);
        _exit(write(ends[1], &seconds, sizeof seconds) == (ssize_t)sizeof seconds ? 0 : 1);
    }
    close(ends[1]);
    if (copy < 0 || read(ends[0], &seconds, sizeof seconds) != (ssize_t)sizeof seconds) {
        seconds = NAN;
    }
    close(ends[0]);
    if (copy > 0) {
        waitpid(copy, NULL, 0);
    }
    return seconds;
}

/* Until there are no more requests.  It reads no mesh from stdin and prints nothing: what cannot be
 * loaded is reported where it is loaded for the other rows. */
static void cold_serve(const bench_job *job, int requests, int answers)
{
    request r;
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDERR_FILENO);
    while (read(requests, &r, sizeof r) == (ssize_t)sizeof r) {
        const double seconds = build_in_copy(job, &r);
        if (write(answers, &seconds, sizeof seconds) != (ssize_t)sizeof seconds) {
            break;
        }
    }
    _exit(0);
}

int bench_cold_open(bench_job *job)
{
    int requests[2], answers[2];
    if (pipe(requests) != 0) {
        return report_memory();
    }
    if (pipe(answers) != 0) {
        close(requests[0]);
        close(requests[1]);
        return report_memory();
    }
    const pid_t process = fork();
    if (process == 0) {
        close(requests[1]);
        close(answers[0]);
        cold_serve(job, requests[0], answers[1]);
    }
    close(requests[0]);
    close(answers[1]);
    job->cold = (bench_cold){ .process = process, .requests = requests[1], .answers = answers[0] };
    return process > 0 ? EXIT_DONE : report_memory();
}

void bench_cold_close(bench_cold *cold)
{
    if (cold->process != 0) {
        close(cold->requests);
        close(cold->answers);
    }
    if (cold->process > 0) {
        waitpid((pid_t)cold->process, NULL, 0);
    }
    *cold = (bench_cold){ 0 };
}

double bench_cold_seconds(const bench_cold *cold, const bench_place *place, const char *kernel)
{
    request r = { .place = *place };
    double seconds = NAN;
    snprintf(r.kernel, sizeof r.kernel, "%s", kernel != NULL ? kernel : "");
    const bool told = cold->process > 0 &&
                      write(cold->requests, &r, sizeof r) == (ssize_t)sizeof r &&
                      read(cold->answers, &seconds, sizeof seconds) == (ssize_t)sizeof seconds;
    return told ? seconds : (double)NAN;
}

#endif

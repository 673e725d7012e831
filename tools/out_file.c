#include "tools/out_file.h"

#include "tools/command.h"
#include "tools/report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The one temporary file of this process, for the signal handler; NULL: none. */
static const char *volatile unfinished;

static void remove_unfinished(int number)
{
    const char *path = unfinished;
    if (path != NULL) {
        unlink(path);
    }
    signal(number, SIG_DFL);
    raise(number);
}

void out_file_guard(void)
{
    /* A closed descriptor would be taken by the next file that is opened.  Opened the wrong way
     * round, so that reading from stdin or writing to stdout still fails. */
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) == -1) {
            const int placed = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
            (void)placed;
        }
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, remove_unfinished);
    signal(SIGTERM, remove_unfinished);
    signal(SIGHUP, remove_unfinished);
}

/* The name that a link leads to, so that the link stays one; NULL when out of memory. */
static char *final_name(const char *path)
{
    char *real = realpath(path, NULL);
    return real != NULL ? real : strdup(path);
}

static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

static int report_write(const out_file *file, int error)
{
    if (file->temporary != NULL) {
        return report_failure(file->path,
                              "writing failed: %s; nothing was kept, make room or "
                              "choose another place with -o",
                              strerror(error));
    }
    return report_failure(file->path != NULL ? file->path : "stdout",
                          "writing failed: %s; choose another place with -o", strerror(error));
}

int out_file_open(out_file *file, const char *path)
{
    *file = (out_file){ 0 };
    if (path == NULL || strcmp(path, "-") == 0) {
        file->stream = stdout;
        return EXIT_DONE;
    }
    file->path = final_name(path);
    if (file->path == NULL) {
        return report_memory();
    }
    int descriptor;
    if (is_special(file->path)) {
        descriptor = open(file->path, O_WRONLY | O_CLOEXEC);
    } else {
        const size_t size = strlen(file->path) + 32;
        file->temporary = malloc(size);
        if (file->temporary == NULL) {
            out_file_discard(file);
            return report_memory();
        }
        snprintf(file->temporary, size, "%s.%ld.tmp", file->path, (long)getpid());
        descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    }
    file->stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (file->stream == NULL) {
        const int error = errno;
        if (descriptor >= 0) {
            close(descriptor);
        }
        report_failure(path, "cannot be written: %s; choose another place with -o",
                       strerror(error));
        out_file_discard(file);
        return EXIT_FAILED;
    }
    unfinished = file->temporary;
    return EXIT_DONE;
}

static void forget(out_file *file)
{
    unfinished = NULL;
    free(file->temporary);
    free(file->path);
    *file = (out_file){ 0 };
}

/* Everything down to the system, and whether it took it all: an errno, or 0. */
static int finish_stream(out_file *file)
{
    /* An earlier error has left its number only if nothing failed since; none is no excuse. */
    int error = ferror(file->stream) ? (errno != 0 ? errno : EIO) : 0;
    if (fflush(file->stream) != 0 && error == 0) {
        error = errno;
    }
    /* Some errors show only when a file is closed; stdout is left to exit. */
    if (file->path != NULL && fclose(file->stream) != 0 && error == 0) {
        error = errno;
    }
    file->stream = NULL;
    return error;
}

int out_file_close(out_file *file)
{
    int error = finish_stream(file);
    if (error == 0 && file->temporary != NULL && rename(file->temporary, file->path) != 0) {
        error = errno;
    }
    int status = EXIT_DONE;
    if (error != 0) {
        status = report_write(file, error);
        if (file->temporary != NULL) {
            unlink(file->temporary);
        }
    }
    forget(file);
    return status;
}

void out_file_discard(out_file *file)
{
    if (file->stream != NULL && file->path != NULL) {
        fclose(file->stream);
    }
    if (file->temporary != NULL) {
        unlink(file->temporary);
    }
    forget(file);
}

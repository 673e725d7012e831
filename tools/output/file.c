/* output/file.c: files that appear complete or not at all, for everything that writes results. */
#include "tools/output/file.h"

#include "tools/cli/report.h"
#include "tools/output/file_conflicts.h"
#include "tools/output/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int report_write(const out_file *file, int error)
{
    if (file->temporary != NULL) {
        return report_failure(
            file->path, "writing failed: %s; nothing was kept; free space or choose another place",
            report_why(error));
    }
    return report_failure(file->path != NULL ? file->path : "stdout",
                          "writing failed: %s; choose another place", report_why(error));
}

int out_file_open(out_file *file, const char *path)
{
    *file = (out_file){ 0 };
    if (path == NULL || strcmp(path, "-") == 0) {
        file->stream = stdout;
        return EXIT_DONE;
    }
    if (path[0] == '\0') {
        return report_failure(NULL, "the name of the file to write is empty; name one");
    }
    const int role = file_conflicts_write(path);
    if (role != EXIT_DONE) {
        return role;
    }
    const int descriptor = out_place_open(file, path);
    file->stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (file->stream == NULL) {
        const int error = errno;
        if (descriptor >= 0) {
            close(descriptor);
        }
        report_failure(path, "cannot be written: %s; choose another place", report_why(error));
        out_file_discard(file);
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

static void file_forget(out_file *file)
{
    out_place_forget(file);
    free(file->temporary);
    free(file->path);
    *file = (out_file){ 0 };
}

int out_file_lend(const char *path)
{
    const int status = file_conflicts_write(path);
    if (status == EXIT_DONE) {
        out_place_hold();
    }
    return status;
}

int out_file_take_back(sl_result result, const sl_error *error)
{
    out_place_release();
    if (result != SL_OK) {
        (void)report_error(error);
        return EXIT_FAILED; /* its code has another status where a file is read */
    }
    return EXIT_DONE;
}

/* Everything down to the system, and whether it took it all: an errno, or 0. */
static int finish_stream(out_file *file, bool *lost_reader)
{
    /* errno of an earlier error is still set only if nothing has failed since. */
    int error = ferror(file->stream) ? (errno != 0 ? errno : EIO) : 0;
    if (fflush(file->stream) != 0 && error == 0) {
        error = errno;
    }
    *lost_reader = error != 0 && file->path == NULL && out_place_lost_reader(file->stream, error);
    /* Some errors show only when a file is closed; stdout is left to exit. */
    if (file->path != NULL && fclose(file->stream) != 0 && error == 0) {
        error = errno;
    }
    file->stream = NULL;
    return error;
}

int out_file_close(out_file *file)
{
    if (file->lent) {
        *file = (out_file){ 0 };
        return EXIT_DONE;
    }
    bool lost_reader;
    int error = finish_stream(file, &lost_reader);
    if (error == 0 && file->temporary != NULL) {
        error = out_place_replace(file);
    }
    int status = lost_reader ? EXIT_NO_READER : EXIT_DONE;
    if (error != 0 && !lost_reader) {
        status = report_write(file, error);
        if (file->temporary != NULL) {
            unlink(file->temporary);
        }
    }
    file_forget(file);
    return status;
}

void out_file_discard(out_file *file)
{
    if (file->lent) {
        *file = (out_file){ 0 };
        return;
    }
    if (file->stream != NULL && file->path != NULL) {
        fclose(file->stream);
    }
    if (file->temporary != NULL) {
        unlink(file->temporary);
    }
    file_forget(file);
}

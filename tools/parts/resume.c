/* parts/resume.c: goes on with an unfinished part file; tells what is done from what is not, and
 * what belongs to this question from what does not. */

#include "tools/cli/report.h"
#include "tools/output/file_conflicts.h"
#include "tools/output/place.h"
#include "tools/parts/merge.h"
#include "tools/parts/part.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static int say_complete(part_out *part)
{
    part->complete = true;
    return report_note(part->path, "all %" PRIu64 " questions are answered already; nothing to do",
                       part->count);
}

/* Reads records up to the first one that is not whole; *at: where that begins.  Whether the last
 * one ends the file. */
static bool read_records(part_out *part, FILE *stream, uint64_t *at)
{
    part_record record;
    bool ends = false;
    while (!ends && part_file_read(stream, &record, part->checksum, NULL, NULL) == PART_WHOLE) {
        ends = record.kind == PART_END;
        part->checksum = record.checksum;
        part->begun = true;
        *at += 64 + record.sizes[0] + record.sizes[1];
        if (record.kind == PART_ROWS) {
            part->done += record.questions;
            memcpy(part->sums, record.sums, sizeof part->sums);
            part->sizes[0] += record.sizes[0];
            part->sizes[1] += record.sizes[1];
        }
    }
    return ends;
}

/* Whether the file holds only a beginning of the header, as after a crash right at the start. */
static bool is_beginning(const part_out *part, FILE *stream)
{
    size_t i = 0;
    rewind(stream);
    for (int c = fgetc(stream); c != EOF; c = fgetc(stream), i++) {
        if (i >= part->header.size || c != (unsigned char)part->header.text[i]) {
            return false;
        }
    }
    return !ferror(stream);
}

/* The header of a file that is there: EXIT_DONE where it is this question's, *whole: all of it. */
static int check_header(const part_out *part, const char *path, FILE *stream, bool *whole)
{
    part_header found;
    int status = EXIT_DONE;
    *whole = part_header_read(&found, stream);
    if (*whole) {
        status = part_header_compare(&found, path, &part->header, "this run", true);
    } else if (found.no_memory) {
        status = report_memory();
    } else if (ferror(stream)) {
        status = report_failure(path, "reading failed: %s; check the disk", report_why(errno));
    } else if (!is_beginning(part, stream)) {
        status = report_input(path, 0,
                              "it is no part file, so that nothing can go on there; name another "
                              "--out, or remove it");
    }
    part_header_free(&found);
    return status;
}

/* A part file that has its name already: this one, and whole, or an error. */
static int check_finished(part_out *part)
{
    bool whole = false;
    uint64_t at = part->header.size;
    FILE *stream = fopen(part->path, "rb");
    if (stream == NULL) {
        return report_failure(part->path, "cannot be read: %s; check the permissions",
                              report_why(errno));
    }
    int status = check_header(part, part->path, stream, &whole);
    if (status == EXIT_DONE &&
        !(whole && read_records(part, stream, &at) && fgetc(stream) == EOF)) {
        status = report_input(part->path, 0, "it is damaged; remove it, and run this again");
    }
    fclose(stream);
    return status == EXIT_DONE ? say_complete(part) : status;
}

static int report_keep(const char *path, int error)
{
    if (error == EBUSY) {
        return report_failure(path, "another run is writing it; wait until that is done");
    }
    return report_failure(path, "cannot be written: %s; choose another place", report_why(error));
}

/* The unfinished file, new or from an earlier run. */
static int go_on(part_out *part, bool quiet)
{
    bool whole = false;
    part->kept = out_place_keep(part->unfinished);
    if (part->kept == NULL) {
        return report_keep(part->unfinished, errno);
    }
    const int status = check_header(part, part->unfinished, part->kept, &whole);
    if (status != EXIT_DONE) {
        return status;
    }
    uint64_t at = whole ? part->header.size : 0;
    const bool ends = whole && read_records(part, part->kept, &at);
    part->begun = part->begun && whole;
    at = part->begun ? at : 0;
    clearerr(part->kept);
    int error = out_place_cut(part->kept, at);
    if (error == 0 && fseeko(part->kept, (off_t)at, SEEK_SET) != 0) {
        error = errno;
    }
    if (error != 0) {
        return report_keep(part->unfinished, error);
    }
    if (ends) {
        part->complete = true;
        part->status = part_resume_finish(part);
        return part->status == EXIT_NO ? EXIT_DONE : part->status;
    }
    if (part->done > 0 && !quiet) {
        return report_note(part->unfinished,
                           "%" PRIu64 " of %" PRIu64
                           " questions are answered already; going on there",
                           part->done, part->count);
    }
    return EXIT_DONE;
}

int part_resume(part_out *part, bool quiet)
{
    const bool is_share = part->options->part != NULL;
    if (is_share && is_there(part->path)) {
        return check_finished(part);
    }
    if (!is_share && !is_there(part->unfinished)) {
        bool done = false;
        const int status = part_note_check(part, &done);
        if (status != EXIT_DONE || done) {
            return status == EXIT_DONE ? say_complete(part) : status;
        }
    }
    return go_on(part, quiet);
}

static int finish_whole(part_out *part)
{
    const char *paths[] = { part->unfinished };
    file_conflicts_forget(); /* that OUT is written has been said */
    const int status = parts_merge(paths, 1, part->out);
    if (status != EXIT_DONE && status != EXIT_NO) {
        return status;
    }
    const int noted = part_note_write(part);
    if (noted == EXIT_DONE) {
        unlink(part->unfinished);
    }
    return noted == EXIT_DONE ? status : noted;
}

int part_resume_finish(part_out *part)
{
    /* Not every system renames or removes what is open. */
    fclose(part->kept);
    part->kept = NULL;
    if (part->options->part == NULL) {
        return finish_whole(part);
    }
    const out_file finished = { .path = part->path, .temporary = part->unfinished };
    const int error = out_place_replace(&finished);
    if (error != 0) {
        return report_failure(part->path,
                              "cannot be written: %s; all answers are in %s: run it again with "
                              "--resume",
                              report_why(error), part->unfinished);
    }
    return EXIT_DONE;
}

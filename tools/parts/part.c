/* parts/part.c: records of what outputs write, for part files and for runs that can go on. */
#include "tools/parts/part.h"

#include "tools/cli/report.h"
#include "tools/output/file_conflicts.h"
#include "tools/output/place.h"
#include "tools/parts/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int part_out_file(part_out *part, out_file *file)
{
    const int which = part->file_count;
    *file = (out_file){ .lent = true };
    if (!out_memory_open(&part->memory[which][0])) {
        const int error = errno;
        *file = (out_file){ .stream = NULL };
        return report_failure(NULL, "no stream for answers: %s; close other programs",
                              report_why(error));
    }
    file->stream = part->memory[which][0].stream;
    part->files[which] = file;
    part->file_count++;
    return EXIT_DONE;
}

static FILE *stream_of(const part_out *part)
{
    return part->kept != NULL ? part->kept : part->file.stream;
}

static void fail(part_out *part, int error)
{
    part->error = part->failed ? part->error : error;
    part->failed = true;
}

/* Takes what the outputs have written; more: they get empty streams.  Where those cannot be had
 * they keep the ones that they have. */
static bool take(part_out *part, bool more)
{
    const int turn = part->turn;
    for (int i = 0; i < part->file_count && more; i++) {
        if (!out_memory_open(&part->memory[i][!turn])) {
            fail(part, errno);
            return false;
        }
    }
    for (int i = 0; i < part->file_count; i++) {
        if (!out_memory_take(&part->memory[i][turn])) {
            fail(part, errno);
        }
        part->files[i]->stream = part->memory[i][!turn].stream;
    }
    part->turn = !turn;
    return !part->failed;
}

/* What the outputs have written goes into a record; more: and they may go on. */
static void keep(part_out *part, part_record *record, bool more)
{
    const char *bytes[PART_STREAMS] = { NULL };
    if (part->failed || !take(part, more)) {
        return;
    }
    for (int i = 0; i < part->file_count; i++) {
        const out_memory *taken = &part->memory[i][!part->turn];
        bytes[i] = taken->bytes;
        record->sizes[i] = taken->size;
    }
    errno = 0;
    if (part_file_write(stream_of(part), record, bytes, part->checksum)) {
        part->checksum = record->checksum;
    } else {
        fail(part, errno != 0 ? errno : EIO);
    }
}

static int report_write(const part_out *part)
{
    const char *why = report_why(part->error);
    if (part->options->resume) {
        return report_failure(part->unfinished,
                              "writing failed: %s; what is answered stays there: free disk space "
                              "and run it again with --resume",
                              why);
    }
    return report_failure(part->path,
                          "writing failed: %s; nothing was kept; free disk space or choose another "
                          "place",
                          why);
}

/* The names, and the file itself unless it is there already and goes on. */
static int open_file(part_out *part, const part_question *question)
{
    const char *share = part->options->part;
    part->path = share != NULL ? parts_name(part->out, part->index, part->of)
                               : parts_name_with(part->out, "");
    part->unfinished =
        part->path != NULL ? parts_unfinished(part->out, share, part->index, part->of) : NULL;
    if (part->unfinished == NULL) {
        return EXIT_FAILED;
    }
    /* Merging writes it later; the name of an input is a slip that is cheaper to find now. */
    int status = file_conflicts_write(part->out);
    if (status == EXIT_DONE && part->options->resume) {
        status = file_conflicts_write(part->unfinished);
    }
    if (status != EXIT_DONE) {
        return status;
    }
    return part->options->resume ? part_resume(part, question->quiet)
                                 : out_file_open(&part->file, part->path);
}

int part_out_start(part_out *part, const part_question *question)
{
    part->options = question->options;
    part->out = question->out;
    (void)parts_parse(part->options->part, &part->index, &part->of);
    part->total = question->total;
    part->first = parts_begin_of(part->index - 1, part->of, part->total);
    part->count = parts_begin_of(part->index, part->of, part->total) - part->first;
    int status = part_identity(part, question, &part->header);
    if (status == EXIT_DONE) {
        part->checksum = part_file_seed(&part->header);
        status = open_file(part, question);
    }
    if (status != EXIT_DONE || part->complete) {
        return status;
    }
    part_record head = { .kind = PART_HEAD };
    if (!part->begun &&
        fwrite(part->header.text, 1, part->header.size, stream_of(part)) != part->header.size) {
        fail(part, errno);
    }
    if (part->begun) {
        (void)take(part, true);
    } else {
        keep(part, &head, true);
    }
    part->begun = true;
    return part->failed ? report_write(part) : EXIT_DONE;
}

bool part_out_block(part_out *part, uint64_t questions)
{
    part_record record = { .kind = PART_ROWS, .questions = questions };
    memcpy(record.sums, part->sums, sizeof record.sums);
    keep(part, &record, true);
    part->done += questions;
    for (int i = 0; i < PART_STREAMS; i++) {
        part->sizes[i] += record.sizes[i];
    }
    return !part->failed;
}

int part_out_close(part_out *part)
{
    part_record end = { .kind = PART_END, .questions = part->done };
    memcpy(end.sums, part->sums, sizeof end.sums);
    for (int i = 0; i < part->file_count; i++) {
        if (ferror(part->memory[i][part->turn].stream)) {
            fail(part, ENOMEM); /* the only way in which streams to memory fail */
        }
    }
    if (!part->failed && part->done != part->count) {
        return report_input(part->path, 0,
                            "%llu questions were read of %llu; leave the file alone while it is "
                            "read",
                            (unsigned long long)part->done, (unsigned long long)part->count);
    }
    keep(part, &end, false);
    if (part->failed) {
        return report_write(part);
    }
    /* A part counts as finished once it has its name, so that it must be on the disk before. */
    const int error = out_place_settle(stream_of(part));
    if (error != 0) {
        fail(part, error);
        return report_write(part);
    }
    return part->kept != NULL ? part_resume_finish(part) : out_file_close(&part->file);
}

void part_out_discard(part_out *part)
{
    for (int i = 0; i < part->file_count; i++) {
        out_memory_free(&part->memory[i][0]);
        out_memory_free(&part->memory[i][1]);
    }
    out_file_discard(&part->file);
    if (part->kept != NULL) {
        fclose(part->kept);
    }
    part_header_free(&part->header);
    free(part->path);
    free(part->unfinished);
    *part = (part_out){ .format = NULL };
}

double part_out_fraction(const part_out *part)
{
    return part->count > 0 ? (double)part->done / (double)part->count : 1;
}

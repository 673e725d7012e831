/* parts/note.c: the header of the run, and one with the sizes and checksums of its files. */
#include "tools/parts/part.h"

#include "tools/cli/report.h"
#include "tools/output/checksum.h"
#include "tools/output/place.h"
#include "tools/parts/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The checksum and the size of a file: EXIT_DONE, or a status after a report. */
static int sum_file(const char *path, part_header *to, const char *key)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return report_failure(path, "cannot be read: %s; check the permissions", report_why(errno));
    }
    checksum sum = checksum_begin(0);
    (void)checksum_add_stream(&sum, stream, UINT64_MAX);
    const int error = ferror(stream) ? errno : 0;
    /* What it was made from is removed next, so that it must be on the disk. */
    (void)out_place_settle(stream);
    fclose(stream);
    if (error != 0) {
        return report_failure(path, "reading failed: %s; check the disk", report_why(error));
    }
    char value[64];
    snprintf(value, sizeof value, "%" PRIu64 " bytes %016" PRIx64, sum.size, checksum_end(&sum));
    part_header_add(to, key, value);
    return EXIT_DONE;
}

/* What the files are now. */
static int note_describe(const part_out *part, part_header *files)
{
    part_header_begin(files);
    int status = sum_file(part->out, files, "file");
    if (status == EXIT_DONE && strcmp(part->format, "lists") == 0) {
        char *offsets = npy_list_offsets_name(part->out);
        status = offsets != NULL ? sum_file(offsets, files, "offsets") : report_memory();
        free(offsets);
    }
    return status == EXIT_DONE ? part_header_end(files) : status;
}

int part_note_write(const part_out *part)
{
    part_header files = { .text = NULL };
    out_file note = { .stream = NULL };
    char *name = parts_name_with(part->out, ".done");
    int status = name != NULL ? note_describe(part, &files) : EXIT_FAILED;
    status = status == EXIT_DONE ? out_file_open(&note, name) : status;
    if (status == EXIT_DONE) {
        fwrite(part->header.text, 1, part->header.size, note.stream);
        fwrite(files.text, 1, files.size, note.stream);
        status = out_file_close(&note);
    }
    out_file_discard(&note);
    part_header_free(&files);
    free(name);
    return status;
}

/* The note that is there. */
static int note_compare(const part_out *part, const char *name, FILE *stream)
{
    part_header run = { .text = NULL }, then = { .text = NULL }, now = { .text = NULL };
    int status = EXIT_DONE;
    if (!part_header_read(&run, stream) || !part_header_read(&then, stream)) {
        status = run.no_memory || then.no_memory
                     ? report_memory()
                     : report_input(name, 0, "it is damaged; remove it and %s, and run this again",
                                    part->out);
    }
    status = status == EXIT_DONE ? part_header_compare(&run, name, &part->header, "this run", true)
                                 : status;
    status = status == EXIT_DONE ? note_describe(part, &now) : status;
    if (status == EXIT_DONE &&
        (now.size != then.size || memcmp(now.text, then.text, now.size) != 0)) {
        status = report_input(part->out, 0,
                              "it is not what was written there; remove it and %s, or name another "
                              "--out",
                              name);
    }
    part_header_free(&run);
    part_header_free(&then);
    part_header_free(&now);
    return status;
}

int part_note_check(const part_out *part, bool *done)
{
    *done = false;
    if (access(part->out, F_OK) != 0) {
        return EXIT_DONE;
    }
    char *name = parts_name_with(part->out, ".done");
    if (name == NULL) {
        return EXIT_FAILED;
    }
    FILE *stream = fopen(name, "rb");
    int status = EXIT_BAD_INPUT;
    if (stream != NULL) {
        status = note_compare(part, name, stream);
        fclose(stream);
        *done = status == EXIT_DONE;
    } else if (errno == ENOENT) {
        status = report_input(part->out, 0,
                              "it is there already, and no %s says what it answers; remove it, or "
                              "name another --out",
                              name);
    } else {
        status =
            report_failure(name, "cannot be read: %s; check the permissions", report_why(errno));
    }
    free(name);
    return status;
}

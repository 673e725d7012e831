/* parts/merge.c: checks that parts belong together and that all are there, then copies their rows,
 * one part after the other, and adds up what is behind the rows. */
#include "tools/parts/merge.h"

#include "tools/cli/report.h"
#include "tools/output/file_conflicts.h"
#include "tools/parts/merge_out.h"
#include "tools/parts/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct merge_part {
    const char *path;
    uint64_t index;
} merge_part;

/* All that merging owns. */
typedef struct merging {
    merge_part *parts; /* in order, once all are found */
    size_t count;
    part_header first; /* that of the part that was named first */
    uint64_t total;
    merge_out out;
} merging;

static int open_part(const char *path, FILE **stream, part_header *header)
{
    *header = (part_header){ .text = NULL };
    *stream = fopen(path, "rb");
    if (*stream == NULL) {
        return errno == ENOENT ? report_input(path, 0, "no such file; check the name")
                               : report_failure(path, "cannot be read: %s; check the permissions",
                                                report_why(errno));
    }
    if (!part_header_read(header, *stream)) {
        return header->no_memory ? report_memory()
               : ferror(*stream)
                   ? report_failure(path, "reading failed: %s; check the disk", report_why(errno))
                   : report_input(
                         path, 0,
                         "it does not begin as a part file does, or is cut off there; name "
                         "files that --part has written");
    }
    return EXIT_DONE;
}

/* What a header says of its share is what the share must be. */
static bool is_sound(const part_header *header, uint64_t *index, uint64_t *of, uint64_t *total)
{
    uint64_t first, count;
    return part_header_count(header, "part", index) && part_header_count(header, "of", of) &&
           part_header_count(header, "total", total) &&
           part_header_count(header, "first", &first) &&
           part_header_count(header, "count", &count) && *index >= 1 && *index <= *of &&
           *of <= 1000000000 && first == parts_begin_of(*index - 1, *of, *total) &&
           count == parts_begin_of(*index, *of, *total) - first;
}

static int look_at(merging *m, size_t i, const char *path)
{
    FILE *stream;
    part_header header;
    uint64_t of = 0;
    int status = file_conflicts_read(path);
    if (status != EXIT_DONE) {
        return status;
    }
    status = open_part(path, &stream, &header);
    m->parts[i].path = path;
    if (status == EXIT_DONE && i > 0) {
        status = part_header_compare(&header, path, &m->first, m->parts[0].path, false);
    }
    if (status == EXIT_DONE && !is_sound(&header, &m->parts[i].index, &of, &m->total)) {
        status = report_input(path, 0, "its header says impossible numbers; make the part anew");
    }
    if (i == 0) {
        m->first = header;
    } else {
        part_header_free(&header);
    }
    if (stream != NULL) {
        fclose(stream);
    }
    return status;
}

static int by_index(const void *a, const void *b)
{
    const merge_part *left = a, *right = b;
    return (left->index > right->index) - (left->index < right->index);
}

/* Each number from 1 to N once. */
static int check_all(merging *m)
{
    uint64_t of = 0;
    (void)part_header_count(&m->first, "of", &of);
    qsort(m->parts, m->count, sizeof *m->parts, by_index);
    for (size_t i = 1; i < m->count; i++) {
        if (m->parts[i].index == m->parts[i - 1].index) {
            return report_input(m->parts[i].path, 0,
                                "it is part %" PRIu64 " of %" PRIu64
                                ", and so is %s; name each part once",
                                m->parts[i].index, of, m->parts[i - 1].path);
        }
    }
    for (uint64_t i = 0; i < of; i++) {
        if (i >= m->count || m->parts[i].index != i + 1) {
            return report_input(m->parts[0].path, 0,
                                "part %" PRIu64 " of %" PRIu64
                                " is missing; make it, and merge all of them",
                                i + 1, of);
        }
    }
    return EXIT_DONE;
}

static int report_broken(const char *path, part_found found, FILE *stream)
{
    if (ferror(stream)) {
        return report_failure(path, "reading failed: %s; check the disk", report_why(errno));
    }
    switch (found) {
    case PART_NO_MORE:
        return report_input(path, 0,
                            "it is not finished; run its part again, with --resume to go on where "
                            "it is");
    case PART_CUT:
        return report_input(path, 0, "it is cut off; copy it again, or run its part again");
    case PART_DAMAGED:
    case PART_WHOLE:
        break;
    }
    return report_input(path, 0,
                        "it is damaged: a checksum or a size is wrong; copy it again, or "
                        "run its part again");
}

/* All records of one part. */
static int copy_records(merging *m, const merge_part *part, FILE *stream, uint64_t checksum)
{
    part_record record = { .kind = PART_HEAD };
    uint64_t questions = 0;
    merge_out *out = &m->out;
    for (bool begun = false; record.kind != PART_END; begun = true) {
        merge_out_begin(out);
        const part_found found = part_file_read(stream, &record, checksum, merge_out_take, out);
        if (out->failed) {
            const int closed = merge_out_close(out); /* says why */
            return closed == EXIT_DONE ? EXIT_FAILED : closed;
        }
        if (out->no_memory) {
            return report_memory();
        }
        if (found != PART_WHOLE) {
            return report_broken(part->path, found, stream);
        }
        questions += record.kind == PART_ROWS ? record.questions : 0;
        const int status =
            (record.kind == PART_HEAD) == !begun ? merge_out_end(out, &record) : EXIT_BAD_INPUT;
        if (status != EXIT_DONE) {
            return status == EXIT_FAILED ? status : report_broken(part->path, PART_DAMAGED, stream);
        }
        checksum = record.checksum;
    }
    const uint64_t count = parts_begin_of(part->index, out->of, m->total) -
                           parts_begin_of(part->index - 1, out->of, m->total);
    if (fgetc(stream) != EOF || questions != count || record.questions != count) {
        return report_broken(part->path, PART_DAMAGED, stream);
    }
    out->found += record.sums[0];
    return EXIT_DONE;
}

static int copy_part(merging *m, const merge_part *part)
{
    FILE *stream;
    part_header header;
    int status = open_part(part->path, &stream, &header);
    if (status == EXIT_DONE) {
        merge_out_part(&m->out, part->index == 1);
        status = copy_records(m, part, stream, part_file_seed(&header));
    }
    part_header_free(&header);
    if (stream != NULL) {
        fclose(stream);
    }
    return status;
}

static int merge_run(merging *m, const char *const *paths, const char *out)
{
    int status = EXIT_DONE;
    for (size_t i = 0; status == EXIT_DONE && i < m->count; i++) {
        status = look_at(m, i, paths[i]);
    }
    status = status == EXIT_DONE ? check_all(m) : status;
    status = status == EXIT_DONE
                 ? merge_out_open(&m->out, &m->first, m->parts[0].path, m->total, out)
                 : status;
    for (size_t i = 0; status == EXIT_DONE && i < m->count; i++) {
        status = copy_part(m, &m->parts[i]);
    }
    return status == EXIT_DONE ? merge_out_close(&m->out) : status;
}

int parts_merge(const char *const *paths, size_t count, const char *out)
{
    merging m = { .count = count };
    m.parts = calloc(count + 1, sizeof *m.parts);
    int status = m.parts != NULL ? merge_run(&m, paths, out) : report_memory();
    merge_out_discard(&m.out);
    part_header_free(&m.first);
    free(m.parts);
    return status == EXIT_DONE && m.total == 1 && m.out.found == 0 ? EXIT_NO : status;
}

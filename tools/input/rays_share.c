/* input/rays_share.c: how many questions a file holds, what tells it from others, and those from
 * one on. */
#include "tools/cli/report.h"
#include "tools/input/rays.h"
#include "tools/output/checksum.h"
#include "tools/output/place.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Of arrays up to this size all bytes are summed, of larger ones as many, evenly spread. */
enum { SAMPLES = 1024, SAMPLE = 1 << 16 };
#define SUMMED_MAX ((uint64_t)SAMPLES * SAMPLE)

static int report_reading(const rays_in *in)
{
    return report_failure(in->text.name, "reading failed: %s; check the file and the disk",
                          report_why(errno));
}

/* What cannot be read again goes to a file without a name, which can. */
static int rays_share_spool(rays_in *in)
{
    char bytes[1 << 14];
    FILE *from = in->text.stream, *to = out_place_scratch();
    bool written = to != NULL && setvbuf(to, NULL, _IONBF, 0) == 0;
    size_t got = 1;
    while (written && got > 0) {
        got = fread(bytes, 1, sizeof bytes, from);
        written = got == 0 || fwrite(bytes, 1, got, to) == got;
    }
    if (!written || fflush(to) != 0 || fseeko(to, 0, SEEK_SET) != 0) {
        const int error = errno;
        if (to != NULL) {
            fclose(to);
        }
        return report_failure(in->text.name,
                              "cannot be kept in a temporary file: %s; name a file, or another "
                              "folder for temporary ones in TMPDIR",
                              report_why(error));
    }
    if (ferror(from)) {
        fclose(to);
        return report_reading(in);
    }
    if (from != stdin) {
        fclose(from);
    }
    in->text.stream = in->npy.stream = to;
    return EXIT_DONE;
}

/* The array's bytes from in->start on are as many as its header says. */
static int check_size(const rays_in *in, uint64_t *size)
{
    const uint64_t row = npy_in_row_size(&in->npy);
    const off_t end = fseeko(in->npy.stream, 0, SEEK_END) == 0 ? ftello(in->npy.stream) : -1;
    if (end < 0) {
        return report_reading(in);
    }
    *size = (uint64_t)end - in->start;
    if (in->npy.rows > *size / row) {
        return report_input(in->text.name, 0,
                            "the header promises %" PRIu64 " rows, and the file ends before; copy "
                            "it again",
                            in->npy.rows);
    }
    if (in->npy.rows * row != *size) {
        return report_input(in->text.name, 0,
                            "there are bytes after the last of %" PRIu64 " rows; keep one array in "
                            "a file",
                            in->npy.rows);
    }
    return EXIT_DONE;
}

static int sum_array(rays_in *in, checksum *sum)
{
    uint64_t size = 0;
    const int status = check_size(in, &size);
    if (status != EXIT_DONE) {
        return status;
    }
    checksum_add_count(sum, (uint64_t)in->npy.type);
    checksum_add_count(sum, in->npy.columns);
    checksum_add_count(sum, size);
    const uint64_t samples = size <= SUMMED_MAX ? 1 : SAMPLES;
    const uint64_t length = size <= SUMMED_MAX ? size : SAMPLE;
    for (uint64_t i = 0; i < samples; i++) {
        const uint64_t step = samples > 1 ? (size - length) / (samples - 1) : 0;
        const uint64_t at = i + 1 == samples ? size - length : i * step;
        if (fseeko(in->npy.stream, (off_t)(in->start + at), SEEK_SET) != 0 ||
            checksum_add_stream(sum, in->npy.stream, length) != length) {
            return report_reading(in);
        }
    }
    return EXIT_DONE;
}

/* To the first question. */
static int begin_again(rays_in *in)
{
    clearerr(in->text.stream);
    if (fseeko(in->text.stream, (off_t)in->start, SEEK_SET) != 0) {
        return report_reading(in);
    }
    in->npy.row = 0;
    in->begun = false;
    in->columns = (csv_columns){ .found = false };
    in->text.line = 0;
    in->text.begin = in->text.end = 0;
    in->text.at_end = false;
    return EXIT_DONE;
}

static int count_text(rays_in *in, checksum *sum, uint64_t *count)
{
    (void)checksum_add_stream(sum, in->text.stream, UINT64_MAX);
    int status = ferror(in->text.stream) ? report_reading(in) : begin_again(in);
    *count = 0;
    for (bool found = true; status == EXIT_DONE && found;) {
        status = rays_in_skip_line(in, &found);
        *count += status == EXIT_DONE && found;
    }
    return status;
}

int rays_in_measure(rays_in *in, uint64_t *count, uint64_t *hash)
{
    int status = EXIT_DONE;
    checksum sum = checksum_begin((uint64_t)in->is_npy);
    if (!out_place_can_seek(in->text.stream)) {
        status = rays_share_spool(in);
    } else {
        const off_t at = ftello(in->text.stream);
        in->start = at > 0 ? (uint64_t)at : 0;
    }
    if (status == EXIT_DONE && in->is_npy) {
        *count = in->npy.rows;
        status = sum_array(in, &sum);
    } else if (status == EXIT_DONE) {
        status = count_text(in, &sum, count);
    }
    *hash = checksum_end(&sum) | 1; /* never 0 */
    return status == EXIT_DONE ? begin_again(in) : status;
}

int rays_in_share(rays_in *in, uint64_t first, uint64_t count)
{
    int status = EXIT_DONE;
    in->left = count;
    if (in->is_npy) {
        const uint64_t at = in->start + first * npy_in_row_size(&in->npy);
        in->npy.row = first;
        return fseeko(in->npy.stream, (off_t)at, SEEK_SET) == 0 ? EXIT_DONE : report_reading(in);
    }
    for (bool found = true; status == EXIT_DONE && found && first > 0; first--) {
        status = rays_in_skip_line(in, &found);
    }
    return status;
}

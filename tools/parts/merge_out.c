/* parts/merge_out.c: copies rows, moves the ends of lists by the rows before them, and adds up the
 * sums that are marked in the text behind the last row. */
#include "tools/parts/merge_out.h"

#include "tools/cli/report.h"
#include "tools/output/bytes.h"
#include "tools/output/file_name.h"
#include "tools/output/value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int report_format(const char *path)
{
    return report_input(path, 0,
                        "its header names a format that is not known; make the part with "
                        "this version");
}

/* What the type of a row in a header is. */
static bool find_type(const part_header *header, npy_out_type *type, uint64_t *columns)
{
    size_t size;
    const char *descr = part_header_find(header, "row", &size);
    return descr != NULL && npy_out_find(descr, size, type) &&
           part_header_count(header, "columns", columns) && *columns <= UINT32_MAX;
}

int merge_out_open(merge_out *out, const part_header *header, const char *path, uint64_t total,
                   const char *to)
{
    npy_out_type type;
    uint64_t columns;
    *out = (merge_out){ .is_array = part_header_is(header, "format", "array"),
                        .is_lists = part_header_is(header, "format", "lists") };
    (void)part_header_count(header, "of", &out->of);
    if (!out->is_array && !out->is_lists) {
        const bool picture = file_name_ends(to, ".png");
        if (picture || npy_is_name(to)) {
            return report_usage(NULL,
                                "the parts hold text, and '%s' would be %s; name another --out", to,
                                picture ? "a picture" : "an array");
        }
        return out_file_open(&out->text, to);
    }
    if (!find_type(header, &type, &columns)) {
        return report_format(path);
    }
    if (to != NULL && strcmp(to, "-") != 0 && !npy_is_name(to)) {
        return report_usage(NULL,
                            "the parts hold an array, and '%s' is no name of one; name an --out "
                            "that ends in .npy",
                            to);
    }
    if (out->is_array) {
        return npy_out_open(&out->arrays.rows, to, type, columns, total);
    }
    return npy_is_name(to)
               ? npy_list_open(&out->arrays, to, type)
               : report_usage(NULL, "the parts hold lists, which are two arrays; name an --out "
                                    "that ends in .npy");
}

void merge_out_part(merge_out *out, bool is_first)
{
    out->is_first = is_first;
    out->base += out->rows;
    out->rows = out->last = 0;
}

void merge_out_begin(merge_out *out)
{
    free(out->words);
    out->words = NULL;
    out->word_size = out->held = 0;
    out->sound = true;
}

static bool keep_words(merge_out *out, const char *bytes, size_t size)
{
    char *more = realloc(out->words, out->word_size + size + 1);
    if (more == NULL) {
        out->no_memory = true;
        return false;
    }
    memcpy(more + out->word_size, bytes, size);
    out->words = more;
    out->word_size += size;
    out->words[out->word_size] = '\0';
    return true;
}

static bool write_all(FILE *stream, const char *bytes, size_t size)
{
    return size == 0 || fwrite(bytes, 1, size, stream) == size;
}

/* Where lists end, counted from the first row of the part, becomes where they end in all. */
static bool take_ends(merge_out *out, const char *bytes, size_t size)
{
    bool written = true;
    for (size_t i = 0; i < size && written; i++) {
        out->piece[out->held++] = (unsigned char)bytes[i];
        if (out->held < sizeof out->piece) {
            continue;
        }
        uint64_t end = bytes_get(out->piece, sizeof out->piece);
        out->sound = out->sound && end >= out->last;
        out->last = end;
        end += out->base;
        out->held = 0;
        written = npy_out_write(&out->arrays.offsets, &end, 1);
    }
    return written;
}

bool merge_out_take(void *context, const part_record *record, int stream, const char *bytes,
                    size_t size)
{
    merge_out *out = context;
    if (record->kind != PART_ROWS) {
        return stream == 0 && keep_words(out, bytes, size);
    }
    if (out->is_array || out->is_lists) {
        FILE *rows = out->arrays.rows.file.stream;
        out->failed = !(stream == 0 ? write_all(rows, bytes, size)
                                    : out->is_array || take_ends(out, bytes, size));
    } else {
        out->failed = stream == 0 && !write_all(out->text.stream, bytes, size);
    }
    return !out->failed;
}

/* Whether rows, and ends of lists, are as many as they must be. */
static bool check_rows(merge_out *out, const part_record *record)
{
    if (!out->is_array && !out->is_lists) {
        return record->sizes[1] == 0;
    }
    const uint64_t row_size = npy_out_row_size(&out->arrays.rows);
    if (row_size > 0 ? record->sizes[0] % row_size != 0 : record->sizes[0] != 0) {
        return false;
    }
    const uint64_t rows = row_size > 0 ? record->sizes[0] / row_size : record->questions;
    out->rows += rows;
    out->arrays.rows.rows += rows;
    if (out->is_array) {
        return record->sizes[1] == 0 && rows == record->questions;
    }
    return record->sizes[1] / 8 == record->questions && record->sizes[1] % 8 == 0 && out->sound &&
           out->last == out->rows;
}

/* The next sum that is marked in text, from *at on, which is then behind it.  False where there is
 * none; *bad where a mark is not closed. */
static bool next_sum(const char **at, const char *end, const char **mark, uint64_t *sum, bool *bad)
{
    const size_t left = (size_t)(end - *at);
    *mark = left > 0 ? memchr(*at, OUT_SUM_BEGIN, left) : NULL;
    if (*mark == NULL) {
        return false;
    }
    const size_t digits = strspn(*mark + 1, "0123456789");
    *bad = digits == 0 || digits > 19 || (*mark)[1 + digits] != OUT_SUM_END;
    *sum = *bad ? 0 : strtoull(*mark + 1, NULL, 10);
    *at = *mark + 2 + digits;
    return !*bad;
}

/* The text behind the last row of a part: its sums are added to those of the others, and of the
 * last part the text itself stays. */
static int take_tail(merge_out *out)
{
    const char *at = out->words; /* NULL where there is no text */
    const char *end = at != NULL ? at + out->word_size : NULL;
    const char *mark;
    const bool first = out->tail == NULL && out->sums == NULL;
    uint64_t sum;
    size_t count = 0;
    bool bad = false;
    while (at != NULL && next_sum(&at, end, &mark, &sum, &bad)) {
        if (first) {
            uint64_t *more = realloc(out->sums, (count + 1) * sizeof *out->sums);
            if (more == NULL) {
                return report_memory();
            }
            out->sums = more;
            out->sums[count] = 0;
            out->sum_count = count + 1;
        }
        if (count == out->sum_count) {
            return EXIT_BAD_INPUT;
        }
        out->sums[count++] += sum;
    }
    if (bad || count != out->sum_count) {
        return EXIT_BAD_INPUT;
    }
    free(out->tail);
    out->tail = out->words;
    out->tail_size = out->word_size;
    out->words = NULL;
    return EXIT_DONE;
}

int merge_out_end(merge_out *out, const part_record *record)
{
    const bool is_text = !out->is_array && !out->is_lists;
    switch (record->kind) {
    case PART_ROWS:
        return check_rows(out, record) ? EXIT_DONE : EXIT_BAD_INPUT;
    case PART_HEAD:
        if (is_text && out->is_first && !write_all(out->text.stream, out->words, out->word_size)) {
            out->failed = true;
        }
        return record->sizes[1] == 0 && (is_text || record->sizes[0] == 0) ? EXIT_DONE
                                                                           : EXIT_BAD_INPUT;
    case PART_END:
        return record->sizes[1] == 0 && (is_text || record->sizes[0] == 0) ? take_tail(out)
                                                                           : EXIT_BAD_INPUT;
    }
    return EXIT_BAD_INPUT;
}

/* The text behind the last row, with the sums of all parts in it. */
static void write_tail(const merge_out *out)
{
    const char *at = out->tail; /* NULL where there is no text */
    const char *end = at != NULL ? at + out->tail_size : NULL;
    const char *mark;
    uint64_t sum;
    bool bad = false;
    const char *from = at;
    for (size_t i = 0; at != NULL && next_sum(&at, end, &mark, &sum, &bad); i++) {
        fwrite(from, 1, (size_t)(mark - from), out->text.stream);
        fprintf(out->text.stream, "%" PRIu64, out->sums[i]);
        from = at;
    }
    if (from != NULL) {
        fwrite(from, 1, (size_t)(end - from), out->text.stream);
    }
}

int merge_out_close(merge_out *out)
{
    if (out->is_lists) {
        return npy_list_close(&out->arrays);
    }
    if (out->is_array) {
        return npy_out_close(&out->arrays.rows);
    }
    write_tail(out);
    return out_file_close(&out->text);
}

void merge_out_discard(merge_out *out)
{
    if (out->is_array || out->is_lists) {
        npy_list_discard(&out->arrays);
    }
    out_file_discard(&out->text);
    free(out->words);
    free(out->tail);
    free(out->sums);
    out->words = out->tail = NULL;
    out->sums = NULL;
}

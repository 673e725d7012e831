/* bench/report/resume.c: reads and extends the CSV file of bench --resume. */
#define _POSIX_C_SOURCE 200809L /* ftruncate */
#include "tools/bench/report/resume.h"

#include "tools/cli/report.h"
#include "tools/output/file_conflicts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_CAPACITY = 16384 };

static bool is_header(const char *line)
{
    for (int i = 0; i < BENCH_COLUMNS; i++) {
        const size_t size = strlen(bench_columns[i].name);
        if (strncmp(line, bench_columns[i].name, size) != 0 ||
            line[size] != (i + 1 < BENCH_COLUMNS ? ',' : '\0')) {
            return false;
        }
        line += size + 1;
    }
    return true;
}

/* One line with its end, where it has one: how long it is, 0 at the end of the file.  Of a line
 * that is too long the beginning, which ends in no row. */
static size_t read_line(FILE *from, char line[LINE_CAPACITY])
{
    size_t size = 0;
    int c = 0;
    while (size + 1 < LINE_CAPACITY && c != '\n' && (c = getc(from)) != EOF) {
        line[size++] = (char)c;
    }
    line[size] = '\0';
    return size;
}

static int read_row(bench_resume *resume, char *line, uint64_t number)
{
    bench_row row;
    if (number == 1) {
        return is_header(line) ? EXIT_DONE
                               : report_input(resume->path, 1,
                                              "this is not what bench --csv writes; name another "
                                              "file");
    }
    return bench_row_parse(line, &row)
               ? bench_rows_add(&resume->rows, &row)
               : report_input(resume->path, number, "this is no row of bench; take the line out");
}

/* A last line without an end is what an interrupt left; *end is set behind the last complete
 * one. */
static int read_rows(bench_resume *resume, FILE *from, long *end)
{
    char line[LINE_CAPACITY];
    int status = EXIT_DONE;
    for (uint64_t number = 1; status == EXIT_DONE; number++) {
        const size_t size = read_line(from, line);
        const bool complete = size > 0 && line[size - 1] == '\n';
        const bool too_long = size + 1 == LINE_CAPACITY;
        if (size == 0 || (!complete && !too_long && number > 1)) {
            break;
        }
        line[size - complete] = '\0';
        *end += (long)size;
        status = read_row(resume, line, number);
    }
    return status;
}

int bench_resume_open(bench_resume *resume, const char *path)
{
    *resume = (bench_resume){ .path = path, .out = { .format = OUTPUT_CSV } };
    const int role = file_conflicts_write(path);
    if (role != EXIT_DONE) {
        return role;
    }
    FILE *file = fopen(path, "r+b");
    if (file == NULL && errno == ENOENT) {
        file = fopen(path, "w+b");
    }
    if (file == NULL) {
        return report_failure(path, "cannot be opened for writing: %s; name another file",
                              report_why(errno));
    }
    resume->out.file.stream = file;
    long end = 0;
    const int status = read_rows(resume, file, &end);
    if (status != EXIT_DONE) {
        return status;
    }
    /* The header once more, over the one that is there, then on behind the last whole row. */
    rewind(file);
    output_table_begin(&resume->out, "rows", bench_columns, BENCH_COLUMNS);
    if (end > 0 && (fseek(file, end, SEEK_SET) != 0 || ftruncate(fileno(file), end) != 0)) {
        return report_failure(path, "cannot be added to: %s; name another file", report_why(errno));
    }
    return EXIT_DONE;
}

const bench_row *bench_resume_find(const bench_resume *resume, const bench_row *row)
{
    for (size_t i = 0; i < resume->rows.count; i++) {
        if (bench_row_is_same(&resume->rows.all[i], row)) {
            return &resume->rows.all[i];
        }
    }
    return NULL;
}

int bench_resume_add(bench_resume *resume, const bench_row *row)
{
    out_value values[BENCH_COLUMNS];
    if (resume->path == NULL) {
        return EXIT_DONE;
    }
    bench_row_values(row, values);
    output_row(&resume->out, values);
    return fflush(resume->out.file.stream) == 0
               ? EXIT_DONE
               : report_failure(resume->path, "writing failed: %s; choose another place",
                                report_why(errno));
}

int bench_resume_close(bench_resume *resume)
{
    int status = EXIT_DONE;
    FILE *file = resume->out.file.stream;
    if (file != NULL && fclose(file) != 0) {
        status = report_failure(resume->path, "writing failed: %s; choose another place",
                                report_why(errno));
    }
    free(resume->rows.all);
    *resume = (bench_resume){ 0 };
    return status;
}

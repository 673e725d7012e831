/* output/output.c: reports as text, CSV or JSON, for every subcommand. */
#include "tools/output/output.h"

#include "tools/cli/report.h"
#include "tools/output/terminal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_WIDTH = 24, CELL_WIDTH = 12 };

/* The words of a value; where they go to a part, a sum is marked. */
static const char *words_of(const output *out, const out_value *v, char cell[OUT_VALUE_SIZE])
{
    if (v->kind == VALUE_SUM && out->file.lent) {
        snprintf(cell, OUT_VALUE_SIZE, "%c%" PRIu64 "%c", OUT_SUM_BEGIN, v->as.count, OUT_SUM_END);
        return cell;
    }
    return out_value_words(out->format, v, cell);
}

static void print_json_value(const output *out, const out_value *v)
{
    char cell[OUT_VALUE_SIZE];
    if (v->kind == VALUE_TEXT) {
        out_print_json_text(out->file.stream, v->as.text);
    } else {
        fputs(words_of(out, v, cell), out->file.stream);
    }
}

/* A comma if something stands before; a new line with the indent of the depth. */
static void json_next(output *out)
{
    FILE *to = out->file.stream;
    fputs(out->first[out->depth] ? "\n" : ",\n", to);
    out->first[out->depth] = false;
    fprintf(to, "%*s", 2 * out->depth, "");
}

static void json_key(output *out, const char *key)
{
    json_next(out);
    out_print_json_text(out->file.stream, key);
    fputs(": ", out->file.stream);
}

static void json_open(output *out, char bracket)
{
    fputc(bracket, out->file.stream);
    out->first[++out->depth] = true;
}

static void json_close(output *out, char bracket)
{
    const bool empty = out->first[out->depth--];
    if (!empty) {
        fprintf(out->file.stream, "\n%*s", 2 * out->depth, "");
    }
    fputc(bracket, out->file.stream);
}

/* A cell of a line that waits in memory: a CSV row for its header. */
static void append_cell(output *out, out_memory *line, const char *text)
{
    const bool first = line->stream == NULL;
    if (first && !out_memory_open(line)) {
        out->failed = true;
        return;
    }
    fputs(first ? "" : ",", line->stream);
    out_print_csv_text(line->stream, text);
}

/* Writes a line that has waited. */
static void put_line(output *out, out_memory *line)
{
    if (line->stream == NULL) {
        return;
    }
    if (out_memory_take(line)) {
        fwrite(line->bytes, 1, line->size, out->file.stream);
        fputc('\n', out->file.stream);
    } else {
        out->failed = true;
    }
}

static void csv_field(output *out, const char *key, const out_value *v)
{
    if (!out->in_record) {
        return;
    }
    char cell[OUT_VALUE_SIZE];
    if (!out->header_written) {
        append_cell(out, &out->header, key);
    }
    append_cell(out, &out->row, words_of(out, v, cell));
}

static void text_key(output *out, const char *key)
{
    char label[KEY_WIDTH + 40];
    snprintf(label, sizeof label, "%s", key);
    for (char *c = label; *c != '\0'; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
    fprintf(out->file.stream, "%s%-*s", out->in_record ? "  " : "", KEY_WIDTH, label);
}

void output_begin(output *out, const char *command)
{
    if (out->format == OUTPUT_JSON) {
        json_open(out, '{');
        output_field(out, "schema", value_count(1));
        output_field(out, "command", value_text(command));
    }
}

int output_open(output *out, const char *path, output_format format, const char *command,
                bool color)
{
    *out = (output){ .format = format, .color = color };
    const int status = out_file_open(&out->file, path);
    if (status == EXIT_DONE) {
        output_begin(out, command);
    }
    return status;
}

void output_rows_before(output *out)
{
    out->first[out->depth] = false;
}

void output_field(output *out, const char *key, out_value v)
{
    char cell[OUT_VALUE_SIZE];
    switch (out->format) {
    case OUTPUT_JSON:
        json_key(out, key);
        print_json_value(out, &v);
        break;
    case OUTPUT_CSV:
        csv_field(out, key, &v);
        break;
    case OUTPUT_TEXT:
        text_key(out, key);
        fprintf(out->file.stream, "%s\n", words_of(out, &v, cell));
        break;
    }
}

/* CSV has no arrays: min_x, min_y, min_z for three, else histogram_0, histogram_1, ... */
static void csv_fields(output *out, const char *key, const out_value *v, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char name[96];
        if (count == 3) {
            snprintf(name, sizeof name, "%s_%c", key, "xyz"[i]);
        } else {
            snprintf(name, sizeof name, "%s_%zu", key, i);
        }
        csv_field(out, name, &v[i]);
    }
}

void output_fields(output *out, const char *key, const out_value *v, size_t count)
{
    char cell[OUT_VALUE_SIZE];
    FILE *to = out->file.stream;
    switch (out->format) {
    case OUTPUT_JSON:
        json_key(out, key);
        fputc('[', to);
        for (size_t i = 0; i < count; i++) {
            fputs(i > 0 ? ", " : "", to);
            print_json_value(out, &v[i]);
        }
        fputc(']', to);
        break;
    case OUTPUT_CSV:
        csv_fields(out, key, v, count);
        break;
    case OUTPUT_TEXT:
        text_key(out, key);
        for (size_t i = 0; i < count; i++) {
            fprintf(to, "%s%s", i > 0 ? " " : "", words_of(out, &v[i], cell));
        }
        fputc('\n', to);
        break;
    }
}

static void print_bold(const output *out, const char *indent, const char *text)
{
    fprintf(out->file.stream, "%s%s%s%s\n", indent, out->color ? "\033[1m" : "", text,
            out->color ? "\033[0m" : "");
}

void output_record_begin(output *out, const char *title)
{
    if (out->format == OUTPUT_JSON) {
        /* In a list, records have no key. */
        if (out->first[0]) {
            json_next(out);
        } else {
            json_key(out, title);
        }
        json_open(out, '{');
    } else if (out->format == OUTPUT_TEXT) {
        print_bold(out, "", title);
    }
    out->in_record = true;
}

void output_record_end(output *out)
{
    out->in_record = false;
    if (out->format == OUTPUT_JSON) {
        json_close(out, '}');
    } else if (out->format == OUTPUT_CSV) {
        out->header_written = out->header_written || out->header.stream != NULL;
        put_line(out, &out->header);
        put_line(out, &out->row);
    }
}

void output_list_begin(output *out, const char *key)
{
    if (out->format == OUTPUT_JSON) {
        json_key(out, key);
        json_open(out, '[');
        out->first[0] = true; /* depth 0 is otherwise unused: "in a list" */
    }
}

void output_list_end(output *out)
{
    if (out->format == OUTPUT_JSON) {
        out->first[0] = false;
        json_close(out, ']');
    }
}

void output_heading(output *out, const char *title)
{
    if (out->format == OUTPUT_TEXT) {
        print_bold(out, " ", title);
    }
}

static int width_of(const out_column *column)
{
    return column->width > 0 ? column->width : CELL_WIDTH;
}

static bool is_wide(const output *out)
{
    int width = -1;
    for (size_t i = 0; i < out->column_count; i++) {
        width += 1 + width_of(&out->columns[i]);
    }
    return width > terminal_width(out->file.stream);
}

void output_table_begin(output *out, const char *key, const out_column *columns, size_t count)
{
    out->columns = columns;
    out->column_count = count;
    if (out->format == OUTPUT_JSON) {
        json_key(out, key);
        json_open(out, '[');
        return;
    }
    FILE *to = out->file.stream;
    out->as_lists = out->format == OUTPUT_TEXT && is_wide(out);
    if (out->as_lists) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (out->format == OUTPUT_CSV) {
            fprintf(to, "%s%s", i > 0 ? "," : "", columns[i].name);
        } else {
            fprintf(to, "%s%*s", i > 0 ? " " : "", width_of(&columns[i]), columns[i].name);
        }
    }
    fputc('\n', to);
}

static void json_row(output *out, const out_value *values)
{
    FILE *to = out->file.stream;
    json_next(out);
    for (size_t i = 0; i < out->column_count; i++) {
        fprintf(to, "%s\"%s\": ", i > 0 ? ", " : "{", out->columns[i].name);
        print_json_value(out, &values[i]);
    }
    fputc('}', to);
}

/* The first cell as a heading, the others below it. */
static void list_row(output *out, const out_value *values)
{
    char cell[OUT_VALUE_SIZE];
    print_bold(out, "", words_of(out, &values[0], cell));
    const bool in_record = out->in_record;
    out->in_record = true;
    for (size_t i = 1; i < out->column_count; i++) {
        output_field(out, out->columns[i].name, values[i]);
    }
    out->in_record = in_record;
}

void output_row(output *out, const out_value *values)
{
    FILE *to = out->file.stream;
    char cell[OUT_VALUE_SIZE];
    if (out->format == OUTPUT_JSON) {
        json_row(out, values);
        return;
    }
    if (out->as_lists) {
        list_row(out, values);
        return;
    }
    for (size_t i = 0; i < out->column_count; i++) {
        const char *words = words_of(out, &values[i], cell);
        fputs(i == 0 ? "" : out->format == OUTPUT_CSV ? "," : " ", to);
        if (out->format == OUTPUT_CSV) {
            out_print_csv_text(to, words);
        } else {
            fprintf(to, "%*s", width_of(&out->columns[i]), words);
        }
    }
    fputc('\n', to);
}

void output_table_end(output *out)
{
    if (out->format == OUTPUT_JSON) {
        json_close(out, ']');
    }
}

void output_line(output *out, const char *line)
{
    if (out->format == OUTPUT_TEXT) {
        fprintf(out->file.stream, "%s\n", line);
    }
}

static void free_lines(output *out)
{
    out_memory_free(&out->header);
    out_memory_free(&out->row);
}

int output_close(output *out)
{
    free_lines(out);
    if (out->failed) {
        out_file_discard(&out->file);
        return report_memory();
    }
    if (out->format == OUTPUT_JSON) {
        json_close(out, '}');
        fputc('\n', out->file.stream);
    }
    return out_file_close(&out->file);
}

void output_discard(output *out)
{
    free_lines(out);
    out_file_discard(&out->file);
}

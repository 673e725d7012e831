/* input/lines.c: lines of text for rays.c and ask/volume_lines.c, from a buffer of its own. */
#include "tools/input/lines.h"

#include "tools/cli/report.h"
#include "tools/output/file_conflicts.h"
#include "tools/output/file_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 16 };

int lines_open(lines_in *in, const char *path, const char *what)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    *in = (lines_in){ .name = is_stdin ? "stdin" : path, .what = what };
    const int status = file_conflicts_read(path);
    if (status != EXIT_DONE) {
        return status;
    }
    if (file_name_ends(path, ".npz")) {
        return report_input(path, 0, "this is an archive of arrays; save one with numpy.save");
    }
    in->stream = is_stdin ? stdin : fopen(path, "rb");
    if (in->stream == NULL && errno == ENOENT) {
        return report_input(path, 0, "no such file; check the name");
    }
    if (in->stream == NULL) {
        return report_failure(path, "cannot be read: %s; check the name and the permissions",
                              report_why(errno));
    }
    setvbuf(in->stream, NULL, _IONBF, 0);
    in->buffer = malloc(BUFFER_SIZE);
    return in->buffer != NULL ? EXIT_DONE : report_memory();
}

/* Appends what one read returns to the buffer, which has space for it. */
static void read_more(lines_in *in)
{
    if (in->begin > 0) {
        memmove(in->buffer, in->buffer + in->begin, in->end - in->begin);
        in->end -= in->begin;
        in->begin = 0;
    }
    const size_t space = BUFFER_SIZE - in->end;
    ssize_t got;
    do {
        got = read(fileno(in->stream), in->buffer + in->end, (unsigned)space);
    } while (got < 0 && errno == EINTR);
    in->error = got < 0 ? errno : 0;
    in->at_end = got <= 0;
    in->end += got > 0 ? (size_t)got : 0;
}

/* What a caller has taken back with ungetc comes first. */
static void take_first(lines_in *in)
{
    const int c = in->line == 0 && in->end == 0 && !in->at_end ? fgetc(in->stream) : EOF;
    if (c != EOF) {
        in->buffer[in->end++] = (char)c;
    }
}

static bool has_line(const lines_in *in)
{
    return in->at_end || memchr(in->buffer + in->begin, '\n', in->end - in->begin) != NULL;
}

bool lines_ready(lines_in *in)
{
    while (!has_line(in) && in->end - in->begin < BUFFER_SIZE && input_ready(in->stream)) {
        read_more(in);
    }
    return has_line(in) || in->end - in->begin == BUFFER_SIZE;
}

/* The next byte, or EOF. */
static int next_byte(lines_in *in)
{
    if (in->begin == in->end && !in->at_end) {
        if (!input_ready(in->stream)) {
            fflush(NULL);
        }
        read_more(in);
    }
    return in->begin < in->end ? (unsigned char)in->buffer[in->begin++] : EOF;
}

/* The mark of UTF-8 that some editors put in front of a file's first line. */
static void cut_mark(char *line)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t size = sizeof mark - 1;
    if (strncmp(line, mark, size) == 0) {
        memmove(line, line + size, strlen(line + size) + 1);
    }
}

int lines_next(lines_in *in, char to[LINE_MAX_SIZE], bool *end)
{
    size_t size = 0;
    bool comment = false;
    take_first(in);
    int c = next_byte(in);
    *end = c == EOF;
    in->line += !*end;
    for (; c != EOF && c != '\n'; c = next_byte(in)) {
        comment = comment || c == '#';
        if (comment) {
            continue;
        }
        if (size + 1 == LINE_MAX_SIZE) {
            return report_input(in->name, in->line,
                                "the line is longer than %d characters; write one %s on a line",
                                LINE_MAX_SIZE - 1, in->what);
        }
        to[size++] = c == '\0' ? '?' : (char)c;
    }
    to[size] = '\0';
    if (in->line == 1) {
        cut_mark(to);
    }
    if (in->error != 0) {
        return report_failure(in->name, "reading failed: %s; check the file",
                              report_why(in->error));
    }
    return EXIT_DONE;
}

void lines_close(lines_in *in)
{
    if (in->stream != NULL && in->stream != stdin) {
        fclose(in->stream);
    }
    free(in->buffer);
    in->stream = NULL;
    in->buffer = NULL;
}

/* text.h: a bounded cursor over text: words, numbers, lines.
 * Lines end in \n, \r\n, \n\r or \r.  No byte beyond end is ever looked at. */
#pragma once

#include "lib/mesh/format/number.h"

#include <sightline/base.h>

typedef struct sli_text {
    const uint8_t *at, *end;
    int64_t line;
    const char *name; /* of the file, for errors; may be NULL */
    bool comments;    /* '#' to the end of the line counts as blank */
    bool continued;   /* a backslash before a line end makes both of them a blank */
} sli_text;

static inline bool sli_is_newline(uint8_t c)
{
    return c == '\n' || c == '\r';
}

/* Within a line; \0 is none. */
static inline bool sli_is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static inline bool sli_text_at_continuation(const sli_text *text)
{
    return text->continued && text->at < text->end && *text->at == '\\' &&
           (text->end - text->at == 1 || sli_is_newline(text->at[1]));
}

static inline bool sli_text_at_line_end(const sli_text *text)
{
    return text->at == text->end || sli_is_newline(*text->at) ||
           (*text->at == '#' && text->comments);
}

/* From a continuation on, the cursor being on it, to the next thing that is not blank. */
void sli_text_continue(sli_text *text);

/* Stays within the line. */
static inline void sli_text_skip_blanks(sli_text *text)
{
    while (text->at < text->end && sli_is_blank(*text->at)) {
        text->at++;
    }
    if (sli_text_at_continuation(text)) {
        sli_text_continue(text);
    }
}

/* True where the number or word before the cursor may end. */
static inline bool sli_text_at_gap(const sli_text *text)
{
    return sli_text_at_line_end(text) || sli_is_blank(*text->at) || sli_text_at_continuation(text);
}

/* To the beginning of the next line. */
void sli_text_skip_line(sli_text *text);

/* Over blanks, line ends and comments. */
void sli_text_skip_space(sli_text *text);

/* Over the word at the cursor, whatever it is made of. */
void sli_text_skip_word(sli_text *text);

/* The word (in lower case letters) at the cursor, with a gap behind it, is skipped; else false. */
bool sli_text_take(sli_text *text, const char *word, bool any_case);

/* The number at the cursor, with a gap behind it; else SL_BAD_DATA, "expected <what>, found ...".
 */
sl_result sli_text_double(sli_text *text, const char *what, double *out, sl_error *error);
sl_result sli_text_int(sli_text *text, const char *what, int64_t *out, sl_error *error);

/* Says that the line at hand is bad. */
#define sli_text_fail(text, error, ...)                                                            \
    sli_fail((error), SL_BAD_DATA, (text)->name, (text)->line, SLI_NO_BYTE, __VA_ARGS__)

/* SL_BAD_DATA with this line and "expected <what>, found '<word at the cursor>'". */
sl_result sli_text_expected(const sli_text *text, const char *what, sl_error *error);

/* Text of a hostile file, fit to be shown: quoted, printable, cut; or "the end of the line". */
typedef struct sli_quote {
    char text[48];
} sli_quote;

sli_quote sli_text_quote(const sli_text *text);

/* format/text.c: lines, words and numbers of text formats, with the place of each for errors; for
 * OBJ, OFF, STL and PLY as text. */
#include "lib/mesh/format/text.h"

#include "lib/base/error.h"

#include <string.h>

/* Over one line end, the cursor being on it. */
static void skip_newline(sli_text *text)
{
    const bool pair = text->end - text->at > 1 && (*text->at ^ text->at[1]) == ('\n' ^ '\r');
    text->at += pair ? 2 : 1;
    text->line++;
}

void sli_text_skip_line(sli_text *text)
{
    while (text->at < text->end && !sli_is_newline(*text->at)) {
        text->at++;
    }
    if (text->at < text->end) {
        skip_newline(text);
    }
}

void sli_text_continue(sli_text *text)
{
    while (sli_text_at_continuation(text)) {
        text->at++;
        if (text->at < text->end) {
            skip_newline(text);
        }
        while (text->at < text->end && sli_is_blank(*text->at)) {
            text->at++;
        }
    }
}

void sli_text_skip_space(sli_text *text)
{
    while (text->at < text->end) {
        if (sli_is_blank(*text->at)) {
            text->at++;
        } else if (sli_is_newline(*text->at)) {
            skip_newline(text);
        } else if (*text->at == '#' && text->comments) {
            sli_text_skip_line(text);
        } else {
            return;
        }
    }
}

void sli_text_skip_word(sli_text *text)
{
    while (!sli_text_at_gap(text)) {
        text->at++;
    }
}

bool sli_text_take(sli_text *text, const char *word, bool any_case)
{
    const uint8_t *before = text->at;
    const uint8_t fold = any_case ? 0x20 : 0;
    for (; *word != '\0'; word++, text->at++) {
        if (text->at == text->end || (*text->at | fold) != *word) {
            text->at = before;
            return false;
        }
    }
    if (!sli_text_at_gap(text)) {
        text->at = before;
        return false;
    }
    return true;
}

/* Moves behind a number, which ends at after (NULL: it is none), if it ends in a gap. */
static sl_result take_number(sli_text *text, const uint8_t *after, const char *what,
                             sl_error *error)
{
    const uint8_t *before = text->at;
    if (after != NULL) {
        text->at = after;
        if (sli_text_at_gap(text)) {
            return SL_OK;
        }
        text->at = before;
    }
    return sli_text_expected(text, what, error);
}

sl_result sli_text_double(sli_text *text, const char *what, double *out, sl_error *error)
{
    return take_number(text, sli_number_double(text->at, text->end, out), what, error);
}

sl_result sli_text_int(sli_text *text, const char *what, int64_t *out, sl_error *error)
{
    return take_number(text, sli_number_int(text->at, text->end, out), what, error);
}

sl_result sli_text_expected(const sli_text *text, const char *what, sl_error *error)
{
    if (error == NULL) {
        return SL_BAD_DATA;
    }
    return sli_text_fail(text, error, "expected %s, found %s", what, sli_text_quote(text).text);
}

sli_quote sli_text_quote(const sli_text *text)
{
    sli_quote quote = { .text = "the end of the file" };
    if (text->at == text->end) {
        return quote;
    }
    if (sli_text_at_line_end(text)) {
        memcpy(quote.text, "the end of the line", sizeof "the end of the line");
        return quote;
    }
    enum { SHOWN = sizeof quote.text - 6 };
    sli_text word = *text;
    sli_text_skip_word(&word);
    const size_t length = (size_t)(word.at - text->at);
    size_t to = 0;
    quote.text[to++] = '\'';
    for (size_t i = 0; i < length && i < SHOWN; i++) {
        const uint8_t c = text->at[i];
        quote.text[to++] = (char)(c > ' ' && c < 0x7F ? c : '?');
    }
    memcpy(quote.text + to, length > SHOWN ? "...'" : "'", length > SHOWN ? 5 : 2);
    return quote;
}

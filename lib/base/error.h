/* error.h: filling an sl_error, and returning its code in one line.
 *
 *     return sli_fail(error, SL_BAD_DATA, path, line, byte, "expected %s, found '%s'", ...);
 */
#pragma once

#include <sightline/base.h>

#if defined(__MINGW32__) /* where printf means another's */
#define SLI_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#else
#define SLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#endif

enum { SLI_NO_LINE = 0, SLI_NO_BYTE = -1 };

/* Returns code.  error may be NULL; file may be NULL for memory. */
sl_result sli_fail(sl_error *error, sl_result code, const char *file, int64_t line, int64_t byte,
                   const char *format, ...) SLI_PRINTF(6, 7);

/* The same where there is no place to name. */
#define sli_fail_plain(error, code, ...)                                                           \
    sli_fail((error), (code), NULL, SLI_NO_LINE, SLI_NO_BYTE, __VA_ARGS__)

/* The same of an argument that the caller has wrong. */
#define sli_refuse(error, ...) sli_fail_plain((error), SL_INVALID_ARGUMENT, __VA_ARGS__)

/* The same of a file as a whole. */
#define sli_fail_file(error, code, file, ...)                                                      \
    sli_fail((error), (code), (file), SLI_NO_LINE, SLI_NO_BYTE, __VA_ARGS__)

/* The same in the words that the result has of its own. */
#define sli_fail_result(error, result)                                                             \
    sli_fail_plain((error), (result), "%s", sl_result_message(result))

/* Returns from the function, which owns nothing, with the result of a step that fails. */
#define SLI_TRY(step)                                                                              \
    do {                                                                                           \
        const sl_result sli_tried = (step);                                                        \
        if (sli_tried != SL_OK) {                                                                  \
            return sli_tried;                                                                      \
        }                                                                                          \
    } while (0)

/* Says that a caller's pointer is NULL where it is; else sets what it points to to NULL. */
#define SLI_CLEAR(out, error)                                                                      \
    ((out) == NULL ? sli_refuse((error), "%s is NULL", #out) : (*(out) = NULL, (sl_result)SL_OK))

/* SL_OUT_OF_MEMORY, in the same words everywhere. */
sl_result sli_fail_memory(sl_error *error);

/* That where there was no memory. */
static inline sl_result sli_had_memory(sl_error *error, bool memory)
{
    return memory ? SL_OK : sli_fail_memory(error);
}

/* The result of the next step, which is taken only where those before it went well. */
#define SLI_THEN(result, step) ((result) == SL_OK ? (step) : (result))

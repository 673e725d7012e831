/* error.c: fills in the sl_error of every function that returns an sl_result. */
#include "lib/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

sl_result sli_fail(sl_error *error, sl_result code, const char *file, int64_t line, int64_t byte,
                   const char *format, ...)
{
    if (error == NULL) {
        return code;
    }
    *error = (sl_error){ .code = code, .line = line, .byte = byte };
    snprintf(error->file, sizeof error->file, "%s", file != NULL ? file : "");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return code;
}

sl_result sli_fail_memory(sl_error *error)
{
    return sli_fail_plain(error, SL_OUT_OF_MEMORY, "%s", sl_result_message(SL_OUT_OF_MEMORY));
}

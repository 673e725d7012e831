/* number.h: decimal text to double, correctly rounded, whatever the locale says.
 * Callers hold the floating-point environment (lib/base/fpenv.h). */
#pragma once

#include <stdint.h>

/* Reads [+-] digits [. digits] [e [+-] digits] with at least one digit before e, or nan, inf and
 * infinity in any case, or what Microsoft's printf makes of those (1.#INF, -1.#IND).  Returns the
 * first byte after the number; NULL where there is none.  Too large a number is infinite. */
const uint8_t *sli_number_double(const uint8_t *at, const uint8_t *end, double *out);

/* Reads [+-] digits; what does not fit becomes INT64_MAX or INT64_MIN.  NULL as above. */
const uint8_t *sli_number_int(const uint8_t *at, const uint8_t *end, int64_t *out);

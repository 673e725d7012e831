/* comma_locale.h: a locale whose decimal point is a comma. */
#pragma once

/* The name of one that setlocale takes; NULL where none is installed.  The build makes one where it
 * can, and tests find it by LOCPATH.  The locale in use does not change. */
const char *comma_locale(void);

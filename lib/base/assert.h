/* assert.h: preconditions inside the library; our bug when one fails.  Checked in debug builds. */
#ifndef SLI_BASE_ASSERT_H
#define SLI_BASE_ASSERT_H

#include <assert.h>

#define SL_ASSERT(condition) assert(condition)

#endif

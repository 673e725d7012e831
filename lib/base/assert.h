/* assert.h: preconditions inside the library; our bug when one fails.  Checked in debug builds. */
#pragma once

#include <assert.h>

#define SL_ASSERT(condition) assert(condition)

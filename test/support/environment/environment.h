/* environment.h: variables of the environment, on every system. */
#pragma once

#include <stdlib.h>

static inline void test_setenv(const char *name, const char *value)
{
#if defined(_WIN32)
    (void)_putenv_s(name, value);
#else
    (void)setenv(name, value, 1);
#endif
}

static inline void test_unsetenv(const char *name)
{
#if defined(_WIN32)
    (void)_putenv_s(name, "");
#else
    (void)unsetenv(name);
#endif
}

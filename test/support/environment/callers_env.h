/* callers_env.h: the floating-point environments that a caller may have set: every rounding mode,
 * with and without flushing denormals to zero, and with every exception trapping.
 *
 *     for (int env = 0; env < callers_env_count(); env++) {
 *         callers_env_set(env);
 *         ... calls under test only: no arithmetic of the test's own ...
 *         assert_true(callers_env_leave(env));
 *     } */
#pragma once

#include <stdbool.h>

int callers_env_count(void);
const char *callers_env_name(int env);
void callers_env_set(int env);
bool callers_env_is(int env);
bool callers_env_leave(int env); /* callers_env_is, then callers_env_reset */
void callers_env_reset(void);    /* round to nearest, no flushing, no traps */

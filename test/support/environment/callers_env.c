#include "test/support/environment/callers_env.h"

#include <stdint.h>

/* Bits of the control register that matter, one row for each environment. */
typedef struct callers_env {
    const char *name;
    uint64_t control;
} callers_env;

#if defined(__SSE2__)
#include <xmmintrin.h>

/* Rounding in bits 13 and 14, flush to zero 15, denormals are zero 6, masks of traps 7 to 12. */
enum { MASKS = 0x1F80, FLUSH = 0x8040, FLAGS = 0x3F };

static const callers_env environments[] = {
    { "to nearest", MASKS },
    { "down", MASKS | 0x2000 },
    { "up", MASKS | 0x4000 },
    { "to zero", MASKS | 0x6000 },
    { "to nearest, flushing", MASKS | FLUSH },
    { "down, flushing", MASKS | FLUSH | 0x2000 },
    { "up, flushing", MASKS | FLUSH | 0x4000 },
    { "to zero, flushing", MASKS | FLUSH | 0x6000 },
    { "trapping", 0 },
};

static uint64_t read_control(void)
{
    return _mm_getcsr() & ~(unsigned)FLAGS;
}

static void write_control(uint64_t control)
{
    _mm_setcsr((unsigned)control);
}

#elif defined(__aarch64__)

/* Rounding in bits 22 and 23, flush to zero 24. */
static const callers_env environments[] = {
    { "to nearest", 0 },
    { "up", 1 << 22 },
    { "down", 2 << 22 },
    { "to zero", 3 << 22 },
    { "to nearest, flushing", 1 << 24 },
    { "up, flushing", 1 << 24 | 1 << 22 },
    { "down, flushing", 1 << 24 | 2 << 22 },
    { "to zero, flushing", 1 << 24 | 3 << 22 },
};

static uint64_t read_control(void)
{
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return control;
}

static void write_control(uint64_t control)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
}

#else
#include <fenv.h>

static const callers_env environments[] = {
    { "to nearest", FE_TONEAREST },
#if defined(FE_DOWNWARD) /* WebAssembly has only the first */
    { "down", FE_DOWNWARD },
    { "up", FE_UPWARD },
    { "to zero", FE_TOWARDZERO },
#endif
};

static uint64_t read_control(void)
{
    return (uint64_t)fegetround();
}

static void write_control(uint64_t control)
{
    fesetround((int)control);
}

#endif

int callers_env_count(void)
{
    return (int)(sizeof environments / sizeof environments[0]);
}

const char *callers_env_name(int env)
{
    return environments[env].name;
}

void callers_env_set(int env)
{
    write_control(environments[env].control);
}

bool callers_env_is(int env)
{
    return read_control() == environments[env].control;
}

void callers_env_reset(void)
{
    write_control(environments[0].control);
}

bool callers_env_leave(int env)
{
    const bool kept = callers_env_is(env);
    callers_env_reset();
    return kept;
}

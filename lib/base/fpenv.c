#include "lib/base/fpenv.h"

/* The two calls live in a file of their own, so that to the compiler they are opaque. */

#if defined(__SSE2__)
sli_fpenv sli_fpenv_enter(void)
{
    const uint32_t control = _mm_getcsr();
    if ((control & ~(uint32_t)SLI_MXCSR_FLAGS) != SLI_MXCSR_DEFAULT) {
        _mm_setcsr(SLI_MXCSR_DEFAULT);
    }
    return (sli_fpenv){ .control = control };
}

void sli_fpenv_leave(sli_fpenv saved)
{
    /* Also takes back the sticky flags that our arithmetic raised, but only where it costs
     * nothing extra: a caller with a default environment may see them, as after any arithmetic. */
    if ((saved.control & ~(uint64_t)SLI_MXCSR_FLAGS) != SLI_MXCSR_DEFAULT) {
        _mm_setcsr((uint32_t)saved.control);
    }
}

#elif defined(__aarch64__)

sli_fpenv sli_fpenv_enter(void)
{
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    if (control != 0) {
        __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
    }
    return (sli_fpenv){ .control = control };
}

void sli_fpenv_leave(sli_fpenv saved)
{
    if (saved.control != 0) {
        __asm__ volatile("msr fpcr, %0" : : "r"(saved.control));
    }
}

#elif defined(__wasm__)

sli_fpenv sli_fpenv_enter(void)
{
    return (sli_fpenv){ 0 };
}

void sli_fpenv_leave(sli_fpenv saved)
{
    (void)saved;
}

#else

sli_fpenv sli_fpenv_enter(void)
{
    sli_fpenv env;
    fegetenv(&env.saved);
    fesetenv(FE_DFL_ENV);
    return env;
}

void sli_fpenv_leave(sli_fpenv saved)
{
    fesetenv(&saved.saved);
}

#endif

/* setjmp.c: what clang calls for setjmp and longjmp; see setjmp.h. */
#include "setjmp.h"

enum { TAG_OF_LONGJMP = 1 };

void __wasm_setjmp(struct sli_jump *jump, unsigned label, void *call)
{
    jump->call = call;
    jump->label = label;
}

unsigned __wasm_setjmp_test(struct sli_jump *jump, void *call)
{
    return jump->call == call ? jump->label : 0;
}

void __wasm_longjmp(struct sli_jump *jump, int value)
{
    jump->thrown.jump = jump;
    jump->thrown.value = value != 0 ? value : 1;
    __builtin_wasm_throw(TAG_OF_LONGJMP, &jump->thrown);
}

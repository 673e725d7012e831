/* setjmp.h: for cmocka and libpng in WebAssembly, whose C library has none: the part of it that clang's
 * -wasm-enable-sjlj leaves to a library (setjmp.c).  Node runs it, as it is made of WebAssembly's exceptions. */
#pragma once

typedef struct sli_jump {
    void *call;     /* of the function that called setjmp */
    unsigned label; /* of the place in it */
    struct {
        void *jump;
        int value;
    } thrown; /* by longjmp, for the code that clang makes of setjmp */
} jmp_buf[1];

int setjmp(jmp_buf jump) __attribute__((returns_twice));
_Noreturn void longjmp(jmp_buf jump, int value);

// Whether the host has SIMD128: whether it takes a module of one function, () => i8x16.popcnt(i8x16.splat(0)).
// prettier-ignore
const POPCNT = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

export const simd = /* @__PURE__ */ WebAssembly.validate(Uint8Array.from(POPCNT));

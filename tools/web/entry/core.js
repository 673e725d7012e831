// The engine without a module: what index.js and slim.js share, so that a tree of one is a tree of the other.
import { moduleOf, provide } from '../src/init.js';
import { numberList, record } from '../src/numbers.js';

export * from '../src/index.js';
/** For the other files of the package. */
export const inner = { moduleOf, numberList, provide, record };

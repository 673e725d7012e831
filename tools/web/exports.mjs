// Prints what the module exports, a name a line: the build reads it (CMakeLists.txt).
import { functions } from './names.mjs';

console.log(functions.join('\n'));

// Prints what a module exports, a name a line: the build reads it (CMakeLists.txt).  --core: of sightline_core.wasm.
import { coreFunctions, functions } from './names.mjs';

console.log((process.argv[2] === '--core' ? coreFunctions : functions).join('\n'));

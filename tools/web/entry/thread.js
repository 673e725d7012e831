// The script of the worker that sightline/worker starts.
import { listen } from './listen.js';

listen();

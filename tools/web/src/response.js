// What a server has answered, or a file has in it.
import { refuse } from './errors.js';

/** The bytes of a response, or of what can be the body of one. */
export async function bytesOfResponse(source) {
  if (typeof Response === 'undefined') refuse('reading needs Response, which is not here', 'UNSUPPORTED');
  const where = source.url || 'the source';
  if (source.ok === false) refuse(`${where}: ${source.status} ${source.statusText}`, source.status === 404 ? 'NOT_FOUND' : 'IO');
  try {
    return new Uint8Array(await (source instanceof Response ? source : new Response(source)).arrayBuffer());
  } catch (error) {
    return refuse(`${where} could not be read: ${error.message}`, 'IO');
  }
}

/** The bytes behind a URL. */
export async function bytesOfURL(url) {
  return bytesOfResponse(await fetch(url).catch((error) => refuse(`${url}: ${error.message}`, 'IO')));
}

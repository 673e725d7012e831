// What a server has answered, or a file has in it.
import { refuse } from './errors.js';

/** The bytes of a response, or of what can be the body of one. */
export async function bytesOfResponse(source) {
  if (typeof Response === 'undefined') refuse('reading needs Response, which is not here', 'UNSUPPORTED');
  const where = source.url || 'the source';
  const failed = (error) => refuse(`${where} could not be read: ${error.message}`, 'IO');
  if (!(source instanceof Response)) return bytesOfResponse(new Response(source));
  if (!source.ok) refuse(`${where}: ${source.status} ${source.statusText}`, source.status === 404 ? 'NOT_FOUND' : 'IO');
  return new Uint8Array(await source.arrayBuffer().catch(failed));
}

/** The bytes behind a URL. */
export async function bytesOfURL(url) {
  return bytesOfResponse(await fetch(url).catch((error) => refuse(`${url}: ${error.message}`, 'IO')));
}

// What goes wrong: a class of errors, with the codes of sl_result and one of its own, DISPOSED.

/** What every call throws. */
export class SightlineError extends Error {
  constructor(code, message, where = {}) {
    super(message);
    this.name = 'SightlineError';
    this.code = code;
    Object.assign(this, where);
  }
}

/** A caller's mistake. */
export function refuse(message, code = 'INVALID_ARGUMENT') {
  throw new SightlineError(code, message);
}

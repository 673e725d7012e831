// Who owns what C has made: it is freed with its last user, which is the object that the caller has, or a scene that has it
// in it, and when the caller forgot it.
import { SightlineError, refuse } from './errors.js';
import { begin } from './memory.js';

// What C has made, how it is destroyed, what it uses, and how many use it.
class Owned {
  constructor(pointer, destroy, uses) {
    Object.assign(this, { pointer, destroy, uses, users: 1 });
    for (const one of uses) one.users++;
  }
}

export function release(owned) {
  if (--owned.users > 0) return;
  if (owned.pointer !== 0) owned.destroy(owned.pointer);
  owned.pointer = 0;
  owned.uses.forEach(release);
}

const forgotten = new FinalizationRegistry(release);

/** What an object of the caller's owns; throws where it is none of ours, or disposed. */
export let ownedBy;
/** Whether it is an object of ours that is not disposed. */
export let isAlive;

/** What only our own files can give a constructor. */
export const KEY = Symbol('sightline');

export class Owner {
  #owned;

  static {
    ownedBy = (object, what = 'this') => {
      if (object === null || typeof object !== 'object' || !(#owned in object)) refuse(`${what} is no object of sightline, or one of another copy of the package`);
      if (object.#owned === null) throw new SightlineError('DISPOSED', `${what} has been disposed`);
      return object.#owned;
    };
    isAlive = (object) => object.#owned !== null;
  }

  constructor(key, pointer, destroy, uses = []) {
    if (key !== KEY) refuse('objects of sightline are made by functions, not by new');
    this.#owned = new Owned(pointer, destroy, uses);
    forgotten.register(this, this.#owned, this);
  }

  get disposed() {
    return this.#owned === null;
  }

  dispose() {
    if (this.#owned === null) return;
    begin();
    const owned = this.#owned;
    this.#owned = null;
    forgotten.unregister(this);
    release(owned);
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.dispose();
  }
}

/** The address of what an object owns. */
export const pointerOf = (object, what) => ownedBy(object, what).pointer;

/** Each question begins with this: its target is alive, and views of memory are good. */
export function beginOn(target) {
  ownedBy(target);
  begin();
}

// What bundlers are given: the page says how it went.
import * as sightline from 'sightline';
import { buildInWorker } from 'sightline/worker';
import { check } from './check.mjs';

check(sightline, globalThis.sightlineNoWorker ? undefined : buildInWorker).then(
  () => (document.title = 'fine'),
  (error) => (document.title = `failed: ${error.stack}`),
);

import * as sightline from 'sightline/slim';
import { check } from './check.mjs';

check(sightline).then(
  () => (document.title = 'fine'),
  (error) => (document.title = `failed: ${error.stack}`),
);

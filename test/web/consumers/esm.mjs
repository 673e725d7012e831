// Asks each entry of the package for the same triangle; check() throws where one says something else.
import * as sightline from 'sightline';
import * as slim from 'sightline/slim';
import { buildInWorker } from 'sightline/worker';
import { check } from './check.mjs';

await check(sightline, buildInWorker);
if (slim.Tree !== sightline.Tree) throw new Error('slim has another Tree');
console.log('fine');

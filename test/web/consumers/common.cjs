const sightline = require('sightline');
const slim = require('sightline/slim');
const { buildInWorker } = require('sightline/worker');

import('./check.mjs').then(async ({ check }) => {
  await check(sightline, buildInWorker);
  if (slim.Tree !== sightline.Tree) throw new Error('slim has another Tree');
  console.log('fine');
});

// The demo: three.js draws, sightline answers.  ?instances=400 makes a smaller ball.
import { init } from 'sightline';
import { App } from './app.js';
import { makeFiles } from './files.js';
import { makeInput } from './input.js';
import { makeBall } from './world.js';
import { clash } from './modes/clash.js';
import { cost } from './modes/cost.js';
import { inspect } from './modes/inspect.js';
import { move } from './modes/move.js';
import { select } from './modes/select.js';
import { through } from './modes/through.js';

const asked = Number(new URLSearchParams(location.search).get('instances'));
const count = asked >= 1 && asked <= 100000 ? Math.floor(asked) : 10000;

try {
  await init(new URL('sightline.wasm', location.href));
  const app = new App({ inspect, through, select, move, clash, cost });
  makeInput(app);
  makeFiles(app, count);
  for (const mode of Object.values(app.modes)) mode.start?.(app);
  app.setMode('inspect');
  app.setWorld(makeBall(count));
  // For tests, and for the curious at the console.
  window.sightlineDemo = app;
} catch (error) {
  document.getElementById('answer').textContent = `It did not start: ${error.message}`;
  throw error;
}

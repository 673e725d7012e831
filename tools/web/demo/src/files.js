// Files: dropped or chosen, read and built by a worker, which sends the tree's bytes and what three.js draws.
import { makeBall, makeOne } from './world.js';

const element = (id) => document.getElementById(id);
let worker = null;

function stop() {
  worker?.terminate();
  worker = null;
  element('loading').hidden = true;
}

function load(app, file) {
  stop();
  element('loading').hidden = false;
  element('phase').textContent = 'reading';
  element('progress').removeAttribute('value');
  app.loaded = { name: file.name, phases: [] };
  worker = new Worker('worker.js', { type: 'module' });
  worker.onerror = (event) => {
    stop();
    app.loaded.error = event.message || 'The worker did not start.';
    app.say(app.loaded.error);
  };
  worker.onmessage = ({ data }) => {
    if (data.phase) {
      element('phase').textContent = data.phase;
      element('progress').value = data.fraction;
      app.loaded.phases.push(data.phase);
      return;
    }
    stop();
    if (data.error) {
      app.loaded.error = data.error;
      app.say(`${file.name}: ${data.error}`);
      return;
    }
    app.setWorld(makeOne({ name: file.name, ...data }));
    Object.assign(app.loaded, { triangles: data.faces.length / 3, done: true });
    const time = data.time < 1000 ? `${data.time.toFixed(0)} ms` : `${(data.time / 1000).toFixed(1)} s`;
    app.say(`${file.name}: ${app.loaded.triangles.toLocaleString('en')} triangles, read and built in ${time}`);
  };
  worker.postMessage(file);
}

export function makeFiles(app, count) {
  element('file').addEventListener('change', (event) => {
    const [file] = event.target.files;
    if (file) load(app, file);
    event.target.value = '';
  });
  element('cancel').addEventListener('click', stop);
  element('reset').addEventListener('click', () => {
    stop();
    app.setWorld(makeBall(count));
  });
  let depth = 0;
  const over = (step) => (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    depth = Math.max(0, depth + step);
    element('drop').hidden = depth === 0;
  };
  addEventListener('dragenter', over(1));
  addEventListener('dragover', over(0));
  addEventListener('dragleave', over(-1));
  addEventListener('drop', (event) => {
    event.preventDefault();
    depth = 0;
    element('drop').hidden = true;
    const [file] = event.dataTransfer.files;
    if (file) load(app, file);
  });
}

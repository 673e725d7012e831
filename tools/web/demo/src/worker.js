// Reads a file and builds its tree, away from the page's thread.
import { init, Mesh, Tree } from 'sightline';

const tell = (phase, fraction) => postMessage({ phase, fraction });

async function load(file) {
  await init(new URL('sightline.wasm', self.location.href));
  const start = performance.now();
  tell('reading', 0);
  const mesh = await Mesh.read(file, { name: file.name });
  tell('building', 0);
  const tree = Tree.build(mesh, { bad: 'leave-out', progress: (phase, fraction) => tell(phase, fraction) });
  const { vertices, faces, origin } = mesh;
  const bytes = tree.toBytes();
  const time = performance.now() - start;
  postMessage({ vertices, faces, origin, bytes, time }, [vertices.buffer, faces.buffer, bytes.buffer]);
}

self.onmessage = ({ data }) => load(data).catch((error) => postMessage({ error: error.message }));

// Colours, lights and materials; dark and light follow the system's setting.
import { AmbientLight, Color, DirectionalLight, DoubleSide, HemisphereLight, MeshLambertMaterial, Plane, Vector3 } from 'three';

const dark = matchMedia('(prefers-color-scheme: dark)');

/** The clipping plane of all materials; what is at a positive distance from it stays. */
export const plane = new Plane(new Vector3(0, 0, -1), 0);

export const palette = { selected: new Color('#ffe14d'), first: new Color('#f08c2e'), second: new Color('#3f8fd2') };

/** A material that shows the inside of what the plane cuts in one colour, so that cuts look solid. */
export function material(flat, color = 0xffffff) {
  const result = new MeshLambertMaterial({ color, flatShading: flat, side: DoubleSide });
  result.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace('#include <opaque_fragment>', `
      #if NUM_CLIPPING_PLANES > 0
        if (!gl_FrontFacing) outgoingLight = diffuseColor.rgb * 0.35;
      #endif
      #include <opaque_fragment>`);
  };
  return result;
}

/** Lights that come with the camera. */
export function lightCamera(camera) {
  const key = new DirectionalLight(0xffffff, 2.2);
  key.position.set(0.6, 1, 1.2);
  const rim = new DirectionalLight(0x9fc4ff, 0.7);
  rim.position.set(-1.4, -0.3, 0.2);
  camera.add(key, key.target, rim, rim.target, new HemisphereLight(0xdfe9ff, 0x6b5a4a, 0.9), new AmbientLight(0xffffff, 0.15));
}

/** Sets the background now, and whenever the system's setting changes. */
export function followScheme(scene, changed) {
  const apply = () => {
    scene.background = new Color(getComputedStyle(document.documentElement).getPropertyValue('--back').trim());
    changed();
  };
  dark.addEventListener('change', apply);
  apply();
}

// Three sounds, made on the spot: a move, a capture, the end of a game. Silent until somebody has touched the page.

/** Each note: its pitch in Hz, when it begins and how long it lasts, in seconds. */
const SOUNDS = {
  move: [[320, 0, 0.09]],
  capture: [[320, 0, 0.07], [210, 0.06, 0.13]],
  end: [[392, 0, 0.5], [494, 0.12, 0.5], [587, 0.24, 0.7]],
};
const LOUDNESS = 0.16;
let context = null;

/** Play one of `SOUNDS`, where browsers let this page make any. */
export function playSound(name) {
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  for (const [pitch, begin, length] of SOUNDS[name]) sound(pitch, context.currentTime + begin, length);
}

function sound(pitch, begin, length) {
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch * 1.5, begin);
  tone.frequency.exponentialRampToValueAtTime(pitch, begin + 0.03); // a stone that is put down
  volume.gain.setValueAtTime(LOUDNESS, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
  tone.connect(volume).connect(context.destination);
  tone.start(begin);
  tone.stop(begin + length);
}

// A sound for scans that need a person, because a scanner in keyboard mode cannot signal the result of a scan.

/** Plays two low notes. Browsers let a page play sound only after the first click or key press. */
export class Beep {
  #audio = null;

  constructor() {
    for (const type of ["pointerdown", "keydown"]) addEventListener(type, () => this.#audio?.resume());
  }

  turn(isOn) {
    this.#audio?.close();
    this.#audio = isOn ? new AudioContext() : null;
  }

  play() {
    // The browser would hold the notes back until the first click, and play them too late.
    if (this.#audio?.state !== "running") return;
    for (const begin of [0, 0.2]) {
      const note = new OscillatorNode(this.#audio, { type: "square", frequency: 220 });
      note.connect(new GainNode(this.#audio, { gain: 0.2 })).connect(this.#audio.destination);
      note.start(this.#audio.currentTime + begin);
      note.stop(this.#audio.currentTime + begin + 0.15);
    }
  }
}

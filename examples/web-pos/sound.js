// Sounds when a person must do something; a scanner in keyboard mode cannot beep by the result.

/** Plays two low notes. A browser lets a page do so from the first click or key on. */
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
    // The notes would wait for the first click.
    if (this.#audio?.state !== "running") return;
    for (const begin of [0, 0.2]) {
      const note = new OscillatorNode(this.#audio, { type: "square", frequency: 220 });
      note.connect(new GainNode(this.#audio, { gain: 0.2 })).connect(this.#audio.destination);
      note.start(this.#audio.currentTime + begin);
      note.stop(this.#audio.currentTime + begin + 0.15);
    }
  }
}

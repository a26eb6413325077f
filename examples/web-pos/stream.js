// The events of the daemon, as they come: each once, in order, also after a restart.
//
// The live page of keywedge and this till use the same file.

/** How long to wait after a failure, in milliseconds, on average. */
const pause = 2000;
/** A connection that stays silent for so long is given up: the daemon sends a comment every 15 s. */
const silence = 40000;
/** How many events are remembered, so that none is reported twice. */
const memory = 10000;

/** An answer of the daemon that is an error. */
class Refusal extends Error {
  constructor(status) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** Sends a request to the daemon. */
async function ask(address, { token = null, accept = "application/json", signal = null } = {}) {
  const headers = { Accept: accept };
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(address, { headers, signal, cache: "no-store" });
  if (!answer.ok) throw new Refusal(answer.status);
  return answer;
}

/**
 * Follows the events.
 *
 * Calls `onEvent(event)` once for each event, `onState(isOpen)` when they begin or cease to come, and
 * `onRefusal(status)` if the daemon wants a token, or does not serve this page. It begins `history` events before the
 * newest. `daemon` is the address of the daemon with a slash at its end; empty for a page that the daemon serves.
 */
class Stream {
  #report;
  #options;
  #seen = new Set();
  #last = null;
  #triedLast = null;
  #timer = null;

  constructor(report, { types, history = 0, daemon = "", token = null }) {
    this.#report = report;
    this.#options = { types, history, daemon };
    this.token = token;
  }

  /** Begins, and begins again after each failure. */
  async start() {
    clearTimeout(this.#timer);
    try {
      await this.#follow();
    } catch (error) {
      this.#report.onState(false);
      if (error instanceof Refusal) this.#report.onRefusal(error.status);
      // Only another token helps here.
      if (error instanceof Refusal && error.status === 401) return;
      this.#timer = setTimeout(() => this.start(), pause * (0.75 + Math.random() / 2));
    }
  }

  /** Reads events until the connection ends, which it reports by an error. */
  async #follow() {
    const { daemon, types } = this.#options;
    const after = await this.#place();
    const stopper = new AbortController();
    let alarm = null;
    const isAlive = () => {
      clearTimeout(alarm);
      alarm = setTimeout(() => stopper.abort(), silence);
    };
    isAlive();
    try {
      const answer = await ask(`${daemon}v1/events?types=${types}${after ? `&after=${after}` : ""}`, {
        token: this.token, accept: "text/event-stream", signal: stopper.signal,
      });
      this.#report.onState(true);
      let text = "";
      for await (const piece of pieces(answer.body.pipeThrough(new TextDecoderStream()))) {
        isAlive();
        const events = (text + piece).split("\n\n");
        text = events.pop();
        for (const event of events) this.#read(event.split("\n"));
      }
    } finally {
      clearTimeout(alarm);
    }
    throw new Error("the stream ended");
  }

  /** Where to begin: after the last event, unless the daemon refused that; at first, some events back. */
  async #place() {
    const { daemon, history } = this.#options;
    const { journal } = await (await ask(`${daemon}v1/status`, {
      token: this.token, signal: AbortSignal.timeout(silence),
    })).json();
    if (this.#last && this.#last !== this.#triedLast) return this.#triedLast = this.#last;
    this.#triedLast = null;
    if (!journal.epoch) return null;
    const newest = BigInt(journal.newest?.sequence ?? 0);
    return `${journal.epoch}-${newest > history ? newest - BigInt(history) : 0}`;
  }

  /** Reads one event from its lines (WHATWG HTML, section 9.2.5). */
  #read(lines) {
    const value = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    if (value("data") === undefined) return;
    const event = JSON.parse(value("data"));
    // Events that were gone before this page began concern nobody here.
    const isOld = event.type === "keywedge.gap" && !this.#last;
    if (value("id")) [this.#last, this.#triedLast] = [value("id"), null];
    if (!isOld && this.#isNew(event)) this.#report.onEvent(event);
  }

  #isNew({ source, id }) {
    const key = `${source} ${id}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    if (this.#seen.size > memory) this.#seen.delete(this.#seen.values().next().value);
    return true;
  }
}

async function* pieces(stream) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

export { ask, Refusal, Stream };

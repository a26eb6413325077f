// Reads the daemon's events as they arrive: each event once and in order, even if the daemon restarts.
//
// keywedge's live page and the till in examples/web-pos share this file.

/** The average time before a retry, in milliseconds. */
const pause = 2000;
/** A connection is closed after this many milliseconds without data; the daemon sends a comment every 15 s. */
const silence = 40000;
/** How many events are remembered to recognise duplicates. */
const memory = 10000;

/** The daemon answered with an error status. */
class Refusal extends Error {
  constructor(status) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** Sends a GET request to the daemon; throws a `Refusal` if the answer has an error status. */
async function ask(address, { token = null, accept = "application/json", signal = null } = {}) {
  const headers = { Accept: accept };
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(address, { headers, signal, cache: "no-store" });
  if (!answer.ok) throw new Refusal(answer.status);
  return answer;
}

/**
 * Follows the daemon's events, and reconnects after a failure.
 *
 * Calls `onEvent(event)` once for each event, `onState(isOpen)` when the connection opens or fails, and
 * `onRefusal(status)` if the daemon answers with an error, such as 401 without a token. Begins `history` events before
 * the newest. `daemon` is the daemon's address with a slash at its end; empty for a page that the daemon serves.
 */
class Stream {
  #report;
  #options;
  #seen = new Set();
  #hasOpened = false;
  #beginning = null;
  #last = null;
  #timer = null;

  constructor(report, { types, history = 0, daemon = "", token = null }) {
    this.#report = report;
    this.#options = { types, history, daemon };
    this.token = token;
  }

  /** Connects, and connects again after each failure. */
  async start() {
    clearTimeout(this.#timer);
    try {
      await this.#follow();
    } catch (error) {
      this.#report.onState(false);
      if (error instanceof Refusal) this.#report.onRefusal(error.status);
      // A retry with the same token would fail again.
      if (error instanceof Refusal && error.status === 401) return;
      this.#timer = setTimeout(() => this.start(), pause * (0.75 + Math.random() / 2));
    }
  }

  /** Reads events until the connection ends, and then throws. */
  async #follow() {
    const { daemon, types } = this.#options;
    // Before the first event, a later connection begins at the same place, to get what came in between.
    const after = this.#last ?? (this.#beginning ??= await this.#findBeginning());
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
      const isFirst = !this.#hasOpened;
      this.#hasOpened = true;
      this.#report.onState(true);
      let text = "";
      for await (const piece of pieces(answer.body.pipeThrough(new TextDecoderStream()))) {
        isAlive();
        const events = (text + piece).split("\n\n");
        text = events.pop();
        for (const event of events) this.#read(event.split("\n"), isFirst);
      }
    } finally {
      clearTimeout(alarm);
    }
    throw new Error("the stream ended");
  }

  /** The id of the event to begin after at first: the one `history` events before the newest. */
  async #findBeginning() {
    const { daemon, history } = this.#options;
    const { journal } = await (await ask(`${daemon}v1/status`, {
      token: this.token, signal: AbortSignal.timeout(silence),
    })).json();
    if (!journal.epoch) return null;
    const newest = BigInt(journal.newest?.sequence ?? 0);
    return `${journal.epoch}-${newest > history ? newest - BigInt(history) : 0}`;
  }

  /** Parses one event from its lines (WHATWG HTML, section 9.2.5) and reports it. */
  #read(lines, isFirst) {
    const value = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    if (value("data") === undefined) return;
    const event = JSON.parse(value("data"));
    // Events that were dropped before this page began are not missing here.
    const isOld = event.type === "keywedge.gap" && isFirst && !this.#last;
    if (value("id")) this.#last = value("id");
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

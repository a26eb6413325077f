// The events of the daemon, as they come: behind the last one, through restarts, each once.

/** How many events before the newest it begins with: the last hundred scans are among them. */
const history = 1500;
const types = "keywedge.scan,keywedge.scan.rejected,keywedge.scan.redacted,"
  + "keywedge.scanner.connected,keywedge.scanner.disconnected,keywedge.journal.full,"
  + "keywedge.journal.replaced,keywedge.started";
/** How long after a failure it tries again, in milliseconds: as long as the daemon asks for. */
const pause = 2000;
/** A connection with a token on which nothing comes for so long is given up: a comment comes every 15 s. */
const silence = 40000;

/** What the daemon answers when it refuses. */
class Refusal extends Error {
  constructor(status) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** Asks for something of the daemon, with the token where there is one. */
async function ask(path, { token = null, accept = "application/json", signal = null } = {}) {
  const headers = { Accept: accept };
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(path, { headers, signal, cache: "no-store" });
  if (!answer.ok) throw new Refusal(answer.status);
  return answer;
}

/** Keeps what came already from being told twice. */
class Memory {
  #keys = new Set();

  isNew({ source, id }) {
    const key = `${source} ${id}`;
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    if (this.#keys.size > 4 * history) this.#keys.delete(this.#keys.values().next().value);
    return true;
  }
}

/**
 * Follows the events.
 *
 * `onEvent(event)` is told each once, `onState(isOpen)` whether they come, and `onRefusal(status)` that
 * the daemon wants another token, or none of this page.
 */
class Stream {
  #told;
  #memory = new Memory();
  #last = null;
  #triedLast = null;
  #timer = null;

  constructor(told, token = null) {
    this.#told = told;
    this.token = token;
  }

  /** Begins, or begins again. */
  async start() {
    clearTimeout(this.#timer);
    try {
      const after = await this.#place();
      const path = `v1/events?types=${types}${after ? `&after=${after}` : ""}`;
      if (this.token) await this.#read(path);
      else this.#listen(path);
    } catch (error) {
      this.#told.onState(false);
      if (error instanceof Refusal && [401, 403].includes(error.status)) {
        this.#told.onRefusal(error.status);
      } else {
        this.#again();
      }
    }
  }

  /** Where to go on: behind the last event, unless that was refused; at first, some events back. */
  async #place() {
    const { journal } = await (await ask("v1/status", { token: this.token })).json();
    if (this.#last && this.#last !== this.#triedLast) return this.#triedLast = this.#last;
    this.#triedLast = null;
    if (!journal.epoch) return null;
    const newest = BigInt(journal.newest?.sequence ?? 0);
    return `${journal.epoch}-${newest > history ? newest - BigInt(history) : 0}`;
  }

  /** As a page does that needs no token: the browser comes again by itself. */
  #listen(path) {
    const source = new EventSource(path);
    source.onopen = () => this.#told.onState(true);
    source.onmessage = ({ data, lastEventId }) => this.#take(data, lastEventId);
    source.onerror = () => {
      this.#told.onState(false);
      // A browser gives up after any answer that is no stream.
      if (source.readyState === EventSource.CLOSED) this.#again();
    };
  }

  /** With a token, which an EventSource cannot show. */
  async #read(path) {
    const stopper = new AbortController();
    let alarm = null;
    const isAlive = () => {
      clearTimeout(alarm);
      alarm = setTimeout(() => stopper.abort(), silence);
    };
    isAlive();
    try {
      const answer = await ask(path, {
        token: this.token, accept: "text/event-stream", signal: stopper.signal,
      });
      this.#told.onState(true);
      let text = "";
      for await (const piece of pieces(answer.body.pipeThrough(new TextDecoderStream()))) {
        isAlive();
        const events = (text + piece).split("\n\n");
        text = events.pop();
        for (const event of events) this.#takeLines(event.split("\n"));
      }
    } finally {
      clearTimeout(alarm);
    }
    throw new Error("the stream ended");
  }

  #takeLines(lines) {
    const value = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const data = value("data");
    if (data !== undefined) this.#take(data, value("id"));
  }

  #take(data, id) {
    const event = JSON.parse(data);
    // What was gone before this page began is no news.
    const isOld = event.type === "keywedge.gap" && !this.#last;
    if (id) [this.#last, this.#triedLast] = [id, null];
    if (!isOld && this.#memory.isNew(event)) this.#told.onEvent(event);
  }

  #again() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.start(), pause * (0.75 + Math.random() / 2));
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

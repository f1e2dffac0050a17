// The page's side of the engine: one worker, begun with the first question and paused while nobody looks.

/**
 * `place` names the worker and the kernel by their addresses. A question is `{rules, start, moves, task, nodes, ms}`: the
 * position after `moves` from `start`, and either `task` "moves" or words for a search, which ends at so many nodes or
 * after so many milliseconds of thinking. One question is answered at a time: whoever asks another gives up the last.
 */
export class Thinker {
  #failed;
  #worker = null;
  #request = null; // {number, question, report, settle}
  #number = 0;
  #isReady = false;
  #listening = null;

  constructor(place, failed = () => {}) {
    this.place = place;
    this.#failed = failed;
  }

  /** Whether the worker is there. */
  get isOn() {
    return this.#worker !== null;
  }

  /** The last answer to a question, each one before it by `report`; null where it was given up. */
  ask(question, report = () => {}) {
    this.#begin();
    this.#giveUp();
    this.#number += 1;
    return new Promise((settle) => {
      this.#request = { number: this.#number, question, report, settle };
      if (this.#isReady) this.#send();
    });
  }

  /** Give up the question; the engine stays. */
  rest() {
    this.#giveUp();
    this.#worker?.postMessage({});
  }

  /** Let go of the engine and its memory. */
  end() {
    this.#giveUp();
    this.#worker?.terminate();
    this.#worker = null;
    this.#isReady = false;
    this.#listening?.abort();
  }

  #begin() {
    if (this.#worker) return;
    this.#worker = new Worker(this.place.worker);
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => this.#fail(event.message);
    this.#worker.postMessage({ kernel: this.place.kernel });
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const look = () => this.#worker.postMessage({ isPaused: document.hidden });
    document.addEventListener("visibilitychange", look, { signal });
    window.addEventListener("pagehide", () => this.#worker.postMessage({ isPaused: true }), { signal });
    window.addEventListener("pageshow", look, { signal });
    look();
  }

  #receive(data) {
    if ("failure" in data) this.#fail(data.failure);
    else if ("isReady" in data) {
      this.#isReady = true;
      if (this.#request) this.#send();
    } else if (data.number === this.#request?.number) {
      const { report, settle } = this.#request;
      report(data);
      if (!data.isDone) return;
      this.#request = null;
      settle(data);
    }
  }

  #send() {
    this.#worker.postMessage({ number: this.#request.number, ...this.#request.question });
  }

  #giveUp() {
    const request = this.#request;
    this.#request = null;
    request?.settle(null);
  }

  #fail(why) {
    this.end();
    this.#failed(why);
  }
}

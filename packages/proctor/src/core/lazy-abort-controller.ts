// A controller whose signal is made at the first look at it. Most work is never stopped, and a signal, its listeners and above all the
// exception that is its reason cost more than many a step of that work.

/** One reason for all aborts without a reason: each would otherwise make an exception with its stack. */
const ABORTED = new DOMException("This operation was aborted", "AbortError");

export class LazyAbortController {
  #controller: AbortController | undefined;
  #reason: unknown;
  #aborted = false;

  get aborted(): boolean {
    return this.#aborted;
  }

  get signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    if (this.#aborted) controller.abort(this.#reason);
    return controller.signal;
  }

  /** Aborts the signal; only the first reason counts. */
  abort(reason: unknown = ABORTED): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

// A controller whose signal is made when somebody looks at it. Most work is never stopped, and a signal, its listeners and above all the
// exception that is its reason cost more than many a step of that work.

/** One for all: an abort without a reason makes an exception, with its stack, each time. */
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

  /** The first reason counts. */
  abort(reason: unknown = ABORTED): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

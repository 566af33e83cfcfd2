// New runs on their way to the store, by their idempotency keys. A client that got no answer in time sends its request again; while the first
// one is still being written, the repeated one waits for it. If it were written behind it instead, a slow database would get slower with
// every client that is not patient, until it answered none of them in time.
import type { NewRun, Store } from "../core/ports/store.ts";

export function createRepeatedRequests(store: Pick<Store, "createRun">): Store["createRun"] {
  const pending = new Map<string, ReturnType<Store["createRun"]>>();

  return async (run: NewRun) => {
    const { idempotency } = run;
    if (idempotency === undefined) return store.createRun(run);
    // With another body it is another request, which the store refuses.
    const name = `${idempotency.fingerprint} ${idempotency.key}`;
    const first = pending.get(name);
    if (first !== undefined) return { run: (await first).run, created: false };
    const storing = store.createRun(run).finally(() => pending.delete(name));
    pending.set(name, storing);
    return storing;
  };
}

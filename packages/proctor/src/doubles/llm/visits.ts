// The requests under way. Each has a signal that is aborted when its client leaves or the mock stops.
import { setMaxListeners } from "node:events";
import type { NodeBindings } from "../../runtime/http/listen.ts";
import type { Route } from "./router.ts";

interface Visits {
  fetch(request: Request, bindings: NodeBindings): Promise<Response>;
  /** Cuts the visits under way; resolves when each was reported and has its answer. */
  end(): Promise<void>;
}

const STOPPED = new Error("the mock was stopped");
const LEFT = new Error("the caller left before the answer");

export function createVisits(route: Route): Visits {
  /** Each visit's abort controller, with a promise that resolves when the visit is over. */
  const underWay = new Map<AbortController, Promise<void>>();

  return {
    fetch(request, { outgoing }) {
      const stop = new AbortController();
      // A long stream adds many listeners: it waits for its reader and its pauses in turn.
      setMaxListeners(0, stop.signal);
      const leave = (): void => stop.abort(LEFT);
      request.signal.addEventListener("abort", leave, { once: true });
      let onClose = (): void => {};
      const over = new Promise<void>((resolve) => (onClose = resolve));
      underWay.set(stop, over);
      void over.then(() => {
        underWay.delete(stop);
        request.signal.removeEventListener("abort", leave);
      });
      const destroy = (): void => void outgoing?.destroy();
      const breakOff = async (): Promise<void> => {
        const { signal } = stop;
        const gone = new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
        if (outgoing?.socket?.destroySoon) outgoing.socket.destroySoon();
        else destroy();
        if (!signal.aborted) await gone;
      };
      return route({ request, signal: stop.signal, breakOff, destroy, onClose });
    },
    async end() {
      const cut = [...underWay];
      for (const [stop] of cut) stop.abort(STOPPED);
      await Promise.all(cut.map(([, over]) => over));
    },
  };
}

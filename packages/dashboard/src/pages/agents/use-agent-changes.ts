// Reads agents again when runs end, and now and then: a lease that ran out is no event of a run.
import { useEffect, useRef } from "preact/hooks";
import { soonAfterEvents } from "../../state/soon-after-events.ts";

const PAUSE_MS = 10_000;

export function useAgentChanges(reload: () => void): void {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    const act = (): void => latest.current();
    const off = soonAfterEvents(act, ({ type }) => type === "run.ended" || type === "run.started");
    const timer = setInterval(() => document.visibilityState === "visible" && act(), PAUSE_MS);
    return () => {
      off();
      clearInterval(timer);
    };
  }, []);
}

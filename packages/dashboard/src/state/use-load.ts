// Loads something, and again when its key or the token changes, or when the hub is another one. What was loaded stays on screen until its
// successor is there.
import { useEffect, useState } from "preact/hooks";
import { generation } from "../api/live.ts";
import { token } from "../api/token.ts";

export interface Loaded<T> {
  value: T | undefined;
  error: unknown;
  loading: boolean;
  reload: () => void;
  /** Replaces the loaded value by a newer one. */
  replace: (change: (value: T) => T) => void;
}

export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<{ key?: string; value?: T; error?: unknown; loading: boolean }>({
    loading: true,
  });
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...(before.key === key && before), loading: true }));
    load(stop.signal).then(
      (value) => stop.signal.aborted || setState({ key, value, loading: false }),
      (error: unknown) =>
        stop.signal.aborted || setState((before) => ({ ...before, key, error, loading: false })),
    );
    return () => stop.abort();
  }, [key, turn, generation.value, token.value]);
  return {
    value: state.value,
    error: state.error,
    loading: state.loading,
    reload: () => setTurn((before) => before + 1),
    replace: (change) =>
      setState((before) =>
        before.value === undefined ? before : { ...before, value: change(before.value) },
      ),
  };
}

// Holds back the work for a run that is paused.

export interface Gate {
  readonly closed: boolean;
  opened(): Promise<void>;
  close(): void;
  open(): void;
}

export function createGate(): Gate {
  let wait: { promise: Promise<void>; resolve: () => void } | undefined;
  const gate: Gate & { closed: boolean } = {
    closed: false,
    opened: () => wait?.promise ?? Promise.resolve(),
    close() {
      if (wait) return;
      gate.closed = true;
      let resolve = (): void => undefined;
      const promise = new Promise<void>((done) => (resolve = done));
      wait = { promise, resolve };
    },
    open() {
      wait?.resolve();
      wait = undefined;
      gate.closed = false;
    },
  };
  return gate;
}

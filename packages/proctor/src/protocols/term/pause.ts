// Where the loop of a paused run waits.

export interface Pause {
  readonly held: boolean;
  over(): Promise<void>;
  hold(): void;
  release(): void;
}

export function createPause(): Pause {
  let held: { over: Promise<void>; release: () => void } | undefined;
  return {
    get held() {
      return held !== undefined;
    },
    over: () => held?.over ?? Promise.resolve(),
    hold() {
      if (held) return;
      let release = (): void => undefined;
      const over = new Promise<void>((resolve) => (release = resolve));
      held = { over, release };
    },
    release() {
      held?.release();
      held = undefined;
    },
  };
}

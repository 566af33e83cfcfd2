// Which of the bytes that were sent to a terminal have been typed into it: a program that reads slowly takes them slowly.

export interface Typing {
  /** Counts bytes that were sent; resolves when they have been typed, or cannot be any more. */
  taken(sentBytes: number): Promise<void>;
  /** Called with the number of bytes that have been typed so far. */
  advance: (typedBytes: number) => void;
}

export function trackTyping(gone: Promise<void>): Typing {
  let sent = 0;
  let waiting: { until: number; resolve: () => void }[] = [];

  function advance(typed: number): void {
    for (const { until, resolve } of waiting) if (until <= typed) resolve();
    waiting = waiting.filter(({ until }) => until > typed);
  }

  return {
    advance,
    async taken(bytes) {
      sent += bytes;
      const until = sent;
      await Promise.race([gone, new Promise<void>((resolve) => waiting.push({ until, resolve }))]);
    },
  };
}

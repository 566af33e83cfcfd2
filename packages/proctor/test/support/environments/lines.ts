// The lines of a stream, one at a time.

export interface Lines {
  /** Those that came and were not taken. */
  readonly waiting: number;
  /** Rejects when the stream ends before there is one. */
  next(): Promise<string>;
}

export function createLines(stream: NodeJS.ReadableStream): Lines {
  const lines: string[] = [];
  let rest = "";
  let ended = false;
  let wake = (): void => undefined;
  stream.on("data", (chunk: Uint8Array) => {
    const parts = (rest + Buffer.from(chunk).toString("utf8")).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    wake();
  });
  stream.on("end", () => {
    ended = true;
    wake();
  });
  return {
    get waiting() {
      return lines.length;
    },
    async next() {
      while (lines.length === 0) {
        if (ended) throw new Error(`the stream ended after "${rest}"`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
      return lines.shift() ?? "";
    },
  };
}

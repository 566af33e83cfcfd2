// The last lines that an agent wrote, for the failure that reports its end. Only whole lines: a line cut in two could hold half a
// secret, which nobody would recognise.

export interface Tail {
  add(line: string): void;
  text(): string;
}

/** Keeps at most this many characters. */
export function createTail(maxChars: number): Tail {
  let lines: string[] = [];
  let first = 0;
  let chars = 0;
  return {
    add(line) {
      const kept = line.length > maxChars ? `(a line of ${line.length} characters)` : line;
      lines.push(kept);
      chars += kept.length + 1;
      for (; chars > maxChars + 1; first++) chars -= (lines[first]?.length ?? 0) + 1;
      if (first < 1024) return;
      lines = lines.slice(first);
      first = 0;
    },
    text: () => lines.slice(first).join("\n"),
  };
}

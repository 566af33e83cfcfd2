// The last words of an agent. Only whole lines: a line cut in two could hold half a secret, which nobody would recognise.

export interface Tail {
  add(line: string): void;
  text(): string;
}

export const TAIL_CHARS = 64 * 1024;

export function createTail(maxChars: number = TAIL_CHARS): Tail {
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

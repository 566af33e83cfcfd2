// The last words of an agent, for the failure that tells of its end. Only whole lines: a line cut in two could hold half
// a secret, which nobody would recognise.

export interface Tail {
  add(line: string): void;
  text(): string;
}

const MAX_CHARS = 2000;

export function createTail(): Tail {
  let lines: string[] = [];
  let chars = 0;
  return {
    add(line) {
      const kept = line.length > MAX_CHARS ? `(a line of ${line.length} characters)` : line;
      lines.push(kept);
      chars += kept.length + 1;
      while (chars > MAX_CHARS + 1) chars -= (lines.shift()?.length ?? 0) + 1;
    },
    text: () => lines.join("\n"),
  };
}

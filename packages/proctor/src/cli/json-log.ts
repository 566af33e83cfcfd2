// Structured log lines, one JSON object each, written together once per turn of the loop.

interface JsonLog {
  (entry: object): void;
  flush(): void;
}

export function createJsonLog(write: (text: string) => void): JsonLog {
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length === 0) return;
    const text = lines.join("");
    lines = [];
    write(text);
  };
  const log = (entry: object): void => {
    if (lines.push(`${JSON.stringify(entry)}\n`) === 1) setImmediate(flush);
  };
  return Object.assign(log, { flush });
}

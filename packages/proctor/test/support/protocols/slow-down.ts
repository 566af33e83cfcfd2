// A recording whose agent took years: whoever waits for the recorded times when it is played hangs.
import { readFileSync, writeFileSync } from "node:fs";

export function slowDown(file: string): void {
  const lines = readFileSync(file, "utf8").split("\n");
  const slow = lines.map((line) =>
    line.replace(/"at_ms":(\d+(?:\.\d+)?)/, (_, ms: string) => `"at_ms":${Number(ms) * 1e9 + 1e9}`),
  );
  writeFileSync(file, slow.join("\n"));
}

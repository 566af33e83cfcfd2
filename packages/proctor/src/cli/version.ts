// The program's version, from its package.json: the same place from src/ and from dist/.
import { readFileSync } from "node:fs";

export function version(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  // Our own package.json, which npm refuses to install without a version.
  return (JSON.parse(text) as { version: string }).version;
}

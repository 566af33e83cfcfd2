// The script of the page: the text of its parts, put together. README.md says why it is made this way.
import { PARTS } from "./page/parts.ts";
import { startPage } from "./page/start-page.ts";

export function pageScript(): string {
  const parts = Object.entries(PARTS).map(([name, part]) => `${name}: ${part.toString()}`);
  const script = [
    '"use strict";',
    // Run from its source, the program has each function named by a call of this.
    "const __name = (named) => named;",
    `const parts = {\n${parts.join(",\n")}\n};`,
    `(${startPage.toString()})(globalThis, parts);`,
  ].join("\n");
  return inScript(script);
}

/** Ends no element that it stands in, and is read as it was written: a parser makes `\n` of `\r\n`, a hash would not fit. */
function inScript(script: string): string {
  return script.replaceAll("\r\n", "\n").replaceAll(/<(?=\/script|!--)/gi, "\\x3c");
}

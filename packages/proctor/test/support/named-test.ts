// Finds the tests that a document names, as `file` › "title": each must exist under exactly this title.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A test as a table names it: the file, and the title. */
export const NAMED = /^`([^`]+)` › "(.*)"$/;

const program = fileURLToPath(new URL("../../", import.meta.url));
const checkout = fileURLToPath(new URL("../../../../", import.meta.url));

/** Undefined when the file has a test with exactly this title, placeholders included. `here` is the folder of the document. */
export function titleProblem(here: string, file: string, title: string): string | undefined {
  const path = pathOf(here, file);
  if (!/\.(?:test|case)\.ts$/.test(file) || !existsSync(path)) return `there is no ${file}`;
  const literal = title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // Behind `it(` or `test(`, or behind the closing parenthesis of `.each(…)`.
  const call = new RegExp(`(?:\\b(?:it|test)|\\))\\(\\s*(["'\`])${literal}\\1,`);
  return call.test(readFileSync(path, "utf8")) ? undefined : `${file} has no test "${title}"`;
}

/** Paths are from the document's folder, from that of the program (src/, test/), or from the checkout (sdk/). */
function pathOf(here: string, file: string): string {
  if (/^(?:src|test)\//.test(file)) return join(program, file);
  return join(file.startsWith("sdk/") ? checkout : here, file);
}

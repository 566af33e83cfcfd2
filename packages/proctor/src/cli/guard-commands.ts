// The output of this program inside GitHub Actions. The runner there takes commands from what steps print: a line that begins
// with `::`, after any blanks, or that holds `##[` anywhere. What agents and files say must never be one, so every such
// place is written with an escape, which in a string of JSON still means the same. See actions/runner, ActionCommand.cs.
import type { CliOutput } from "./cli-io.ts";

/** Matches blanks and colours, and what may be a byte of a blank: more than the runner itself skips. */
const BLANKS = String.raw`(?:[^\S\n\r]|[\u0080-\u00ff]|\u001b\[[0-9;]*m)*`;
const COMMAND = new RegExp(`(?<=[\\n\\r]${BLANKS}):(?=:)`, "g");
const FIRST_COMMAND = new RegExp(`^(${BLANKS}):(?=:)`);
const ONLY_BLANKS = new RegExp(`^${BLANKS}$`);
const BLANKS_AND_COLON = new RegExp(`^${BLANKS}:$`);

/** Content of the current line so far: blanks only, blanks and a colon, or anything else. */
type Line = "blank" | "colon" | "text";

export function guardCommands(output: CliOutput): CliOutput {
  let line: Line = "blank";
  /** Number of `#` at the end of what was written, at most two. */
  let hashes = 0;

  function guard(text: string): string {
    if (text === "") return text;
    let safe = text.replaceAll(COMMAND, String.raw`\u003a`).replaceAll("##[", String.raw`##\u005b`);
    if (line === "blank") safe = safe.replace(FIRST_COMMAND, String.raw`$1\u003a`);
    if (line === "colon" && text.startsWith(":")) safe = String.raw`\u003a${safe.slice(1)}`;
    const begun = `${"#".repeat(hashes)}${text}`;
    if (hashes > 0 && begun.startsWith("##[")) safe = safe.replace("[", String.raw`\u005b`);
    line = lineAfter(line, text);
    hashes = Math.min(2, /#*$/.exec(begun)?.[0].length ?? 0);
    return safe;
  }

  return {
    ...(output.isTTY !== undefined && { isTTY: output.isTTY }),
    get columns() {
      return output.columns;
    },
    once: (event, listener) => output.once?.(event, listener),
    write: (content) => output.write(guardContent(content, guard)),
    writeCommand(text) {
      line = lineAfter(line, text);
      hashes = 0;
      return output.write(text);
    },
  };
}

function lineAfter(before: Line, text: string): Line {
  const end = text.slice(Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
  const isNew = end.length < text.length;
  if (!isNew && (before === "text" || before === "colon")) return "text";
  if (ONLY_BLANKS.test(end)) return "blank";
  return BLANKS_AND_COLON.test(end) ? "colon" : "text";
}

/** Bytes are read as latin1: only ASCII matters here, and nothing is lost. */
function guardContent(content: string | Uint8Array, guard: (text: string) => string): string | Uint8Array {
  if (typeof content === "string") return guard(content);
  return Buffer.from(guard(Buffer.from(content).toString("latin1")), "latin1");
}

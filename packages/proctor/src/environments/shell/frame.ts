// How a command travels into a shell that reads its script from a pipe, and how its end comes back. Nothing in a command can break
// out of its frame, and nothing it prints can be taken for its end, which is not known to the shell while the command runs.
import { randomFillSync } from "node:crypto";

export type ShellKind = "bash" | "sh";

/** The byte that begins the end of a command: then come its marker, the exit code, the directory and NUL. */
export const MARKER_BYTE = "\u001e";

/** The descriptor that ends of commands are written to. It is open in the shell and closed in commands, wherever their output goes. */
const DONE_FD = { bash: "237", sh: "9" } as const satisfies Record<ShellKind, string>;
/** How each shell evaluates a command: an error in `eval` ends a plain sh, unless it stands behind `command`. */
const EVAL = { bash: "eval", sh: "command eval" } as const satisfies Record<ShellKind, string>;

/** Length from which a command is read as one block: the shell reads its script byte by byte, which is ten times slower. */
const LONG = 2048;

/** Makes a new shell ready, in `cwd`, or in `otherwise` if that cannot be entered; then its code is not 0. */
export function framePrologue(
  kind: ShellKind,
  { cwd, otherwise, marker }: { cwd: string; otherwise: string; marker: string },
): string {
  const fd = DONE_FD[kind];
  return [
    `exec 2>&1 ${fd}>&1`,
    // The exit code is kept for the next command's $?.
    `__proctor() { local code="$?"; printf '\\036%s %s %s\\0' "$1" "$code" "\${PWD-}" >&${fd}; return "$code"; }`,
    `cd -- ${quote(cwd)} 2>/dev/null || { cd -- ${quote(otherwise)} 2>/dev/null; false; }`,
    `__proctor ${marker}`,
    // There was no directory before the first.
    "unset OLDPWD",
    "",
  ].join("\n");
}

export function frameCommand(kind: ShellKind, command: string, marker: string): string {
  const fd = DONE_FD[kind];
  const scope = `</dev/null ${fd}>&-`;
  // `&& :` keeps `set -e` from ending the shell here; the braces keep `set -x` from showing this. After a command that ended in the
  // middle of something, bash knows braces only behind a new line.
  const done = `\n{ __proctor ${marker}&&:;} 2>&-\n`;
  if (kind === "sh" || command.length < LONG) return `${EVAL[kind]} ${quote(command)} ${scope}\n${done}`;
  const block = asciiOnly(command) ? command : `eval ${escape(command)}`;
  return [
    // The shell counts characters in its own encoding; in ASCII there are as many as bytes.
    `IFS= read -r -N ${block.length} __proctor_text\n${block}`,
    `eval "unset __proctor_text;"$'\\n'"$__proctor_text" ${scope}\n${done}`,
  ].join("");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function asciiOnly(text: string): boolean {
  return !/[^\p{ASCII}]/u.test(text);
}

/** Returns the bytes of a text in bash notation that is pure ASCII. */
function escape(text: string): string {
  let escaped = "";
  for (const byte of Buffer.from(text, "utf8")) {
    if (byte >= 0x80) escaped += `\\x${byte.toString(16)}`;
    else if (byte === 0x27 || byte === 0x5c) escaped += `\\${String.fromCharCode(byte)}`;
    else escaped += String.fromCharCode(byte);
  }
  return `$'${escaped}'`;
}

const MARKER_BYTES = 9;
const pool = Buffer.alloc(MARKER_BYTES * 256);
let used = pool.length;

/** Returns a random text of letters, digits, `-` and `_`. */
export function createMarker(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const marker = pool.toString("base64url", used, used + MARKER_BYTES);
  used += MARKER_BYTES;
  return marker;
}

// Finds the shell's own word that it is ready again in what a screen is sent: an escape sequence before each prompt, with the exit
// code and the directory. Terminals do not show it (OSC 133, as shells and terminals agreed).
import { randomBytes } from "node:crypto";

export interface PromptWatch {
  /** Variables that make bash print the marks. */
  readonly env: Record<string, string>;
  /** Variables that make a plain sh print the marks. */
  readonly plainEnv: Record<string, string>;
  push(piece: Buffer): void;
  /** Number of prompts so far. */
  readonly count: number;
  /** True when no line was begun since the last prompt. */
  readonly atPrompt: boolean;
  readonly exitCode: number;
  readonly cwd: string | undefined;
}

const BEGIN = Buffer.from("\u001b]133;D;");
const BELL = 7;
const NEWLINE = 10;
/** Bytes of the longest mark: a path and a number are shorter. */
const MAX_MARK_BYTES = 8192;

export function createPromptWatch(token: string = randomBytes(8).toString("hex")): PromptWatch {
  let held: Buffer = Buffer.alloc(0);
  let count = 0;
  let atPrompt = false;
  let exitCode = 0;
  let cwd: string | undefined;

  /** Reads a mark; returns true when it is one of ours. */
  function read(mark: Buffer): boolean {
    const [, code = "", own, path] = /^(\d{1,3});([0-9a-f]+);([^]*)$/.exec(mark.toString("utf8")) ?? [];
    if (own !== token || path === undefined) return false;
    count++;
    atPrompt = true;
    exitCode = Number(code);
    if (path !== "") cwd = path;
    return true;
  }

  function sawLines(bytes: Buffer): void {
    if (atPrompt && bytes.includes(NEWLINE)) atPrompt = false;
  }

  return {
    env: {
      PROMPT_COMMAND: String.raw`printf '\033]133;D;%s;${token};%s\007' "$?" "${"${PWD//[$'\\a'$'\\e'$'\\n']/?}"}"`,
      PS1: String.raw`\u@\h:\w\$ `,
    },
    plainEnv: { PS1: `\u001b]133;D;$?;${token};$PWD\u0007$PWD$ ` },
    push(piece) {
      const bytes = held.length > 0 ? Buffer.concat([held, piece]) : piece;
      let from = 0;
      for (;;) {
        const begin = bytes.indexOf(BEGIN, from);
        if (begin === -1) break;
        const end = bytes.indexOf(BELL, begin);
        if (end === -1 || end - begin > MAX_MARK_BYTES) {
          if (bytes.length - begin <= MAX_MARK_BYTES) {
            sawLines(bytes.subarray(from, begin));
            held = Buffer.from(bytes.subarray(begin));
            return;
          }
          from = begin + BEGIN.length;
          continue;
        }
        sawLines(bytes.subarray(from, begin));
        from = read(bytes.subarray(begin + BEGIN.length, end)) ? end + 1 : begin + BEGIN.length;
      }
      const rest = bytes.subarray(from);
      const cut = beginningAtEnd(rest);
      sawLines(rest.subarray(0, rest.length - cut));
      held = cut === 0 ? EMPTY : Buffer.from(rest.subarray(rest.length - cut));
    },
    get count() {
      return count;
    },
    get atPrompt() {
      return atPrompt;
    },
    get exitCode() {
      return exitCode;
    },
    get cwd() {
      return cwd;
    },
  };
}

const EMPTY = Buffer.alloc(0);

/** Returns how many bytes at the end may be the beginning of a mark. */
function beginningAtEnd(bytes: Buffer): number {
  const escape = bytes.lastIndexOf(0x1b);
  if (escape === -1 || bytes.length - escape >= BEGIN.length) return 0;
  const tail = bytes.subarray(escape);
  return BEGIN.subarray(0, tail.length).equals(tail) ? tail.length : 0;
}

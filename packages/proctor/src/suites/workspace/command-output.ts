// What a program wrote, as messages and details of a verdict show it: its end, without colours.
import { stripVTControlCharacters } from "node:util";
import type { JsonObject } from "../../core/json.ts";
import type { CommandResult } from "../../core/ports/commands.ts";
import { quote } from "../../core/printable.ts";

const MESSAGE_CHARS = 300;
const DETAIL_CHARS = 4000;

export type Hide = (text: string) => string;

const same: Hide = (text) => text;

/** `exited with 1`, `was ended by SIGSEGV`. */
export function howItEnded({ code, signal }: CommandResult): string {
  return code === null ? `was ended by ${signal ?? "a signal"}` : `exited with ${code}`;
}

/** `; it wrote "…"`, or nothing where it wrote nothing. What went wrong mostly stands on stderr. */
export function wrote({ stdout, stderr }: CommandResult, hide: Hide = same): string {
  const text = endOf(stderr.trim() === "" ? stdout : stderr, MESSAGE_CHARS, hide);
  return text === "" ? "" : `; it wrote ${quote(text, MESSAGE_CHARS + 1)}`;
}

export function outputDetails(result: CommandResult, hide: Hide = same): JsonObject {
  const { code, signal, stdout, stderr, truncated, durationMs } = result;
  return {
    exit_code: code,
    ...(signal !== null && { signal }),
    stdout: endOf(stdout, DETAIL_CHARS, hide),
    stderr: endOf(stderr, DETAIL_CHARS, hide),
    ...(truncated && { output_cut: true }),
    duration_ms: Math.round(durationMs),
  };
}

export function withoutColours(text: string): string {
  return stripVTControlCharacters(text);
}

/** Hidden before it is cut: half a secret would not be found. */
function endOf(text: string, limit: number, hide: Hide): string {
  const whole = hide(withoutColours(text)).trim();
  return whole.length > limit ? `…${whole.slice(1 - limit)}` : whole;
}

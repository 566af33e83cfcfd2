// What trying one rule came to, and the dialog that shows it.
import type { JsonObject } from "../../../core/json.ts";
import type { Transcript } from "./dialog.ts";
import type { Trial } from "./trial.ts";

export interface Finding {
  outcome: "pass" | "fail" | "unevaluated";
  reason?: string;
  transcript?: Transcript;
}

/** Tries one rule. */
export type Check = (trial: Trial) => Promise<Finding>;

export const pass = (transcript?: Transcript): Finding => ({
  outcome: "pass",
  ...(transcript && { transcript }),
});

export const fail = (reason: string, transcript: Transcript): Finding => ({
  outcome: "fail",
  reason,
  transcript,
});

export const unevaluated = (reason: string, transcript?: Transcript): Finding => ({
  outcome: "unevaluated",
  reason,
  ...(transcript && { transcript }),
});

/** Fails with the first problem there is. */
export function judge(transcript: Transcript, problems: Iterable<string | undefined>): Finding {
  for (const problem of problems) if (problem !== undefined) return fail(problem, transcript);
  return pass(transcript);
}

/** How it ended, where it gave no answer. */
export function describeSilence({ exit, notStarted, overtime, stderr }: Transcript): string {
  if (notStarted !== undefined) return notStarted;
  if (overtime) return "it gave no answer in time, with its input open";
  const said = stderr.findLast((line) => /^\S*(Error|Exception)\b/.test(line)) ?? stderr.at(-1);
  const words = said === undefined ? "" : `; stderr: ${shorten(said.trim(), 160)}`;
  if (exit?.signal != null) return `it was ended by ${exit.signal} without an answer${words}`;
  return `it exited with code ${exit?.code ?? "?"} without an answer${words}`;
}

const SHOWN_CHARS = 400;
const SHOWN_LINES = 6;

/** What was sent and what came back, short enough to read. `hide` takes secrets out, before anything is cut. */
export function describeTranscript(transcript: Transcript, hide: (text: string) => string): JsonObject {
  const { sent, stdout, stderr, exit, overtime, notStarted, startedAt } = transcript;
  const show = (text: string): string => shorten(hide(text), SHOWN_CHARS);
  const received = [
    ...stdout.map(({ text }) => ({ channel: "stdout", text: show(text) })),
    ...stderr.slice(-SHOWN_LINES).map((text) => ({ channel: "stderr", text: show(text) })),
  ];
  return {
    sent: show(sent.at(-1) ?? ""),
    received: received.slice(0, SHOWN_LINES),
    ...(received.length > SHOWN_LINES && { more_messages: received.length - SHOWN_LINES }),
    ended: {
      ...(overtime && { overtime }),
      ...(notStarted !== undefined && { error: show(notStarted) }),
      ...(exit && { exit_code: exit.code, signal: exit.signal, leftover: exit.leftover }),
    },
    duration_ms: Math.round(performance.now() - startedAt),
  };
}

export function shorten(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars)}… (${text.length} characters)`;
}

/** A value an agent sent, as it may stand in a sentence. */
export function quote(value: unknown): string {
  return value === undefined ? "missing" : shorten(JSON.stringify(value), 80);
}

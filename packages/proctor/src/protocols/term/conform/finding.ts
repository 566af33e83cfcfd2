// What trying one rule of document 002 showed, and how the dialog behind it is reported.
import type { JsonObject } from "../../../core/json.ts";
import { errorLine, evidenceText, firstMessages, type Finding } from "../../../conformance/finding.ts";
import type { Transcript } from "./dialog.ts";
import type { Trial } from "./trial.ts";

export type TermFinding = Finding<Transcript>;

/** Tries one rule. */
export type Check = (trial: Trial) => Promise<TermFinding>;

/** Returns how an agent that gave no answer ended. */
export function describeSilence({ exit, notStarted, overtime, stderr }: Transcript): string {
  if (notStarted !== undefined) return notStarted;
  if (overtime) return "it gave no answer in time, with its input open";
  const said = errorLine(stderr);
  const words = said === undefined ? "" : `; stderr: ${said}`;
  if (exit?.signal != null) return `it was ended by ${exit.signal} without an answer${words}`;
  return `it exited with code ${exit?.code ?? "?"} without an answer${words}`;
}

const SHOWN_ERROR_LINES = 6;

/** Returns the dialog as JSON, short enough to read. */
export function describeTranscript(transcript: Transcript, hide: (text: string) => string): JsonObject {
  const { sent, stdout, stderr, exit, overtime, notStarted, startedAt } = transcript;
  const show = (text: string): string => evidenceText(text, hide);
  const received = [
    ...stdout.map(({ text }) => ({ channel: "stdout", text })),
    ...stderr.slice(-SHOWN_ERROR_LINES).map((text) => ({ channel: "stderr", text })),
  ];
  return {
    sent: show(sent.at(-1) ?? ""),
    ...firstMessages(received, ({ channel, text }) => ({ channel, text: show(text) })),
    ended: {
      ...(overtime && { overtime }),
      ...(notStarted !== undefined && { error: show(notStarted) }),
      ...(exit && { exit_code: exit.code, signal: exit.signal, leftover: exit.leftover }),
    },
    duration_ms: Math.round(performance.now() - startedAt),
  };
}

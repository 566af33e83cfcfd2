// A conversation as lines of text, for reports with little room: a heading for each turn with its verdict, then who said what.
import { lineText } from "../talk/thread-lines.ts";
import type { AttemptResult, CaseResult } from "../result.ts";
import { shorten } from "../../core/shorten.ts";
import type { Thread } from "../thread.ts";

interface ThreadLimits {
  lines: number;
  /** Most characters of one line. */
  characters: number;
}

/** The conversation of the first run that is no pass, or of the first of all; undefined where the test has none. */
export function threadToShow({ attempts }: CaseResult): AttemptResult | undefined {
  const talked = attempts.filter(({ thread }) => thread !== undefined);
  return talked.find(({ outcome }) => outcome !== "pass") ?? talked[0];
}

export function threadWords({ turns, ended }: Thread, limits: ThreadLimits): string[] {
  const all = turns.flatMap(({ turn, status, outcome, lines, lines_left_out: leftOut }) => {
    const about = [status === "completed" ? "" : status, outcome ?? ""].filter((word) => word !== "");
    return [
      `turn ${turn}${about.length === 0 ? "" : ` (${about.join(", ")})`}`,
      ...lines.map((line) => `  ${shorten(lineText(line).replaceAll(/\s*\n\s*/g, " "), limits.characters)}`),
      ...(leftOut === 0 ? [] : [`  … and ${leftOut} more`]),
    ];
  });
  const shown = all.slice(0, limits.lines);
  const more = all.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`… and ${more} more lines`]), `ended: ${ENDS[ended]}`];
}

const ENDS: Record<Thread["ended"], string> = {
  script: "all turns were played",
  goal_reached: "the user has what it wants",
  text: "the agent said the words that end it",
  max_turns: "the user had no turn left",
  run: "the run did not complete",
  question: "the agent's question has no answer",
  limit: "a limit is used up",
  simulator: "the user's side failed",
  not_supported: "the agent cannot go on with a conversation",
};

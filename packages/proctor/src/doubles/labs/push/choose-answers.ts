// Which of the script's answers a delivery gets: each counts the deliveries to its path by itself.
import type { PushAnswer } from "../../../core/push-script.ts";
import { createTurns, type Turns } from "../take-turns.ts";

export function createAnswerPlan(answers: readonly PushAnswer[]): Turns<PushAnswer, string> {
  return createTurns(answers, ({ path }, asked: string) => path === undefined || path === asked);
}

/** Returns the names of an answer's effects for the log. */
export function answerNames({ delay_ms: delay, never, cut, redirect, status }: PushAnswer): string[] {
  return [
    ...(delay === undefined ? [] : ["slow"]),
    ...(never === true ? ["never"] : []),
    ...(cut === true ? ["cut"] : []),
    ...(redirect === undefined ? [] : ["redirect"]),
    ...(status === undefined ? [] : [`status ${status}`]),
  ];
}

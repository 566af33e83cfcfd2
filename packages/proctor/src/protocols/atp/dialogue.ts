// What an ATP agent says over a transport that carries whole messages (HTTP, WebSocket, gRPC), turned into reports. One
// dialogue is one task. Where the messages come from, and what their absence means, is the transport's business.
import type { Violation } from "../../core/event.ts";
import { failure, type Failure } from "../../core/failure.ts";
import type { Json } from "../../core/json.ts";
import type { AgentReport, Job } from "../../core/ports/driver.ts";
import { reportAnswer } from "./answer.ts";
import { createAtpReader, type AtpLine } from "./reader.ts";
import { createReportList, type ReportList } from "./report-list.ts";
import type { CompatResponse } from "./wire.ts";

export interface Dialogue {
  /** Takes one message. `expected` is the kind that the transport gives it, if it does. */
  hear(message: string | { json: Json }, expected?: "event" | "response"): AgentReport[];
  /** Reports a violation that the transport noticed. */
  object(violation: Violation): AgentReport[];
  /** True once the agent has given a usable response; later messages do not count. */
  readonly answered: boolean;
  /** True once the agent has given any response, usable or not. */
  readonly finished: boolean;
  /** Called after the last message. Reports the artifacts and the end; `silence` is the failure when no usable response came. */
  conclude(silence: Failure): AgentReport[];
}

const ARTICLES = { event: "an event", response: "a response" };

export function createDialogue(job: Job): Dialogue {
  const reader = createAtpReader(job.runId);
  let response: CompatResponse | undefined;
  let unusable: Violation | undefined;

  function take(line: AtpLine, text: string | undefined, reports: ReportList): void {
    switch (line.kind) {
      case "event":
        reports.event(line.event);
        break;
      case "response":
        if (response) {
          reports.violation({
            rule: "atp.response.repeated",
            message: "another response came; the first counts",
          });
        } else {
          response = line.response;
          dialogue.answered = true;
          dialogue.finished = true;
        }
        break;
      case "unusable":
        [unusable] = line.violations;
        dialogue.finished ||= unusable !== undefined;
        if (text !== undefined) reports.log("message", text);
        break;
      case "other":
        if (text !== undefined) reports.log("message", text);
        if (line.violations.length === 0) {
          reports.violation({ rule: "atp.message", message: "neither an event nor a response" });
        }
        break;
    }
    for (const violation of line.violations) reports.violation(violation);
  }

  const dialogue: Dialogue & { answered: boolean; finished: boolean } = {
    answered: false,
    finished: false,
    hear(message, expected) {
      const reports = createReportList();
      const text = typeof message === "string" ? message.trim() : undefined;
      const line =
        text === undefined ? reader.readMessage((message as { json: Json }).json) : reader.read(text);
      take(line, text, reports);
      const found = line.kind === "unusable" ? "response" : line.kind;
      if (expected !== undefined && found !== "other" && found !== expected) {
        reports.violation({
          rule: "atp.frame",
          message: `expected ${ARTICLES[expected]}, and it is ${ARTICLES[found]}`,
        });
      }
      return reports.list;
    },
    object(violation) {
      const reports = createReportList();
      reports.violation(violation);
      return reports.list;
    },
    conclude(silence) {
      const reports = createReportList();
      if (response) reportAnswer(response, reports);
      else {
        const failed = unusable
          ? failure("INVALID_RESPONSE", `the agent's response cannot be used: ${unusable.message}`)
          : silence;
        reports.list.push({ kind: "end", end: { status: "failed", failure: failed } });
      }
      return reports.list;
    },
  };
  return dialogue;
}

// An answer that is one JSON document.
import { isUtf8 } from "node:buffer";
import type { WholeBody } from "../../channels/http/read-body.ts";
import { failure, type Failure } from "../../core/failure.ts";
import type { Json } from "../../core/json.ts";
import { inexactViolations } from "../../core/json-numbers.ts";
import type { AgentReport } from "../../core/ports/driver.ts";
import { excerpt, parseAny } from "../http-refusal.ts";
import { noteReport, violationReport } from "../reports.ts";
import { sketch } from "../sketch.ts";
import { decodeAside, type Aside } from "./codec.ts";
import { guessAnswer } from "./guess.ts";
import type { RestOptions } from "./options.ts";

/** The answer, or why there is none. */
export type Conclusion = { output: Json } | { failure: Failure };

export interface WholeAnswer extends Partial<Pick<Aside, "conversationId" | "metrics">> {
  reports: AgentReport[];
  concluded: Conclusion;
}

export function readWholeAnswer(body: WholeBody, options: RestOptions): WholeAnswer {
  const reports: AgentReport[] = [];
  if (!isUtf8(body.bytes)) {
    reports.push(violationReport({ rule: "line.encoding", message: "not valid UTF-8", where: "body" }));
  }
  const text = body.bytes.toString();
  if (text.trim() === "")
    return {
      reports,
      concluded: { failure: failure("NO_RESPONSE", "the agent answered with an empty body") },
    };
  const document = parseAny(text);
  if (document === undefined) {
    const unreadable = failure(
      "INVALID_RESPONSE",
      "the agent's answer is not valid JSON, or nested too deeply",
    );
    return { reports: [...reports, ...excerpt(body)], concluded: { failure: unreadable } };
  }
  reports.push(...inexactViolations(text).map(violationReport));
  const { error, violations, ...aside } = decodeAside(document, options);
  reports.push(...violations.map(violationReport));
  if (error) return { ...aside, reports, concluded: { failure: error } };
  const { output, note } = findOutput(document, options);
  if (note !== undefined) reports.push(noteReport(note));
  return {
    ...aside,
    reports,
    concluded: output === undefined ? { failure: nowhere(document, options) } : { output },
  };
}

function findOutput(document: Json, { answer }: RestOptions): { output: Json | undefined; note?: string } {
  if (answer) return { output: answer.find(document) };
  if (typeof document === "string") return { output: document };
  const place = guessAnswer(document);
  if (place === undefined) return { output: undefined };
  const note = `the answer was taken from "${place.name}" (options.answer says where it is)`;
  return { output: place.find(document), note };
}

function nowhere(document: Json, { answer }: RestOptions): Failure {
  const what = answer
    ? `there is nothing at "${answer.name}" in the agent's answer`
    : "the agent's answer has no text in any of the usual places: say where it is with options.answer";
  return failure("INVALID_RESPONSE", `${what}: ${sketch(document)}`, { path: answer?.name ?? null });
}

// How agents whose only words are text express what the shared cases of drivers need: one JSON object a line, with its kind.
import { isJsonObject, type JsonObject } from "../../../src/core/json.ts";
import type { AgentReport } from "../../../src/core/ports/driver.ts";
import { parseObject } from "../../../src/core/parse-object.ts";

export function saidLine(kind: string, payload: JsonObject): JsonObject {
  return { ...payload, kind };
}

/** The kinds of the lines that were said. */
export function heardKinds(reports: readonly AgentReport[]): string[] {
  return kindsIn(reports.map((report) => (report.kind === "text" ? report.text : "")).join(""));
}

function kindsIn(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const said = parseObject(line);
    return isJsonObject(said) && typeof said["kind"] === "string" ? [said["kind"]] : [];
  });
}

/** The kinds of the objects that were logged, one a line. */
export function loggedKinds(reports: readonly AgentReport[]): string[] {
  const logged = reports.flatMap((report) =>
    report.kind === "event" && report.event.type === "log" ? [report.event.payload.text] : [],
  );
  return kindsIn(logged.join("\n"));
}

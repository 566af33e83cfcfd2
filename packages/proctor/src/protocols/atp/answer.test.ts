// What a response brings, artifact by artifact: one that cannot be read spoils neither the others nor the end.
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Json } from "../../core/json.ts";
import type { AgentReport } from "../../core/ports/driver.ts";
import { reportAnswer } from "./answer.ts";
import { createReportList } from "./report-list.ts";

function answer(...artifacts: Json[]): AgentReport[] {
  const reports = createReportList();
  reportAnswer({ status: "completed", artifacts, metrics: {} }, reports);
  return reports.list;
}

describe("a response with artifacts", () => {
  it("brings a file of 7 MB as base64, and a text of that size without blanks", () => {
    const bytes = randomBytes(7_000_000);
    const text = "x".repeat(7_000_000);
    const [image, note, end] = answer(
      { type: "file", path: "a.png", content_type: "image/png", content: bytes.toString("base64") },
      { type: "file", path: "a.txt", content: text },
    );
    expect(image?.kind === "artifact" && Buffer.from(contentOf(image)).equals(bytes)).toBe(true);
    expect(note?.kind === "artifact" && Buffer.from(contentOf(note)).toString() === text).toBe(true);
    expect(end).toMatchObject({ kind: "end", end: { status: "completed" } });
  });

  it("keeps the others when one of them cannot be decoded, and says which", () => {
    const broken = Object.defineProperty({ type: "file", path: "b" }, "content", {
      enumerable: true,
      get: () => {
        throw new RangeError("too much");
      },
    });
    const reports = answer({ type: "file", path: "a", content: "1" }, broken, {
      type: "file",
      path: "c",
      content: "3",
    });
    expect(reports).toMatchObject([
      { kind: "artifact", artifact: { path: "a" } },
      {
        kind: "event",
        event: { type: "violation", payload: { rule: "atp.artifact", where: "artifacts.1" } },
      },
      { kind: "artifact", artifact: { path: "c" } },
      { kind: "end", end: { status: "completed" } },
    ]);
  });
});

function contentOf(report: AgentReport & { kind: "artifact" }): Uint8Array {
  const { artifact } = report;
  return ("content" in artifact && artifact.content) || new Uint8Array();
}

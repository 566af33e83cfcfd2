import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Job } from "../../core/ports/driver.ts";
import { encodeRequest } from "./codec.ts";
import { atpEvent, atpRequest, atpResponse } from "./wire.ts";

const schemas = { request: atpRequest, response: atpResponse, event: atpEvent };
const corpus = new URL("./corpus/", import.meta.url);

describe("the ATP wire schemas, strict profile (document 000)", () => {
  it.each(filesIn(corpus))("accepts %s and loses nothing of it", (file) => {
    const message: unknown = JSON.parse(readFileSync(new URL(file, corpus), "utf8"));
    expect(schemaOf(file).parse(message)).toEqual(message);
  });

  const invalid = new URL("./corpus/invalid/", import.meta.url);
  it.each(filesIn(invalid))("refuses %s at its place", (file) => {
    const { path, message } = JSON.parse(readFileSync(new URL(file, invalid), "utf8")) as {
      path: string;
      message: unknown;
    };
    const result = schemaOf(file).safeParse(message);
    expect(result.error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });

  it("keeps fields of a later minor version", () => {
    const event = { ...readCorpus("event-progress.json"), version: "1.7", spice: { hot: true } };
    expect(atpEvent.parse(event)).toEqual(event);
  });

  it("accepts the time stamps that the document's own Python agent prints", () => {
    const event = { ...readCorpus("event-progress.json"), timestamp: "2025-01-21T10:30:45.123456+00:00" };
    expect(atpEvent.safeParse(event).success).toBe(true);
  });
});

describe("what we send", () => {
  const job: Job = {
    runId: "550e8400-e29b-41d4-a716-446655440000",
    spec: { protocol: "atp", transport: "stdio", command: ["x"] },
    task: { description: "do", expected_artifacts: [{ type: "file", name: "report.md" }] },
    constraints: { allowed_tools: null, budget_usd: 1 },
    context: { environment: { API_KEY: "k" } },
    metadata: {},
    traceId: "1".repeat(32),
  };

  it("is strict, with the default timeout of 300 said out loud", () => {
    const request = encodeRequest(job);
    expect(atpRequest.parse(request)).toEqual(request);
    expect(request.constraints).toEqual({ timeout_seconds: 300, budget_usd: 1 });
  });

  it("tells no tools ([]) from all tools (absent)", () => {
    const none = encodeRequest({ ...job, constraints: { allowed_tools: [] } });
    expect(none.constraints?.allowed_tools).toEqual([]);
    expect(encodeRequest(job).constraints).not.toHaveProperty("allowed_tools");
  });
});

function filesIn(folder: URL): string[] {
  return readdirSync(folder).filter((file) => file.endsWith(".json"));
}

function schemaOf(file: string): (typeof schemas)[keyof typeof schemas] {
  return schemas[file.split("-")[0] as keyof typeof schemas];
}

function readCorpus(file: string): object {
  return JSON.parse(readFileSync(new URL(file, corpus), "utf8")) as object;
}

// One script, reached by a hub over A2A and over ATP: what the agent says and leaves is the same.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { directive, startAgent } from "../../../test/support/doubles/scripted.ts";
import { openTestHub, type TestHub } from "../../../test/support/test-hub.ts";
import { artifactName } from "../../core/artifact.ts";
import type { JsonObject } from "../../core/json.ts";
import { createScript, type Turn } from "./script.ts";

let hub: TestHub;
beforeAll(async () => {
  hub = await openTestHub();
});
afterAll(() => hub.close());

const status = (state: string, text: string): JsonObject => ({
  kind: "status-update",
  status: { state, message: { role: "agent", parts: [{ kind: "text", text }] } },
});
const report = {
  kind: "artifact-update",
  artifact: {
    artifactId: "a",
    name: "report.csv",
    parts: [{ kind: "file", file: { name: "report.csv", mimeType: "text/csv", bytes: "bmFtZSx2YWx1ZQo=" } }],
  },
};
const turns = (...events: JsonObject[]): readonly Turn[] => [{ events: events.map((event) => ({ event })) }];

const ADDRESSES: [string, (url: string) => string][] = [
  ["A2A", (url) => `a2a+${url}`],
  ["ATP over HTTP", (url) => `atp+${url}`],
  ["ATP over a WebSocket", (url) => `atp+${url.replace("http", "ws")}`],
];

describe.each(ADDRESSES)("a script that a hub reaches over %s", (_protocol, address) => {
  it("completes the run and leaves its artifact", async () => {
    const fallback = createScript(
      "report",
      turns(status("working", "Starting work..."), report, status("completed", "Done.")),
    );
    const { url } = await startAgent({ script: { fallback } });
    const { run } = await hub.hub.submit({ agent: address(url), task: { description: "Write the report" } });
    const ended = await hub.ended(run.id);
    expect([ended.status, ended.failure]).toEqual(["completed", null]);
    expect(ended.artifacts.map(artifactName)).toContain("report.csv");
    const artifact = ended.artifacts.find((one) => artifactName(one) === "report.csv");
    const chunks: Uint8Array[] = [];
    for await (const chunk of await hub.hub.readArtifact(run.id, artifact?.id ?? "")) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("name,value\n");
  });

  it("fails the run as the script does", async () => {
    const fallback = createScript(
      "failure",
      turns(status("working", "Starting"), status("failed", "out of ink")),
    );
    const { url } = await startAgent({ script: { fallback } });
    const { run } = await hub.hub.submit({ agent: address(url), task: { description: "Write the report" } });
    const { status: outcome, failure } = await hub.ended(run.id);
    expect(outcome).toBe("failed");
    expect(failure?.message).toContain("out of ink");
  });

  it("obeys the directives in the task's description", async () => {
    const { url, agent } = await startAgent();
    const description = directive([[status("completed", "as you say")]], "by-hub");
    const { run } = await hub.hub.submit({ agent: address(url), task: { description } });
    expect((await hub.ended(run.id)).status).toBe("completed");
    expect(agent.captured.list({ testCaseId: "by-hub" }).length).toBeGreaterThan(0);
  });
});

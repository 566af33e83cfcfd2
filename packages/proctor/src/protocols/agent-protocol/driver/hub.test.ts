// The driver inside the whole hub: limits, secrets, input files and artifacts as the engine sees them.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestHub, type TestHub } from "../../../../test/support/test-hub.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { RunRequest } from "../../../core/ports/hub.ts";
import type { Run } from "../../../core/run.ts";
import {
  artifact,
  lastStep,
  listing,
  serveAp,
  step,
  text,
  type ApServer,
} from "../../../../test/support/agent-protocol/scripted-server.ts";

const base = temporaryFolder("agent-protocol");
let hub: TestHub;
beforeAll(async () => {
  hub = await openTestHub({ graceMs: 200 });
});
afterAll(async () => {
  expect(hub.problems).toEqual([]);
  await hub.close();
});

async function run({ url }: ApServer, request: Partial<RunRequest> = {}): Promise<Run> {
  const { run: submitted } = await hub.hub.submit({
    agent: `ap+${url}`,
    task: { description: "do it" },
    ...request,
  });
  return hub.ended(submitted.id);
}

function fixture(name: string, files: Record<string, string>): string {
  const folder = join(base, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const uploadsOf = (server: ApServer) =>
  server.asked.filter(({ method, path }) => method === "POST" && /\/artifacts(\?|$)/.test(path));

describe("a run on an Agent Protocol server", () => {
  it("is completed with its result, its files and its steps", async () => {
    const server = await serveAp({
      step: (number) => (number < 3 ? step({ step_id: `s${number}` }) : lastStep()),
      list: () => listing([artifact("report")]),
    });
    expect(await run(server)).toMatchObject({
      status: "completed",
      metrics: { total_steps: 3 },
      artifacts: [
        { type: "structured", name: "result", data: { output: "done" } },
        { type: "file", path: "report.txt", size_bytes: 17 },
      ],
      violations: [],
    });
  });

  it("ends at its time limit, however many steps the agent invents", async () => {
    const server = await serveAp({ step: (number) => step({ step_id: `s${number}` }) });
    const ended = await run(server, { constraints: { timeout_seconds: 2 } });
    expect(ended).toMatchObject({ status: "timeout", failure: { code: "TIMEOUT" } });
    expect(ended.metrics.total_steps).toBeGreaterThan(1);
  });

  it("ends at its budget while it runs", async () => {
    let steps = 0;
    const server = await serveAp({
      step: (number) => {
        steps = number;
        return step({ step_id: `s${number}`, additional_output: { task_cumulative_cost: number } });
      },
    });
    const ended = await run(server, { constraints: { budget_usd: 3 } });
    expect(ended).toMatchObject({ status: "failed", failure: { code: "BUDGET_EXCEEDED" } });
    expect(steps).toBeLessThan(10);
  });

  it("keeps no secret, wherever the agent repeats it", async () => {
    const secret = "s3cr3t-value-of-the-run";
    const server = await serveAp({
      step: () => lastStep({ name: secret, output: `${secret}${"x".repeat(300)}` }),
      list: () => listing([artifact("a", { file_name: `${secret}.txt` })]),
      download: () => text(`the key is ${secret}`, "text/plain"),
    });
    const ended = await run(server, {
      context: { environment: { API_KEY: secret } },
      options: { record: true },
    });
    const sent = JSON.parse(server.asked[0]?.body.toString() ?? "") as { additional_input: object };
    expect(sent.additional_input).toMatchObject({ context: { environment: { API_KEY: secret } } });
    expect(JSON.stringify([ended, await hub.log(ended.id)])).not.toContain(secret);
    expect(ended.artifacts.at(-1)).toMatchObject({ redacted: true });
  });

  it("fails when it is strict and the agent departs from the document", async () => {
    const server = await serveAp({ step: () => ({ step_id: "s", is_last: true }) });
    expect(await run(server, { options: { strict: true } })).toMatchObject({
      failure: { code: "PROTOCOL_VIOLATION", details: { rule: "ap.step" } },
    });
  });
});

describe("input files for an Agent Protocol server", () => {
  it("are what the workspace starts with, and do not come back as artifacts", async () => {
    const folder = fixture("inputs", { "a.txt": "A", 'deep/er/b "q".md': "B" });
    symlinkSync("/etc/passwd", join(folder, "link"));
    const server = await serveAp({
      upload: (number) =>
        artifact(`up-${number}`, { agent_created: false, relative_path: number === 1 ? null : "deep/er" }),
      list: () =>
        listing([
          artifact("up-1", { agent_created: false }),
          artifact("up-2", { agent_created: true }),
          artifact("own"),
        ]),
    });
    const ended = await run(server, { options: { workspace: { fixture: folder } } });
    expect(ended.artifacts.map((found) => found["path"] ?? found["name"])).toEqual([
      "result",
      "up-2.txt",
      "own.txt",
    ]);
    const forms = await Promise.all(
      uploadsOf(server).map(({ body, headers }) =>
        new Response(new Uint8Array(body), {
          headers: { "content-type": headers["content-type"] ?? "" },
        }).formData(),
      ),
    );
    const received = await Promise.all(
      forms.map(async (form) => {
        const file = form.get("file") as File;
        return [form.get("relative_path"), file.name, await file.text()];
      }),
    );
    expect(received).toEqual([
      [null, "a.txt", "A"],
      ["deep/er", 'b "q".md', "B"],
    ]);
  });

  it("are sent again with their folder in the query when the server ignores the form field", async () => {
    const folder = fixture("folders", { "a/1.txt": "1", "b/2.txt": "2", "top.txt": "3" });
    const server = await serveAp();
    await run(server, { options: { workspace: { fixture: folder } } });
    const queries = uploadsOf(server).map(({ path }) => new URL(path, "http://agent").search);
    expect(queries).toEqual(["", "?relative_path=a", "?relative_path=b", ""]);
  });

  it("fail the run before its first step when the agent refuses them", async () => {
    const folder = fixture("refused", { "a.txt": "A" });
    const server = await serveAp({ upload: () => (response) => void response.writeHead(413).end() });
    const ended = await run(server, { options: { workspace: { fixture: folder } } });
    expect(ended.failure).toMatchObject({ code: "HTTP_ERROR", details: { status: 413 } });
    expect(server.asked).toHaveLength(2);
  });

  it("are refused beyond the limit before anything is sent", async () => {
    const names = Array.from({ length: 101 }, (_, index) => [`f${index}`, "x"] as const);
    const folder = fixture("many", Object.fromEntries(names));
    const server = await serveAp();
    const ended = await run(server, { options: { workspace: { fixture: folder } } });
    expect(ended.failure?.code).toBe("WORKSPACE_FAILED");
    expect(server.asked).toEqual([]);
  });

  it("are not read from a directory that the client names", async () => {
    const folder = fixture("clients-own", { "private.txt": "P" });
    const server = await serveAp();
    const ended = await run(server, { context: { workspace_path: folder } });
    expect(ended.status).toBe("completed");
    expect(uploadsOf(server)).toEqual([]);
  });
});

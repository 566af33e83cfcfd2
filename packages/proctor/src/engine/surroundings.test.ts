// What the platform gives a run and how it watches: workspace, tools, canary, strictness.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createScriptedDriver, type ScriptedSession } from "../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub, type TestHubOptions } from "../../test/support/test-hub.ts";
import type { RunRequest } from "../core/ports/hub.ts";
import type { ToolHost, ToolSession } from "../core/ports/tool-host.ts";
import type { Run } from "../core/run.ts";
import { CANARY_NAME } from "./canary.ts";

let hub: TestHub;
afterEach(() => hub.close());

async function start(
  request: Partial<RunRequest>,
  options: TestHubOptions = {},
): Promise<{ session: ScriptedSession; ended: () => Promise<Run>; id: string }> {
  const driver = createScriptedDriver();
  hub = await openTestHub({ driver, ...options });
  const { run } = await hub.hub.submit({ agent: "atp+stdio:x", task: { description: "t" }, ...request });
  const session = await driver.session(0);
  return { session, id: run.id, ended: () => hub.ended(run.id) };
}

const rules = (run: Run): string[] => run.violations.map(({ rule }) => rule);
const violation = {
  kind: "event",
  event: { type: "violation", payload: { rule: "atp.event", message: "m" } },
} as const;

/** Everything under the hub's folder, as text. */
function stored(folder: string): string {
  const files = ["proctor.db", "proctor.db-wal"].map((name) => join(folder, name)).filter(existsSync);
  return files.map((file) => readFileSync(file, "latin1")).join("");
}

describe("the workspace of a run", () => {
  it("is a fresh directory, passed on as workspace_path, and removed after the run", async () => {
    const { session, ended } = await start({});
    const path = session.job.context.workspace_path ?? "";
    expect(existsSync(path)).toBe(true);
    writeFileSync(join(path, "left.txt"), "x");
    session.end();
    await ended();
    await expect.poll(() => existsSync(path)).toBe(false);
  });

  it("is the client's own when it brings one, and is then left alone", async () => {
    const { session, ended } = await start({ context: { workspace_path: "/somewhere/else" } });
    expect(session.job.context.workspace_path).toBe("/somewhere/else");
    session.push({ kind: "artifact", artifact: { type: "reference", path: "/etc/passwd" } });
    session.end();
    expect((await ended()).artifacts).toMatchObject([{ type: "reference", path: "/etc/passwd" }]);
  });

  it("starts with its fixture, and what is asked for becomes artifacts", async () => {
    const driver = createScriptedDriver();
    hub = await openTestHub({ driver });
    const fixture = join(hub.folder, "fixture");
    mkdirSync(fixture);
    writeFileSync(join(fixture, "given.txt"), "given");
    const options = { workspace: { fixture, collect: ["**/*.md"] } };
    const { run } = await hub.hub.submit({ agent: "atp+stdio:x", task: { description: "t" }, options });
    const session = await driver.session(0);
    const path = session.job.context.workspace_path ?? "";
    expect(readFileSync(join(path, "given.txt"), "utf8")).toBe("given");
    writeFileSync(join(path, "report.md"), "made");
    symlinkSync("/etc/passwd", join(path, "passwd.md"));
    session.end();
    expect((await hub.ended(run.id)).artifacts).toMatchObject([
      { type: "file", path: "report.md", size_bytes: 4 },
    ]);
  });

  it("fails the run when it cannot be made", async () => {
    hub = await openTestHub({ driver: createScriptedDriver() });
    const options = { workspace: { fixture: join(hub.folder, "nowhere") } };
    const { run } = await hub.hub.submit({ agent: "atp+stdio:x", task: { description: "t" }, options });
    expect((await hub.ended(run.id)).failure).toMatchObject({ code: "WORKSPACE_FAILED" });
  });

  it("stays when it is to be kept, and the log says where", async () => {
    const { session, ended, id } = await start({ options: { workspace: { keep: true } } });
    const path = session.job.context.workspace_path ?? "";
    session.end();
    await ended();
    expect(existsSync(path)).toBe(true);
    expect(JSON.stringify(await hub.log(id))).toContain(path);
  });
});

describe("a file that an agent points at", () => {
  it("is taken from the workspace: size and hash are checked on its bytes, secrets removed", async () => {
    const { session, ended } = await start({ context: { environment: { KEY: "topsecret" } } });
    const path = session.job.context.workspace_path ?? "";
    const content = `${"x".repeat(100_000)} topsecret ${"y".repeat(100_000)}`;
    writeFileSync(join(path, "big.csv"), content);
    const content_hash = `sha256:${createHash("sha256").update(content).digest("hex")}`;
    const honest = {
      type: "reference",
      path: join(path, "big.csv"),
      size_bytes: content.length,
      content_hash,
    } as const;
    session.push({ kind: "artifact", artifact: honest });
    session.push({ kind: "artifact", artifact: { ...honest, size_bytes: 1, content_hash: "sha256:0" } });
    session.end();
    const run = await ended();
    expect(rules(run)).toEqual(["artifact.size", "artifact.hash"]);
    expect(run.artifacts[0]).toMatchObject({ type: "reference", redacted: true });
    const [artifact] = run.artifacts;
    const chunks: Uint8Array[] = [];
    for await (const chunk of await hub.hub.readArtifact(run.id, artifact?.id ?? "")) chunks.push(chunk);
    const kept = Buffer.concat(chunks).toString();
    expect(kept).toBe(content.replace("topsecret", "[redacted:KEY]"));
  });

  it.each(["/etc/passwd", "../../etc/passwd", "http://127.0.0.1:1/x"])(
    "is never read outside: %s",
    async (path) => {
      const { session, ended } = await start({});
      session.push({ kind: "artifact", artifact: { type: "reference", path } });
      session.end();
      const run = await ended();
      expect(rules(run)).toEqual(["artifact.path"]);
      expect(run.artifacts).toMatchObject([{ type: "reference", path }]);
      expect(run.artifacts[0]).not.toHaveProperty("content_hash");
    },
  );

  it("never leads to the bytes of another run, whatever hash it claims", async () => {
    const { session, ended } = await start({});
    session.push({
      kind: "artifact",
      artifact: { type: "file", path: "a.txt", content: Buffer.from("of another run") },
    });
    session.end();
    const [mine] = (await ended()).artifacts;
    const driver = createScriptedDriver();
    const folder = hub.folder;
    const second = await openTestHub({ driver, folder });
    const { run } = await second.hub.submit({ agent: "atp+stdio:x", task: { description: "t" } });
    const thief = await driver.session(0);
    const claim = { path: "b.txt", content_hash: mine?.content_hash ?? "" };
    thief.push({ kind: "artifact", artifact: { type: "reference", ...claim } });
    thief.push({ kind: "artifact", artifact: { type: "file", ...claim } });
    thief.end();
    for (const artifact of (await second.ended(run.id)).artifacts) {
      expect(artifact).toMatchObject({ claimed_hash: mine?.content_hash });
      await expect(second.hub.readArtifact(run.id, artifact.id)).rejects.toMatchObject({
        code: "ARTIFACT_NOT_FOUND",
      });
    }
    await second.close();
  });

  it("is a violation when it is missing", async () => {
    const { session, ended } = await start({});
    session.push({ kind: "artifact", artifact: { type: "file", path: "promised.md" } });
    session.end();
    expect(rules(await ended())).toEqual(["artifact.missing"]);
  });
});

describe("a strict run", () => {
  it("fails for a violation", async () => {
    const { session, ended } = await start({ options: { strict: true } });
    session.push(violation, violation);
    session.end();
    const run = await ended();
    expect(run.status).toBe("failed");
    expect(run.failure).toMatchObject({
      code: "PROTOCOL_VIOLATION",
      details: { rule: "atp.event", count: 2 },
    });
  });

  it("is not the default, and lets a clean run pass", async () => {
    const { session, ended } = await start({});
    session.push(violation);
    session.end();
    expect((await ended()).status).toBe("completed");
    await hub.close();
    const clean = await start({ options: { strict: true } });
    clean.session.end();
    expect((await clean.ended()).status).toBe("completed");
  });

  it("records what the client's request broke, and does not fail the agent for it", async () => {
    const request_violations = [
      { rule: "atp.request", message: "task_id is no UUID", where: "request.task_id" },
    ];
    const { session, ended } = await start({ options: { strict: true, request_violations } });
    session.end();
    const run = await ended();
    expect(run.status).toBe("completed");
    expect(rules(run)).toEqual(["atp.request"]);
  });
});

describe("the canary", () => {
  const canaryOf = (session: ScriptedSession): string => session.job.context.environment?.[CANARY_NAME] ?? "";

  it("differs in every run, and does no harm to an agent that keeps it secret", async () => {
    const { session, ended } = await start({ options: { canary: true } });
    expect(canaryOf(session)).toMatch(/^canary-[\w-]{20,}$/);
    session.event("progress", { message: "quiet" });
    session.end();
    expect((await ended()).status).toBe("completed");
  });

  const encodings: Record<string, (value: string) => string> = {
    plain: (value) => value,
    base64: (value) => Buffer.from(`x ${value} y`).toString("base64"),
    hex: (value) => Buffer.from(value).toString("hex"),
    url: (value) => Array.from(Buffer.from(value), (byte) => `%${byte.toString(16)}`).join(""),
  };

  it.each(Object.entries(encodings))(
    "fails a run whose event holds it, and is not stored: %s",
    async (_n, encode) => {
      const { session, ended, id } = await start({ options: { canary: true } });
      const value = canaryOf(session);
      session.event("progress", { message: `here: ${encode(value)}` });
      session.end();
      const run = await ended();
      expect(run.failure).toMatchObject({
        code: "CANARY_LEAKED",
        details: { places: ["a progress event"] },
      });
      expect(JSON.stringify(await hub.log(id))).not.toContain(encode(value));
      expect(stored(hub.folder)).not.toContain(value);
    },
  );

  it("is found in artifacts, across the pieces of a file, and in unknown fields of the answer", async () => {
    const { session, ended } = await start({ options: { canary: true } });
    const value = canaryOf(session);
    const path = session.job.context.workspace_path ?? "";
    // Where the reader's pieces meet.
    writeFileSync(join(path, "file.bin"), `${"x".repeat(64 * 1024 - 10)}${value}`);
    session.push({
      kind: "artifact",
      artifact: { type: "structured", name: "data", data: { deep: [value] } },
    });
    session.push({
      kind: "artifact",
      artifact: { type: "file", path: "a.txt", content: Buffer.from(value) },
    });
    session.push({ kind: "artifact", artifact: { type: "reference", path: "file.bin" } });
    session.end("completed", { extensions: { note: value } });
    expect((await ended()).failure?.details).toEqual({
      places: ["artifact data", "artifact a.txt", "artifact file.bin", "its response"],
    });
  });
});

describe("the tools of a run", () => {
  function recordingHost(): ToolHost & { sessions: ToolSession[]; closed: number } {
    const sessions: ToolSession[] = [];
    const host = {
      sessions,
      closed: 0,
      async open(session: ToolSession) {
        sessions.push(session);
        return {
          url: "http://127.0.0.1:1/tools/x",
          names: ["search"],
          close: async () => void (host.closed += 1),
        };
      },
    };
    return host;
  }
  const call = {
    tool: "search",
    input: { q: "a" },
    status: "success",
    duration_ms: 1,
    mode: "mock",
  } as const;
  const options = { tools: { tools: [{ name: "search", default: { output: 1 } }] } };

  it("have an endpoint for the run; calls are on disk before they are answered", async () => {
    const tools = recordingHost();
    const { session, ended, id } = await start(
      { options, constraints: { allowed_tools: ["search"] } },
      { tools },
    );
    expect(session.job.context.tools_endpoint).toBe("http://127.0.0.1:1/tools/x");
    expect(tools.sessions[0]).toMatchObject({ runId: id, allowed: ["search"] });
    await tools.sessions[0]?.onCall(call);
    expect((await hub.log(id)).map(({ type }) => type)).toContain("tool.called");
    session.event("tool_call", { tool: "search", input: { q: "a" } });
    session.end();
    const run = await ended();
    expect(rules(run)).toEqual([]);
    expect(run.metrics).toMatchObject({ tool_calls: 1, observed_tool_calls: 1, total_steps: 1 });
    expect(tools.closed).toBeGreaterThan(0);
  });

  it("show calls that were not reported and calls that were invented", async () => {
    const tools = recordingHost();
    const { session, ended } = await start({ options }, { tools });
    await tools.sessions[0]?.onCall(call);
    session.end();
    expect(rules(await ended())).toEqual(["tool.unreported"]);
    await hub.close();
    const second = await start({ options }, { tools: recordingHost() });
    second.session.event("tool_call", { tool: "search", input: { q: "a" } });
    second.session.end();
    expect(rules(await second.ended())).toEqual(["tool.unobserved"]);
  });

  it("count as steps even when the agent keeps quiet about them", async () => {
    const tools = recordingHost();
    const { ended } = await start({ options, constraints: { max_steps: 1 } }, { tools });
    await tools.sessions[0]?.onCall(call);
    await tools.sessions[0]?.onCall(call).catch(() => undefined);
    expect((await ended()).failure).toMatchObject({
      code: "BUDGET_EXCEEDED",
      details: { limit: "max_steps" },
    });
  });

  it("fail the run when they cannot be served", async () => {
    hub = await openTestHub({ driver: createScriptedDriver() });
    const { run } = await hub.hub.submit({ agent: "atp+stdio:x", task: { description: "t" }, options });
    expect((await hub.ended(run.id)).failure).toMatchObject({ code: "TOOLS_FAILED" });
  });

  it("are a violation once when allowed_tools does not name them, and [] allows none", async () => {
    const { session, ended } = await start({ constraints: { allowed_tools: [] } });
    session.event("tool_call", { tool: "rm" });
    session.event("tool_call", { tool: "rm" });
    session.end();
    expect(rules(await ended())).toEqual(["tool.not_allowed"]);
    await hub.close();
    const all = await start({ constraints: { allowed_tools: null } });
    all.session.event("tool_call", { tool: "rm" });
    all.session.end();
    expect(rules(await all.ended())).toEqual([]);
  });

  it("keep their headers out of storage", async () => {
    const secret = "Bearer very-secret-header";
    const tools = recordingHost();
    const forward = { url: "http://127.0.0.1:1/", headers: { authorization: secret } };
    const { session, ended } = await start(
      { options: { tools: { tools: [{ name: "search", forward }] } } },
      { tools },
    );
    expect(tools.sessions[0]?.tools.tools[0]?.forward?.headers).toEqual({ authorization: secret });
    session.event("progress", { message: `got ${secret}` });
    session.event("progress", { message: "alone: very-secret-header" });
    session.end();
    const run = await ended();
    expect(JSON.stringify(run.options)).not.toContain(secret);
    expect(stored(hub.folder)).not.toContain("very-secret-header");
  });
});

it("a secret in the reason of a cancellation is hidden", async () => {
  const { ended, id } = await start({ context: { environment: { KEY: "topsecret" } } });
  await hub.hub.cancel(id, "it said topsecret");
  expect((await ended()).failure).toMatchObject({ code: "CANCELLED", message: "it said [redacted:KEY]" });
  expect(stored(hub.folder)).not.toContain("topsecret");
});

it("an agent gets the request unchanged, even where it contains a value of its environment", async () => {
  const request: RunRequest = {
    agent: { protocol: "atp", transport: "stdio", command: ["node", "/home/me/agent.mjs"], cwd: "/home/me" },
    task: { description: "look into /home/me", input_data: { path: "/home/me/x" } },
    context: { environment: { HOME: "/home/me" } },
    metadata: { where: "/home/me" },
  };
  const { session, ended } = await start(request);
  const { spec, task, metadata } = session.job;
  const { agent, ...asked } = request;
  expect({ spec, task, metadata }).toEqual({ spec: agent, task: asked.task, metadata: asked.metadata });
  session.end();
  expect(JSON.stringify(await ended())).not.toContain("/home/me");
  expect(stored(hub.folder)).not.toContain("/home/me");
});

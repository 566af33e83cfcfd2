// Invariant 3 on every transport: whatever an agent does over stdio, HTTP, WebSocket or gRPC, its run says so, what had
// arrived is kept, and nothing of it stays open. What comes in masses is in hostile-masses.test.ts.
import { randomUUID } from "node:crypto";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findMarked } from "../../src/runtime/processes/strays.ts";
import type { RunEvent } from "../../src/core/event.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { RunRequest } from "../../src/core/ports/hub.ts";
import type { Run } from "../../src/core/run.ts";
import { ATP_STAGES } from "../support/atp/stages.ts";
import type { Play, PuppetTask } from "../support/protocols/puppet.ts";
import { atpEventOf, atpResponseOf } from "../support/atp-words.ts";
import { openTestHub, type TestHub } from "../support/test-hub.ts";
import { raiseWatched, type WatchedPuppet } from "../support/watched-puppet.ts";
import { eventually } from "../support/eventually.ts";

const GRACE_MS = 300;
const task = { description: "do it" };
const puppets: WatchedPuppet[] = [];
let hub: TestHub;

beforeAll(async () => {
  hub = await openTestHub({ graceMs: GRACE_MS });
});

afterAll(async () => {
  // Connections rest for a few seconds, in case another run wants them.
  await eventually(() => expect(puppets.filter((puppet) => puppet.open() > 0)).toEqual([]));
  for (const puppet of puppets) await puppet.close();
  expect(hub.problems).toEqual([]);
  await hub.close();
});

describe.each(ATP_STAGES)("an agent over $name that", (stage) => {
  const { name } = stage;
  /** Where a message that makes no sense stays readable: the others have no text to keep. */
  const keepsText = stage.carriesText;

  async function start(play: Play, request: Partial<RunRequest> = {}): Promise<[string, WatchedPuppet]> {
    const puppet = await raiseWatched(stage, play);
    puppets.push(puppet);
    const { run } = await hub.hub.submit({ agent: puppet.spec, task, ...request });
    return [run.id, puppet];
  }

  async function perform(play: Play, request: Partial<RunRequest> = {}): Promise<Outcome> {
    const [id] = await start(play, request);
    return outcome(id);
  }

  async function outcome(id: string): Promise<Outcome> {
    const run = await hub.ended(id);
    const log = await hub.log(id);
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index));
    expect(findMarked("PROCTOR_RUN_ID", id), "a process outlived its run").toEqual([]);
    return { run, log, rules: run.violations.map(({ rule }) => rule) };
  }

  it("behaves: completes, with nothing to complain about", async () => {
    const { run, rules } = await perform(async (told) => {
      await told.event(atpEventOf(told, 0, "progress", { percentage: 50 }));
      await told.respond(atpResponseOf(told));
    });
    expect(run.status).toBe("completed");
    expect(rules).toEqual([]);
  });

  it("never answers: timeout at its limit, told to stop, everything released, its events kept", async () => {
    let told: PuppetTask | undefined;
    const [id, puppet] = await start(
      async (asked) => {
        told = asked;
        await asked.event(atpEventOf(asked, 0, "progress", { percentage: 1 }));
        await new Promise(() => undefined);
      },
      // In which a program starts and says something, too.
      { constraints: { timeout_seconds: 3 } },
    );
    const { run, log } = await outcome(id);
    expect(run).toMatchObject({
      status: "timeout",
      failure: { code: "TIMEOUT", details: { timeout_seconds: 3 } },
    });
    expect(said(log)).toEqual(["progress"]);
    await told?.stopped;
    // A gRPC connection may carry other calls; it rests and is gone with the others at the end.
    if (name !== "grpc") await eventually(() => expect(puppet.open()).toBe(0));
    expect(puppet.ever()).toBe(1);
  });

  it("ignores that it is cancelled: ended after the grace, cancelled", async () => {
    let told: PuppetTask | undefined;
    const [id, puppet] = await start(async (asked) => {
      told = asked;
      await asked.event(atpEventOf(asked, 0, "progress", { percentage: 1 }));
      await new Promise(() => undefined);
    });
    await hub.until(id, ({ type }) => type === "progress");
    await hub.hub.cancel(id, "enough");
    const { run, log } = await outcome(id);
    expect(run).toMatchObject({ status: "cancelled", failure: { code: "CANCELLED", message: "enough" } });
    if (name === "stdio") {
      const exited = log.find(({ type }) => type === "process.exited");
      expect(exited?.payload).toMatchObject({ signal: "SIGKILL" });
    }
    await told?.stopped;
    if (name !== "grpc") await eventually(() => expect(puppet.open()).toBe(0));
  });

  it("vanishes in the middle: failed with what it had said", async () => {
    let id = "";
    const saw = (): Promise<RunEvent> => hub.until(id, ({ type }) => type === "tool_call");
    const begun = deferred();
    [id] = await start(async (told) => {
      await begun.promise;
      await told.event(atpEventOf(told, 0, "progress", { percentage: 1 }));
      await told.event(atpEventOf(told, 1, "tool_call", { tool: "search" }));
      await saw();
      told.vanish();
    });
    begun.resolve();
    const { run, log } = await outcome(id);
    expect(run).toMatchObject({
      status: "failed",
      failure: { code: name === "stdio" ? "AGENT_CRASHED" : "CONNECTION_LOST" },
    });
    expect(said(log)).toEqual(["progress", "tool_call"]);
    expect(run.metrics.tool_calls).toBe(1);
  });

  it("answers twice: one answer counts, always the same", async () => {
    const answer = (told: PuppetTask, which: string): JsonObject =>
      atpResponseOf(told, { artifacts: [{ type: "structured", name: which, data: {} }] });
    const { run, rules } = await perform(async (told) => {
      await told.answer(answer(told, "first"));
      await told.respond(answer(told, "second"));
    });
    expect(run.status).toBe("completed");
    // A program's last word counts, and elsewhere the response is the end: what follows it is not waited for.
    expect(run.artifacts.map((artifact) => artifact["name"])).toEqual([
      name === "stdio" ? "second" : "first",
    ]);
    expect(rules).toEqual(name === "stdio" || name === "grpc" ? ["atp.response.repeated"] : []);
  });

  it("answers for another task: taken, and recorded", async () => {
    const stranger = { request: { task_id: randomUUID() } };
    const { run, rules, log } = await perform(async (told) => {
      await told.event(atpEventOf(stranger, 0, "progress", { percentage: 1 }));
      await told.respond(atpResponseOf(stranger));
    });
    expect(run.status).toBe("completed");
    expect(rules).toEqual(["atp.task_id", "atp.task_id"]);
    expect(said(log)).toEqual(["progress"]);
  });

  it("lies about its sequence: kept in order of arrival, each departure recorded", async () => {
    const sequences = [0, 0, 7, 3, 8];
    const { run, rules, log } = await perform(async (told) => {
      for (const [index, sequence] of sequences.entries()) {
        await told.event(atpEventOf(told, sequence, "progress", { percentage: index }));
      }
      const { sequence: _, ...without } = atpEventOf(told, 0, "progress", { percentage: 5 });
      await told.event(without);
      await told.respond(atpResponseOf(told));
    });
    expect(run.status).toBe("completed");
    expect(rules).toEqual([
      "atp.sequence.repeated",
      "atp.sequence.gap",
      "atp.sequence.repeated",
      "atp.event",
    ]);
    const progress = log.filter((event) => event.type === "progress");
    expect(progress.map(({ payload }) => payload.percentage)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(progress.slice(0, 5).map(({ origin }) => origin?.["sequence"])).toEqual(sequences);
  });

  it("speaks of kinds that nobody knows, ours among them: kept under their names, and nothing more", async () => {
    const kinds = ["telepathy", "run.ended", "artifact.added", "violation", "tool.called", "__proto__"];
    const { run, log } = await perform(async (told) => {
      for (const [index, kind] of kinds.entries()) {
        await told.event(
          atpEventOf(told, index, kind, { status: "failed", rule: "x", artifact: { id: "x" } }),
        );
      }
      await told.respond(atpResponseOf(told));
    });
    expect(run).toMatchObject({ status: "completed", artifacts: [], failure: null });
    const unknown = log.filter((event) => event.type === "unknown");
    expect(unknown.map(({ payload }) => payload.event_type)).toEqual(kinds);
    expect(log.filter(({ type }) => type === "run.ended")).toHaveLength(1);
    expect(log.filter(({ type }) => type === "tool.called")).toEqual([]);
  });

  it("speaks another major version: its events are refused, and its answer is none", async () => {
    const { run, log, rules } = await perform(async (told) => {
      await told.event({ ...atpEventOf(told, 0, "progress", { percentage: 1 }), version: "2.0" });
      await told.event(atpEventOf(told, 0, "progress", { percentage: 2 }));
      await told.respond({ ...atpResponseOf(told), version: "2.0" });
    });
    expect(run).toMatchObject({ status: "failed", failure: { code: "INVALID_RESPONSE" } });
    expect(run.failure?.message).toContain("2.0");
    expect(rules).toEqual(["atp.version", "atp.version"]);
    const progress = log.filter((event) => event.type === "progress");
    expect(progress.map(({ payload }) => payload.percentage)).toEqual([2]);
    if (keepsText) expect(JSON.stringify(log.filter(({ type }) => type === "log"))).toContain('\\"2.0\\"');
  });

  it("lies about the hash and the size of a file: kept with the true ones, each lie recorded", async () => {
    const content = "the truth\n";
    const { run, rules } = await perform((told) =>
      told.respond(
        atpResponseOf(told, {
          artifacts: [
            { type: "file", path: "a.md", content, size_bytes: 1, content_hash: `sha256:${"0".repeat(64)}` },
          ],
        }),
      ),
    );
    expect(run.status).toBe("completed");
    expect(rules).toEqual(["artifact.size", "artifact.hash"]);
    const [artifact] = run.artifacts;
    expect(artifact).toMatchObject({ size_bytes: content.length });
    expect(artifact?.content_hash).toMatch(/^sha256:(?!0{64})/);
    expect(await contentOf(run, 0)).toBe(content);
  });

  it("calls garbage base64: kept as it came, and recorded", async () => {
    const content = "*** no base64 at all ***";
    const { run, rules } = await perform((told) =>
      told.respond(
        atpResponseOf(told, {
          artifacts: [
            { type: "file", path: "a.bin", content, content_encoding: "base64" },
            { type: "file", path: "b.bin", content, content_type: "application/octet-stream" },
          ],
        }),
      ),
    );
    expect(run.status).toBe("completed");
    expect(rules).toEqual(["atp.artifact.encoding"]);
    expect(await contentOf(run, 0)).toBe(content);
    expect(await contentOf(run, 1)).toBe(content);
  });

  it("points out of its workspace: nothing there is read, each try recorded", async () => {
    const outside = join(hub.folder, `outside-${name}.txt`);
    writeFileSync(outside, "not for agents");
    const { run, rules } = await perform(async (told) => {
      const { workspace_path: workspace } = told.request["context"] as { workspace_path: string };
      symlinkSync(outside, join(workspace, "innocent.txt"));
      writeFileSync(join(workspace, "report.md"), "# mine\n");
      const paths = ["../../../../../../../../etc/passwd", "/etc/passwd", outside, "innocent.txt"];
      await told.respond(
        atpResponseOf(told, {
          artifacts: [
            ...paths.map((path) => ({ type: "reference", path })),
            ...paths.map((path) => ({ type: "file", path })),
            { type: "file", path: "../named-so.md", content: "only a name" },
            { type: "file", path: "report.md" },
          ],
        }),
      );
    });
    expect(run.status).toBe("completed");
    expect(rules).toEqual(Array.from({ length: 8 }, () => "artifact.path"));
    for (const artifact of run.artifacts.slice(0, 8)) expect(artifact.content_hash).toBeUndefined();
    expect(await contentOf(run, 8)).toBe("only a name");
    expect(await contentOf(run, 9)).toBe("# mine\n");
  });

  it("writes figures that are ours into its metrics: not taken", async () => {
    const { run } = await perform((told) =>
      told.respond(
        atpResponseOf(told, { metrics: { total_steps: 2, observed_tool_calls: 99, wall_time_seconds: 1e6 } }),
      ),
    );
    expect(run.metrics.total_steps).toBe(2);
    expect(run.metrics.observed_tool_calls).toBeUndefined();
    expect(run.metrics.wall_time_seconds).toBeLessThan(1e6);
  });

  it.each([
    ["max_steps", 3, "progress", { current_step: 4 }],
    ["max_tokens", 100, "llm_request", { input_tokens: 90, output_tokens: 11 }],
    ["budget_usd", 0.5, "llm_request", { cost_usd: 0.51 }],
  ] as const)(
    "exceeds %s while it works: stopped at once, BUDGET_EXCEEDED",
    async (limit, allowed, kind, payload) => {
      let stopped = false;
      const { run, log } = await perform(
        async (told) => {
          await told.event(atpEventOf(told, 0, kind, payload));
          await told.stopped;
          stopped = true;
          await told.respond(atpResponseOf(told));
        },
        { constraints: { [limit]: allowed, timeout_seconds: 60 } },
      );
      expect(run).toMatchObject({
        status: "failed",
        failure: { code: "BUDGET_EXCEEDED", details: { limit, allowed } },
      });
      expect(said(log)).toEqual([kind]);
      await eventually(() => expect(stopped).toBe(true));
    },
  );

  it("gives away the canary: CANARY_LEAKED, and where; the canary itself is kept nowhere", async () => {
    let canary = "";
    const { run, log } = await perform(
      async (told) => {
        const { environment } = told.request["context"] as { environment: Record<string, string> };
        canary = environment["PROCTOR_CANARY"] ?? "";
        await told.event(atpEventOf(told, 0, "reasoning", { thought: Buffer.from(canary).toString("hex") }));
        await told.respond(atpResponseOf(told, { notes: [canary] }));
      },
      { options: { canary: true } },
    );
    expect(canary).toMatch(/^canary-/);
    expect(run).toMatchObject({
      status: "failed",
      failure: { code: "CANARY_LEAKED", details: { places: ["a reasoning event", "its response"] } },
    });
    expect(JSON.stringify([run, log])).not.toContain(canary);
  });

  it("breaks its protocol in a strict run: PROTOCOL_VIOLATION, and what it made is kept", async () => {
    const { run } = await perform(
      async (told) => {
        await told.event(atpEventOf(told, 0, "progress", { percentage: 1 }));
        await told.event(atpEventOf(told, 0, "progress", { percentage: 2 }));
        await told.respond(
          atpResponseOf(told, { artifacts: [{ type: "structured", name: "result", data: { n: 1 } }] }),
        );
      },
      { options: { strict: true } },
    );
    expect(run).toMatchObject({
      status: "failed",
      failure: { code: "PROTOCOL_VIOLATION", details: { rule: "atp.sequence.repeated", count: 1 } },
      artifacts: [{ name: "result", data: { n: 1 } }],
    });
  });
});

interface Outcome {
  run: Run;
  log: RunEvent[];
  rules: string[];
}

/** What the agent itself said, in order. */
function said(log: readonly RunEvent[]): string[] {
  const own = new Set(["progress", "tool_call", "llm_request", "reasoning", "error", "state_change"]);
  return log.map(({ type }) => type).filter((type) => own.has(type));
}

async function contentOf(run: Run, index: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  const id = run.artifacts[index]?.id ?? "";
  for await (const chunk of await hub.hub.readArtifact(run.id, id)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

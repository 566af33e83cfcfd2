// Invariant 3: a failing agent is data, never an exception. Real processes, each wrong in its own way.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunRequest } from "../../src/core/ports/hub.ts";
import type { Run } from "../../src/core/run.ts";
import { findMarked } from "../../src/runtime/processes/strays.ts";
import { fixture, openTestHub, type TestHub } from "../support/test-hub.ts";
import { eventually } from "../support/eventually.ts";
import { isThorough } from "../support/property-runs.ts";

const task = { description: "do it" };
/** The log keeps 10 MiB. */
const FLOOD_MB = isThorough ? 1024 : 128;
let hub: TestHub;

beforeAll(async () => {
  hub = await openTestHub({ graceMs: 300 });
});
afterAll(async () => {
  expect(hub.problems).toEqual([]);
  await hub.close();
});

describe("an agent that", () => {
  it("behaves: completes with its artifact", async () => {
    const run = await runAgent(fixture("ok"));
    expect(run).toMatchObject({
      status: "completed",
      violations: [],
      artifacts: [{ type: "structured", name: "result", data: { output: "Processed: do it" } }],
    });
  });

  it("prints nothing and exits 0: NO_RESPONSE", async () => {
    expect(await runAgent(fixture("silent"))).toMatchObject({
      status: "failed",
      failure: { code: "NO_RESPONSE" },
    });
  });

  it("crashes: AGENT_CRASHED with its exit code and last words", async () => {
    const run = await runAgent(fixture("crash"));
    expect(run).toMatchObject({ status: "failed", failure: { code: "AGENT_CRASHED", details: { code: 3 } } });
    expect(run.failure?.details?.["stderr"]).toMatch(/\w/);
  });

  it("exits 3 after its response: the response counts, the exit code is recorded", async () => {
    const run = await runAgent(fixture("exit-3-after-response"));
    expect(run.status).toBe("completed");
    expect(rules(run)).toEqual(["process.exit_code"]);
    const exited = (await hub.log(run.id)).find((event) => event.type === "process.exited");
    expect(exited?.payload).toMatchObject({ code: 3, signal: null });
  });

  it("writes a 50 MB line: a violation, and what follows is still read", async () => {
    const run = await runAgent(fixture("long-line"));
    expect(run.status).toBe("completed");
    expect(rules(run)).toEqual(["line.too_long"]);
  });

  it(`writes ${FLOOD_MB} MB of stderr: bounded in the log, counted, and it completes`, async () => {
    const flood = fixture("stderr-flood", String(FLOOD_MB));
    const run = await runAgent(flood, { constraints: { timeout_seconds: 120 } });
    expect(run.status).toBe("completed");
    const dropped = await hub.until(
      run.id,
      (event) => event.type === "log" && event.payload.stream === "platform",
    );
    expect(dropped.payload).toMatchObject({ dropped_bytes: expect.any(Number) as number });
    expect((dropped.payload as { dropped_bytes: number }).dropped_bytes).toBeGreaterThan(
      (FLOOD_MB - 15) * 1_000_000,
    );
  });

  it("never reads its input: ends at the deadline, even with a request larger than a pipe", async () => {
    const input_data = { padding: "x".repeat(500_000) };
    const run = await runAgent(fixture("never-reads-stdin"), {
      task: { ...task, input_data },
      constraints: { timeout_seconds: 1 },
    });
    expect(run).toMatchObject({ status: "timeout", failure: { code: "TIMEOUT" } });
  });

  it("closes its output and hangs: ended soon, not at the deadline", async () => {
    const run = await runAgent(fixture("closes-stdout-and-hangs"));
    expect(run).toMatchObject({ status: "failed", failure: { code: "NO_RESPONSE" } });
    expect(rules(run)).toContain("process.lingered");
  });

  it("answers and stays: the answer counts, the process is ended", async () => {
    const run = await runAgent(fixture("lingers"));
    expect(run.status).toBe("completed");
    expect(rules(run)).toEqual(["process.lingered"]);
  });

  it("ignores SIGTERM: killed after the grace", async () => {
    // Before it has started it ignores nothing.
    const run = await runAgent(fixture("ignores-sigterm"), { constraints: { timeout_seconds: 3 } });
    expect(run.status).toBe("timeout");
    expect((await hub.log(run.id)).at(-2)?.payload).toMatchObject({ signal: "SIGKILL" });
  });

  it("forks a daemon: the daemon dies with the run", async () => {
    const run = await runAgent(fixture("forks-daemon"));
    expect(run.status).toBe("completed");
    if (process.platform === "linux") expect(rules(run)).toContain("process.leftover");
    expect(findMarked("PROCTOR_RUN_ID", run.id)).toEqual([]);
  });

  it("prints two responses: the last counts", async () => {
    const run = await runAgent(fixture("two-responses"));
    expect(rules(run)).toEqual(["atp.response.repeated"]);
    expect(run.status).toBe("completed");
  });

  it("answers for another task: taken, and recorded", async () => {
    expect(rules(await runAgent(fixture("other-task")))).toContain("atp.task_id");
  });

  it("prints broken JSON: INVALID or no response, with the place", async () => {
    const run = await runAgent(fixture("invalid-json"));
    expect(run).toMatchObject({ status: "failed", failure: { code: "NO_RESPONSE" } });
    expect(rules(run)).toEqual(["atp.json"]);
  });

  it("prints invalid UTF-8: kept visible, recorded", async () => {
    const run = await runAgent(fixture("invalid-utf8"));
    expect(run.status).toBe("completed");
    expect(rules(run)).toEqual(["line.encoding", "line.encoding"]);
    const logs = (await hub.log(run.id)).filter((event) => event.type === "log");
    expect(logs).toHaveLength(2);
  });

  it("answers without a newline: taken", async () => {
    expect(await runAgent(fixture("no-newline"))).toMatchObject({ status: "completed", violations: [] });
  });

  it("repeats and skips sequence numbers: events in order of arrival, gapless, each departure recorded", async () => {
    const run = await runAgent(fixture("sequences"));
    expect(run.status).toBe("completed");
    expect(rules(run)).toEqual(["atp.sequence.repeated", "atp.sequence.gap", "atp.event"]);
    const log = await hub.log(run.id);
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index));
    expect(log.filter((event) => event.type === "progress")).toHaveLength(5);
  });

  it("says it failed: its code and details are the run's", async () => {
    expect(await runAgent(fixture("fails"))).toMatchObject({
      status: "failed",
      failure: { code: "TOOL_NOT_FOUND" },
    });
  });

  it("did part of it: partial", async () => {
    expect((await runAgent(fixture("partial"))).status).toBe("partial");
  });

  it("cannot be found or executed: AGENT_NOT_STARTED, saying which", async () => {
    const missing = await runAgent({
      protocol: "atp",
      transport: "stdio",
      command: ["no-such-program-anywhere"],
    });
    expect(missing).toMatchObject({
      failure: { code: "AGENT_NOT_STARTED", details: { reason: "not-found" } },
    });
    const plain = await runAgent({
      protocol: "atp",
      transport: "stdio",
      command: [join(hub.folder, "proctor.db")],
    });
    expect(plain).toMatchObject({
      failure: { code: "AGENT_NOT_STARTED", details: { reason: "not-executable" } },
    });
  });
});

describe("stopping real processes", () => {
  it("cancels: SIGTERM first, and the agent's own answer is kept", async () => {
    // The grace of the others is too short for an answer on a busy machine.
    const patient = await openTestHub({ graceMs: 60_000 });
    const { run } = await patient.hub.submit({ agent: fixture("sleeps"), task });
    await patient.until(run.id, (event) => event.type === "progress");
    await patient.hub.cancel(run.id, "enough");
    expect(await patient.ended(run.id)).toMatchObject({
      status: "cancelled",
      failure: { message: "enough" },
    });
    expect((await patient.log(run.id)).at(-2)?.payload).toMatchObject({ code: 0 });
    expect(patient.problems).toEqual([]);
    await patient.close();
  });

  it("pauses the process itself: no event arrives until it is resumed", async () => {
    const enough = join(hub.folder, "enough");
    const { run } = await hub.hub.submit({ agent: fixture("pausable", "1000000", enough), task });
    await hub.until(run.id, (event) => event.type === "progress");
    await hub.hub.pause(run.id);
    const { pid, state } = processOf(run.id);
    await eventually(() => expect(state(pid)).toBe("T"));
    await hub.hub.resume(run.id);
    writeFileSync(enough, "");
    expect((await hub.ended(run.id)).status).toBe("completed");
  });

  it("retries a crash as a new run", async () => {
    const counter = join(hub.folder, "flaky-counter");
    const retry = { max_attempts: 3, initial_delay_ms: 1 };
    const { run } = await hub.hub.submit({ agent: fixture("flaky", counter, "1"), task, retry });
    const first = await hub.ended(run.id);
    expect(first).toMatchObject({ status: "failed", attempt: 1 });
    expect(await hub.ended(first.retried_as ?? "")).toMatchObject({
      status: "completed",
      attempt: 2,
      retry_of: run.id,
    });
  });
});

describe("secrets (invariant 5)", () => {
  it("never reach the database, the artifacts or a reader, in any encoding", async () => {
    const secret = "sk-Live/9f8e+7d6c=5b4a&x";
    const context = { environment: { API_KEY: secret } };
    const run = await runAgent(fixture("leaks-secret"), { context, task: { description: `use ${secret}` } });
    expect(run.status).toBe("completed");
    const shown = JSON.stringify([run, await hub.log(run.id)]);
    const base64 = Buffer.from(secret).toString("base64");
    const half = secret.slice(0, secret.length / 2);
    for (const spelling of [secret, half, base64, encodeURIComponent(secret), base64.replace(/=+$/, "")]) {
      expect(shown).not.toContain(spelling);
      expect(filesHolding(hub.folder, spelling)).toEqual([]);
    }
    expect(shown).toContain("[redacted:API_KEY]");
    expect(run.context.environment).toEqual({ API_KEY: "***" });
  });

  it("are given to the agent, which sees nothing else of ours", async () => {
    process.env["PROCTOR_TEST_OWN_SECRET"] = "not for agents";
    const script = "process.stdin.resume();console.error(JSON.stringify(Object.keys(process.env)))";
    const agent = { protocol: "atp", transport: "stdio", command: [process.execPath, "-e", script] };
    const run = await runAgent(agent, { context: { environment: { API_KEY: "k-12345678" } } });
    delete process.env["PROCTOR_TEST_OWN_SECRET"];
    const names = JSON.parse(run.failure?.details?.["stderr"] as string) as string[];
    expect(names).toContain("API_KEY");
    expect(names).not.toContain("PROCTOR_TEST_OWN_SECRET");
  });
});

async function runAgent(agent: RunRequest["agent"], request: Partial<RunRequest> = {}): Promise<Run> {
  const { run } = await hub.hub.submit({ agent, task, ...request });
  const ended = await hub.ended(run.id);
  expect(findMarked("PROCTOR_RUN_ID", run.id), "a process outlived its run").toEqual([]);
  return ended;
}

function rules(run: Run): string[] {
  return run.violations.map(({ rule }) => rule);
}

function processOf(runId: string): { pid: number; state: (pid: number) => string | undefined } {
  const [pid = 0] = findMarked("PROCTOR_RUN_ID", runId);
  return { pid, state: (id) => readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1]?.[0] };
}

function filesHolding(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}

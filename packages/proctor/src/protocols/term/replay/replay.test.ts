// Differential: whatever a terminal agent does, its recording comes to the same when it is played, without its program.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentSpec } from "../../../core/agent.ts";
import type { RunEvent } from "../../../core/event.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Job } from "../../../core/ports/driver.ts";
import type { RunRequest } from "../../../core/ports/hub.ts";
import { writeRecording } from "../../../doubles/recordings/write-recording.ts";
import { slowDown } from "../../../../test/support/protocols/slow-down.ts";
import { substanceOf } from "../../../suites/substance.ts";
import { readRecording } from "../../replay/read-recording.ts";
import { agentOf, answering, look, typist } from "../../../../test/support/term/agents.ts";
import { openTermHub, type TermHub } from "../../../../test/support/term/hub.ts";
import { openCaseTerminal } from "../../../../test/support/term/terminal.ts";
import { replay } from "./replay.ts";

const folder = mkdtempSync(join(tmpdir(), "proctor-term-replay-"));
let hub: TermHub;
beforeAll(async () => {
  const opened = await openTermHub("local", folder);
  if (typeof opened === "string") throw new Error(opened);
  hub = opened;
});
afterAll(async () => {
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

async function* each(log: readonly RunEvent[]): AsyncGenerator<RunEvent> {
  yield* log;
}

interface Outcome {
  substance: JsonObject;
  rules: string[];
  calls: unknown[];
}

async function run(
  agent: AgentSpec,
  request: Partial<RunRequest>,
): Promise<{ outcome: Outcome; file: string }> {
  const { run: ended, log } = await hub.play(agent, request);
  const file = join(folder, "recordings", `${ended.id}.jsonl`);
  await writeRecording(file, ended, each(log), { key: "k", runNumber: 1, testId: "t" });
  const { artifacts: _, ...substance } = await substanceOf(ended, each(log));
  const rules = log.flatMap((event) => (event.type === "violation" ? [event.payload.rule] : []));
  const calls = log.flatMap((event) =>
    event.type === "tool_call" ? [{ input: event.payload.input, output: event.payload.output }] : [],
  );
  return { outcome: { substance, rules, calls }, file };
}

const replayed = (file: string): AgentSpec => ({
  protocol: "replay",
  transport: "file",
  url: `file:${file}`,
});

const AGENTS: Record<string, { agent: AgentSpec; request?: Partial<RunRequest> }> = {
  "a whole trial": {
    agent: answering(
      { command: "echo 'Hello, world!' > hello.txt", text: "writing" },
      { command: "cat hello.txt; false", data: { n: 1 } },
      { command: "exit 3" },
      { command: null, task_complete: true, score: 1 },
    ),
  },
  "answers that are none": { agent: answering("nope", [1], { command: "echo ok" }, { task_complete: true }) },
  "three in a row": { agent: answering("a", "b", "c") },
  "a line too early": {
    agent: agentOf(
      `await next(); say({ command: "echo 1" }); say({ command: "echo early" }); await next(); say({ task_complete: true });`,
    ),
  },
  "a last line without its break": {
    agent: agentOf(`await next(); process.stdout.write('{"task_complete":true}');`),
  },
  "a crash in the middle": {
    agent: agentOf(
      `await next(); say({ command: "echo 1" }); await next(); console.error("oh no"); process.exitCode = 7;`,
    ),
  },
  silence: {
    agent: agentOf(`await next(); say({ command: "echo 1" }); await next(); await forever();`),
    // Long enough for the first answer on any machine.
    request: { options: { terminal: { agent_response_seconds: 3 } } },
  },
  "staying after the end": { agent: agentOf(`await next(); say({ task_complete: true }); await forever();`) },
  "closing its output": { agent: agentOf(`await next(); require("fs").closeSync(1); await forever();`) },
  "running out of time": {
    agent: agentOf(`await next(); say({ command: "echo 1" }); await next(); await forever();`),
    // Long enough for the first command on any machine, live and played.
    request: { constraints: { timeout_seconds: 5 } },
  },
  "no such program": { agent: { protocol: "term", transport: "stdio", command: ["/no/such/program"] } },
};

describe("a terminal agent that is recorded", () => {
  it.concurrent.each(Object.entries(AGENTS))(
    "comes to the same when it is played: %s",
    async (_what, { agent, request = {} }) => {
      const live = await run(agent, { ...request, options: { ...request.options, record: true } });
      const played = await run(replayed(live.file), request);
      expect(played.outcome).toEqual(live.outcome);
    },
  );

  it("is played at once, however long it took", async () => {
    const { file } = await run(AGENTS["silence"]?.agent ?? typist(), {
      options: { record: true, terminal: { agent_response_seconds: 1 } },
    });
    // Waiting for the recorded times, or for the agent's next answer, would hang.
    slowDown(file);
    const { outcome } = await run(replayed(file), {
      options: { terminal: { agent_response_seconds: 86_400 } },
    });
    expect(JSON.stringify(outcome)).toContain("AGENT_RESPONSE_TIMEOUT");
  });

  it("works in a live terminal, where there is one", async () => {
    const { file } = await run(typist("echo one > a", "cat a", "pwd"), { options: { record: true } });
    const terminal = await openCaseTerminal();
    try {
      const job: Job = {
        runId: randomUUID(),
        spec: replayed(file),
        task: { description: "Create hello.txt with 'Hello, world!'" },
        constraints: {},
        context: {},
        metadata: {},
        traceId: "0123456789abcdef0123456789abcdef",
        terminal: terminal.environment,
      };
      const never = new AbortController().signal;
      const reports = [];
      for await (const report of replay(await readRecording(file), job, { cancel: never, kill: never }))
        reports.push(report);
      const { calls, ends, artifacts } = look(reports);
      expect(terminal.commands).toEqual(["echo one > a", "cat a", "pwd"]);
      expect(calls).toMatchObject([
        {},
        { output: { output: "one" } },
        { output: { output: terminal.workdir } },
      ]);
      expect(ends).toEqual([{ status: "completed" }]);
      expect(artifacts.length).toBeGreaterThanOrEqual(3);
    } finally {
      await terminal.close();
    }
  });

  it("may be one that is built in", async () => {
    const oracle = { protocol: "term", transport: "builtin", command: ["oracle"] };
    const { file, outcome } = await run(oracle, {
      options: { record: true, terminal: { script: ["echo x", "pwd"] } },
    });
    const played = await run(replayed(file), {});
    expect(played.outcome.substance["status"]).toBe("completed");
    expect(played.outcome.calls[0]).toEqual(outcome.calls[0]);
  });
});

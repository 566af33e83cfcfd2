// Agents that break the protocol, hang, crash, flood or leave things behind: each becomes a record and a status, and nothing stays.
import { randomUUID } from "node:crypto";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test as base } from "vitest";
import type { AgentSpec } from "../../core/agent.ts";
import type { TerminalOptions } from "../../core/environment.ts";
import { agentOf, answering, look, typist, type Seen } from "../../../test/support/term/agents.ts";
import { createManualAlarms } from "../../../test/support/term/manual-alarms.ts";
import {
  openCaseTerminal,
  startTrial,
  type CaseTerminal,
  type Trial,
} from "../../../test/support/term/terminal.ts";
import { createTermDriver, type TermDriverOptions } from "./driver.ts";

interface Stage {
  terminal: CaseTerminal;
  start: (spec: AgentSpec, options?: TerminalOptions, driver?: TermDriverOptions) => Trial;
  /** Runs the agent to its end. */
  run: (spec: AgentSpec, options?: TerminalOptions) => Promise<Seen>;
}

/** Each test has a terminal of its own, so that they can wait side by side. */
const it = base.extend<{ stage: Stage }>({
  // oxlint-disable-next-line no-empty-pattern
  stage: async ({}, use) => {
    const terminal = await openCaseTerminal();
    const start: Stage["start"] = (spec, options = {}, driver = {}) =>
      startTrial({ spec, terminal: terminal.environment, options: { terminal: options } }, driver);
    await use({
      terminal,
      start,
      async run(spec, options) {
        const trial = start(spec, options);
        await trial.done;
        return look(trial.reports);
      },
    });
    await terminal.close();
  },
});

describe.concurrent("an answer that breaks the protocol", () => {
  it("is asked for again: the same step, and why", async ({ stage: { run } }) => {
    const { requests, violations, logs, ends, calls } = await run(
      answering("this is not JSON", { command: 42 }, { command: "echo ok" }, { task_complete: true }),
    );
    expect(requests).toMatchObject([{ step: 1 }, { step: 1 }, { step: 1 }, { step: 2 }]);
    expect(requests[0]).not.toHaveProperty("error");
    expect(requests[1]?.["error"]).toMatch(/^the line is not JSON; answer with one JSON object on one line/);
    expect(requests[2]?.["error"]).toMatch(/^command must be a text or null, and is a number; /);
    const { error: _, ...again } = requests[1] ?? {};
    expect(again).toEqual(requests[0]);
    expect(requests[3]).not.toHaveProperty("error");
    expect(violations).toMatchObject([
      { rule: "term.json", message: "the line is not JSON" },
      { rule: "term.schema", where: "response.command" },
    ]);
    expect(logs).toContain("this is not JSON");
    expect(calls).toMatchObject([{ call_id: "step-1", output: { output: "ok" } }]);
    expect(ends).toMatchObject([{ status: "completed" }]);
  });

  it("fails the run at the third in a row; a good one starts the count anew", async ({ stage: { run } }) => {
    const bad = "nope";
    const { requests, ends } = await run(
      answering(bad, bad, { command: "true" }, bad, bad, { command: "true" }, bad, bad, bad),
    );
    expect(requests.map(({ step }) => step)).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
    expect(ends).toMatchObject([{ failure: { code: "INVALID_RESPONSE", details: { step: 3, count: 3 } } }]);
  });

  it.for<[what: string, line: string, message: string]>([
    ["a text", '"ls"', "must be a JSON object, and is a string"],
    ["a list", '[{"command":"ls"}]', "must be a JSON object, and is a list"],
    ["null", "null", "must be a JSON object, and is null"],
    ["two objects in a line", '{"command":"a"}{"command":"b"}', "the line is not JSON"],
    ["too deep", `{"a":${"[".repeat(5000)}`, "the JSON is nested too deeply"],
    ["a flag that is none", '{"task_complete":"yes"}', "task_complete must be true or false"],
  ])("is not executed: %s", async ([_what, line, message], { stage: { run } }) => {
    const { ends, calls } = await run(answering(line, line, line));
    expect(calls).toEqual([]);
    expect(ends).toMatchObject([{ failure: { code: "INVALID_RESPONSE" } }]);
    expect(ends[0]?.failure?.message).toContain(message);
  });

  it("is never one that is spread over lines", async ({ stage: { run, terminal } }) => {
    const { ends } = await run(
      agentOf(`while (await next()) say(JSON.stringify({ command: "touch f" }, null, 2));`),
    );
    expect(ends).toMatchObject([{ failure: { code: "INVALID_RESPONSE" } }]);
    expect(terminal.commands).toEqual([]);
  });

  it("is taken out of the text around it where the run is lenient", async ({ stage: { run } }) => {
    const agent = agentOf(`say("Loading the model..."); await next();
      say('Sure! {"command": "echo {a}", "task_complete": false} Hope that helps.'); await next(); say({ task_complete: true });`);
    const lenient = await run(agent, { lenient: true });
    expect(lenient.calls).toMatchObject([{ input: { command: "echo {a}" } }]);
    expect(lenient.rules).toEqual(["term.json", "term.json"]);
    expect(lenient.ends).toMatchObject([{ status: "completed" }]);
  });

  it("may end without a line break when the agent exits", async ({ stage: { run } }) => {
    const { rules, ends, calls } = await run(
      agentOf(`await next(); process.stdout.write('{"command":"echo x","task_complete":true}');`),
    );
    expect(calls).toHaveLength(1);
    expect(rules).toEqual(["term.line"]);
    expect(ends).toMatchObject([{ status: "completed" }]);
  });

  it("is not an empty line: the same step is asked for again at once, three times", async ({
    stage: { run },
  }) => {
    const again = await run(
      agentOf(
        `const ask = async () => console.error("REQUEST " + JSON.stringify(await next())); await ask(); say(""); await ask(); say("  "); await ask(); say({ task_complete: true });`,
      ),
    );
    expect(again.rules).toEqual(["term.line", "term.line"]);
    expect(again.requests).toMatchObject([
      { step: 1 },
      { step: 1, error: expect.stringContaining("empty line") },
      { step: 1, error: expect.stringContaining("empty line") },
    ]);
    expect(again.ends).toMatchObject([{ status: "completed" }]);
    const never = await run(agentOf(`for (;;) { await next(); say(""); }`));
    expect(never.ends).toMatchObject([{ status: "failed", failure: { code: "INVALID_RESPONSE" } }]);
  });

  it("may come along with empty lines, which are violations", async ({ stage: { run } }) => {
    const { rules, requests, ends } = await run(
      agentOf(
        `console.error("REQUEST " + JSON.stringify(await next())); process.stdout.write('\\n  \\n{"task_complete":true}\\n\\n');`,
      ),
    );
    expect(rules).toEqual(["term.line", "term.line", "term.line"]);
    expect(requests).toHaveLength(1);
    expect(ends).toMatchObject([{ status: "completed" }]);
  });

  it("that is not UTF-8 is a violation", async ({ stage: { run } }) => {
    const { rules } = await run(
      agentOf(
        `await next(); process.stdout.write(Buffer.concat([Buffer.from('{"task_complete":true,"text":"'), Buffer.of(0xff), Buffer.from('"}\\n')]));`,
      ),
    );
    expect(rules).toEqual(["line.encoding"]);
  });
});

describe.concurrent("a line that nobody asked for", () => {
  const twoAtOnce = agentOf(`
    await next(); say(JSON.stringify({ command: "echo one" }) + "\\n" + JSON.stringify({ command: "echo two" }));
    const request = await next(); console.error("REQUEST " + JSON.stringify(request));
    if (request.last_command === "echo one") say({ command: "echo three" });
    const last = await next(); console.error("REQUEST " + JSON.stringify(last)); say({ task_complete: true });`);

  it("is not the answer to the next request", async ({ stage: { run } }) => {
    const { calls, violations } = await run(twoAtOnce);
    expect(calls.map(({ input }) => (input as { command: string }).command)).toEqual([
      "echo one",
      "echo three",
    ]);
    expect(violations).toEqual([
      { rule: "term.unasked", message: "a line came before the request that it would answer" },
    ]);
  });

  it("answers the next request where the run is lenient", async ({ stage: { run } }) => {
    const { calls, rules } = await run(twoAtOnce, { lenient: true });
    expect(calls.slice(0, 2).map(({ input }) => (input as { command: string }).command)).toEqual([
      "echo one",
      "echo two",
    ]);
    expect(rules[0]).toBe("term.unasked");
  });

  it("is not executed after the last answer", async ({ stage: { run, terminal } }) => {
    const { rules, ends } = await run(
      agentOf(`await next(); say({ task_complete: true }); say({ command: "touch late" }); say("bye");`),
    );
    expect(rules).toEqual(["term.unasked", "term.unasked"]);
    expect(terminal.commands).toEqual([]);
    expect(ends).toMatchObject([{ status: "completed" }]);
  });

  it("cannot flood the hub", async ({ stage: { run } }) => {
    const { ends } = await run(
      agentOf(`await next(); say({ command: "true" }); for (let i = 0; i < 200000; i++) if (!process.stdout.write("noise\\n"))
        await new Promise((go) => process.stdout.once("drain", go)); await next(); say({ task_complete: true });`),
    );
    expect(ends).toHaveLength(1);
  });
});

describe.concurrent("an agent that leaves", () => {
  it.for<[how: string, code: string, expected: string, details: object]>([
    ["with a code", `process.exit(7)`, "AGENT_CRASHED", { code: 7, signal: null }],
    ["with success", `process.exit(0)`, "NO_RESPONSE", { code: 0, signal: null }],
    [
      "by a signal",
      `process.kill(process.pid, "SIGKILL"); await forever()`,
      "AGENT_CRASHED",
      { code: null, signal: "SIGKILL" },
    ],
    ["by an exception", `throw new Error("boom")`, "AGENT_CRASHED", { code: 1, signal: null }],
  ])(
    "in the middle, %s, has failed, with its last words",
    async ([_how, code, expected, details], { stage: { run } }) => {
      const { ends, kinds, calls } = await run(
        agentOf(
          `await next(); say({ command: "echo one" }); await next(); console.error("last words"); ${code}`,
        ),
      );
      expect(calls).toHaveLength(1);
      expect(kinds).toContain("process.exited");
      expect(ends).toMatchObject([
        { status: "failed", failure: { code: expected, details: { ...details, step: 2 } } },
      ]);
      expect(ends[0]?.failure?.details?.["stderr"]).toContain("last words");
    },
  );

  it("keeps the last 64 KB of stderr", async ({ stage: { run } }) => {
    const { ends } = await run(
      agentOf(
        `await next(); for (let i = 0; i < 3000; i++) console.error(i + " " + "x".repeat(60)); process.exitCode = 3;`,
      ),
    );
    const said = JSON.stringify(ends[0]?.failure?.details?.["stderr"] ?? null);
    expect(said.length).toBeGreaterThan(60 * 1024);
    expect(said.length).toBeLessThan(64 * 1024 + 4000);
    expect(said).toContain("2999 xxx");
  });

  it("without its output open is ended, and has failed", async ({ stage: { run } }) => {
    const { ends, rules } = await run(agentOf(`await next(); require("fs").closeSync(1); await forever();`));
    expect(ends).toMatchObject([
      { failure: { code: "NO_RESPONSE", message: expect.stringMatching(/closed its output/) } },
    ]);
    expect(rules).toContain("process.lingered");
  });

  it("with another code than 0 after its last answer is a violation", async ({ stage: { run } }) => {
    const { ends, rules } = await run(
      agentOf(`await next(); say({ task_complete: true }); process.exitCode = 4;`),
    );
    expect(ends).toMatchObject([{ status: "completed" }]);
    expect(rules).toEqual(["process.exit_code"]);
  });

  it("not at all, and ignores SIGTERM, is ended after its last answer", async ({ stage: { run } }) => {
    const { ends, rules } = await run(
      agentOf(
        `process.on("SIGTERM", () => {}); await next(); say({ task_complete: true }); await forever();`,
      ),
    );
    expect(ends).toMatchObject([{ status: "completed" }]);
    expect(rules).toEqual(["process.lingered"]);
  });

  it("with daemons left behind loses them", async ({ stage: { run } }) => {
    const { ends, rules } = await run(
      agentOf(`require("child_process").spawn("setsid", ["sleep", "98765"], { stdio: "ignore", detached: true }).unref();
        await next(); say({ task_complete: true });`),
    );
    expect(ends).toMatchObject([{ status: "completed" }]);
    expect(rules).toEqual(["process.leftover"]);
    expect(spawnSync("pgrep", ["-f", "sleep 98765"]).stdout.toString()).toBe("");
  });

  it("was never started when its program does not exist", async ({ stage: { run } }) => {
    const { ends } = await run({ protocol: "term", transport: "stdio", command: ["/no/such/program"] });
    expect(ends).toMatchObject([
      { failure: { code: "AGENT_NOT_STARTED", details: { reason: "not-found" } } },
    ]);
  });
});

describe.concurrent("the time for an answer", () => {
  /** Agents and commands wait for files of this name, so that the test says when they go on. */
  const waitFor = (file: string): string =>
    `while (!require("fs").existsSync(${JSON.stringify(file)})) await new Promise((go) => setTimeout(go, 10));`;

  it("is limited, and the limit is named", async ({ stage: { start } }) => {
    const alarms = createManualAlarms();
    const agent = agentOf(
      `console.error("thinking"); await next(); console.error("asked"); await forever();`,
    );
    const trial = start(agent, { agent_response_seconds: 1 }, alarms);
    await expect.poll(() => look(trial.reports).logs.join()).toContain("asked");
    alarms.pass(1000);
    await trial.done;
    expect(look(trial.reports).ends).toMatchObject([
      {
        status: "failed",
        failure: {
          code: "AGENT_RESPONSE_TIMEOUT",
          details: { limit: "agent_response", seconds: 1, step: 1, stderr: "thinking\nasked" },
        },
      },
    ]);
  });

  it("is not used up by other answers, nor by commands", async ({ stage: { start, terminal } }) => {
    const alarms = createManualAlarms();
    const file = (name: string): string => join(terminal.workdir, name);
    const steps = [1, 2, 3];
    const answers = steps.map(
      (step) =>
        `await next(); console.error("asked ${step}"); ${waitFor(file(`answer-${step}`))} say({ command: "until [ -e command-${step} ]; do sleep 0.01; done" });`,
    );
    const agent = agentOf(`${answers.join("\n")} await next(); say({ task_complete: true });`);
    const trial = start(agent, { agent_response_seconds: 10 }, alarms);
    for (const step of steps) {
      await expect.poll(() => look(trial.reports).logs.join()).toContain(`asked ${step}`);
      alarms.pass(6000);
      writeFileSync(file(`answer-${step}`), "");
      await expect.poll(() => terminal.commands.length).toBe(step);
      alarms.pass(60_000);
      writeFileSync(file(`command-${step}`), "");
    }
    await trial.done;
    const { ends, calls } = look(trial.reports);
    expect(calls).toHaveLength(3);
    expect(ends).toMatchObject([{ status: "completed" }]);
  });

  it("is up for an agent that never ends its line", async ({ stage: { run } }) => {
    const { ends } = await run(
      agentOf(`await next(); process.stdout.write('{"command":"true"}'); await forever();`),
      {
        agent_response_seconds: 1,
      },
    );
    expect(ends).toMatchObject([{ failure: { code: "AGENT_RESPONSE_TIMEOUT" } }]);
  });

  it("stands still while the run is paused", async ({ stage: { start, terminal } }) => {
    const alarms = createManualAlarms();
    const go = join(terminal.workdir, "go");
    const agent = agentOf(
      `await next(); say({ command: "echo one" }); await next(); console.error("asked"); ${waitFor(go)} say({ task_complete: true });`,
    );
    const trial = start(agent, { agent_response_seconds: 10 }, alarms);
    await expect.poll(() => look(trial.reports).logs.join()).toContain("asked");
    alarms.pass(9000);
    trial.pause();
    alarms.pass(60_000);
    trial.resume();
    alarms.pass(900);
    expect(look(trial.reports).ends).toEqual([]);
    writeFileSync(go, "");
    await trial.done;
    expect(look(trial.reports).ends).toMatchObject([{ status: "completed" }]);
  });
});

it("a paused terminal run sends nothing and executes nothing", async ({ stage: { start, terminal } }) => {
  const trial = start(agentOf(`for (;;) { if (!(await next())) return; say({ command: "echo x" }); }`), {
    max_steps: 100_000,
  });
  await expect.poll(() => terminal.commands.length).toBeGreaterThan(5);
  trial.pause();
  const count = terminal.commands.length;
  // A loop that went on would execute about as many commands as programs are started here meanwhile.
  for (let started = 0; started < 20; started++) await once(spawn("true"), "exit");
  // One may have been on its way.
  expect(terminal.commands.length).toBeLessThanOrEqual(count + 1);
  trial.resume();
  await expect.poll(() => terminal.commands.length).toBeGreaterThan(count);
  trial.kill();
  await trial.done;
});

describe.concurrent("stopping a terminal agent", () => {
  it("asks the agent, ends its command, and keeps what there is", async ({ stage: { start, terminal } }) => {
    const trial = start(typist("echo kept > f", "sleep 60"));
    await expect.poll(() => terminal.commands.length).toBe(2);
    trial.cancel();
    await trial.done;
    const { ends, artifacts } = look(trial.reports);
    expect(ends).toMatchObject([{ status: "cancelled" }]);
    const names = artifacts.map((one) => (one.type === "structured" ? one.name : one.path));
    expect(names).toEqual(
      expect.arrayContaining(["changes", "terminal/recording.cast", "terminal/snapshots/step-2.tar"]),
    );
  });

  it("kills one that ignores SIGTERM", async ({ stage: { start } }) => {
    const trial = start(
      agentOf(`process.on("SIGTERM", () => {}); console.error("up"); await next(); await forever();`),
    );
    await expect.poll(() => look(trial.reports).logs.join()).toContain("up");
    trial.kill();
    await trial.done;
    expect(look(trial.reports).ends).toMatchObject([{ status: "cancelled" }]);
  });

  it("before it began ends the run as cancelled", async ({ stage: { start } }) => {
    const trial = start(typist("true"));
    trial.cancel();
    await trial.done;
    expect(look(trial.reports).ends).toMatchObject([{ status: "cancelled" }]);
  });
});

it("a terminal run fails with ENVIRONMENT_FAILED when the terminal breaks in the middle", async ({
  stage: { start, terminal },
}) => {
  const broken = join(terminal.workdir, "broken");
  const agent = agentOf(`await next(); say({ command: "echo one" }); await next(); console.error("two");
    while (!require("fs").existsSync(${JSON.stringify(broken)})) await new Promise((go) => setTimeout(go, 10));
    say({ command: "echo two" }); await next();`);
  const trial = start(agent);
  await expect.poll(() => look(trial.reports).logs.join()).toContain("two");
  terminal.breakDown();
  writeFileSync(broken, "");
  await trial.done;
  expect(look(trial.reports).ends).toMatchObject([
    {
      failure: {
        code: "ENVIRONMENT_FAILED",
        message: expect.stringMatching(/at step 2: the sandbox is gone/),
      },
    },
  ]);
});

it("a terminal agent is stopped when nobody reads its reports any more", async ({ stage: { terminal } }) => {
  const { environment } = terminal;
  const never = new AbortController().signal;
  const job = {
    runId: randomUUID(),
    spec: agentOf(`process.on("SIGTERM", () => {}); console.error("pid " + process.pid); await forever();`),
    task: { description: "x" },
    constraints: {},
    context: {},
    metadata: {},
    traceId: "0123456789abcdef0123456789abcdef",
    terminal: environment,
  };
  let pid = 0;
  for await (const report of createTermDriver({ hubId: "case" }).open(job, { cancel: never, kill: never })) {
    const [, found] =
      report.kind === "event" && report.event.type === "log"
        ? (/pid (\d+)/.exec(report.event.payload.text) ?? [])
        : [];
    if (found === undefined) continue;
    pid = Number(found);
    break;
  }
  expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
});

it("an answer of 100 MB is refused without growing the memory", async ({ stage: { run } }) => {
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
  const { rules, ends, calls } = await run(
    agentOf(`await next(); const piece = "x".repeat(1024 * 1024);
      for (let i = 0; i < 100; i++) if (!process.stdout.write(piece)) await new Promise((go) => process.stdout.once("drain", go));
      process.stdout.write("\\n"); await next(); say({ command: "echo fine" }); await next(); say({ task_complete: true });`),
  );
  clearInterval(timer);
  expect(rules).toEqual(["line.too_long"]);
  expect(calls).toHaveLength(1);
  expect(ends).toMatchObject([{ status: "completed" }]);
  expect((peak - before) / 1024 / 1024).toBeLessThan(80);
});

// The loop of document 002 with real programs and a real shell: what agents are sent, what comes of what they answer, how it ends.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Job } from "../../core/ports/driver.ts";
import { agentOf, answering, contentOf, look, typist, type Seen } from "../../../test/support/term/agents.ts";
import { openCaseTerminal, startTrial, type CaseTerminal } from "../../../test/support/term/terminal.ts";

let terminal: CaseTerminal;
beforeEach(async () => {
  terminal = await openCaseTerminal();
});
afterEach(() => terminal.close());

async function run(
  spec: Job["spec"],
  options: Job["options"] = {},
  more: Partial<Job> = {},
): Promise<Seen & { reports: ReturnType<typeof startTrial>["reports"] }> {
  const trial = startTrial({ spec, terminal: terminal.environment, options, ...more });
  await trial.done;
  return { ...look(trial.reports), reports: trial.reports };
}

describe("the steps of a terminal agent", () => {
  it("go as the document's complete example does", async () => {
    const { requests, calls, thoughts, ends, rules } = await run(
      answering(
        { command: "echo 'Hello, world!' > hello.txt", task_complete: false },
        { command: "cat hello.txt", task_complete: false, text: "Verifying file was created" },
        { command: null, task_complete: true, text: "File created successfully" },
      ),
    );
    const same = { instruction: "Create hello.txt with 'Hello, world!'", cwd: terminal.workdir };
    expect(requests).toEqual([
      { ...same, step: 1, last_command: null, output: null, exit_code: null },
      { ...same, step: 2, last_command: "echo 'Hello, world!' > hello.txt", output: "", exit_code: 0 },
      { ...same, step: 3, last_command: "cat hello.txt", output: "Hello, world!", exit_code: 0 },
    ]);
    expect(Object.keys(requests[0] ?? {})).toEqual([
      "instruction",
      "step",
      "last_command",
      "output",
      "exit_code",
      "cwd",
    ]);
    expect(calls).toMatchObject([
      {
        tool: "shell",
        call_id: "step-1",
        input: { command: "echo 'Hello, world!' > hello.txt", step: 1 },
        output: { output: "", exit_code: 0, cwd: terminal.workdir },
        status: "success",
        duration_ms: expect.any(Number) as number,
      },
      { call_id: "step-2", output: { output: "Hello, world!", exit_code: 0 } },
    ]);
    expect(thoughts).toEqual([
      { thought: "Verifying file was created", step: "step-2" },
      { thought: "File created successfully", step: "step-3" },
    ]);
    expect(ends).toEqual([{ status: "completed" }]);
    expect(rules).toEqual([]);
    expect(await readFile(join(terminal.workdir, "hello.txt"), "utf8")).toBe("Hello, world!\n");
  });

  it("are one process: what it remembers stays", async () => {
    const agent = agentOf(`
      let count = 0;
      while (await next()) { count++; say(count < 3 ? { command: "echo " + process.pid } : { task_complete: true }); if (count === 3) return; }`);
    const { calls } = await run(agent);
    const pids = calls.map(({ output }) => (output as { output: string }).output);
    expect(pids).toHaveLength(2);
    expect(new Set(pids).size).toBe(1);
  });

  it("share one shell: the real directory, exit codes, variables and functions", async () => {
    const { requests } = await run(
      typist(
        "mkdir -p a/b && cd a/b",
        "X=1; f() { echo f$X; }",
        "f; false",
        "echo out; echo err >&2",
        "printf 'a\\n\\n'",
      ),
    );
    expect(requests.slice(1)).toMatchObject([
      { cwd: join(terminal.workdir, "a/b"), exit_code: 0, output: "" },
      { exit_code: 0 },
      { output: "f1", exit_code: 1 },
      { output: "out\nerr", exit_code: 0 },
      { output: "a\n" },
    ]);
    expect(terminal.shells).toBe(1);
  });

  it("have a shell of their own with shell: fresh, in the directory of the last", async () => {
    const { requests } = await run(typist("mkdir d; cd d; X=1", "echo [$X]", "exit 3"), {
      terminal: { shell: "fresh" },
    });
    expect(requests.slice(1)).toMatchObject([
      { cwd: join(terminal.workdir, "d") },
      { output: "[]", cwd: join(terminal.workdir, "d") },
      { exit_code: 3, output: "" },
    ]);
    expect(requests[3]).not.toHaveProperty("shell_restarted");
    expect(terminal.shells).toBe(3);
  });

  it("run a command that comes with task_complete, and then are over", async () => {
    const { calls, ends } = await run(answering({ command: "echo last > f", task_complete: true }));
    expect(calls).toMatchObject([{ call_id: "step-1", status: "success" }]);
    expect(ends).toEqual([{ status: "completed" }]);
    expect(await readFile(join(terminal.workdir, "f"), "utf8")).toBe("last\n");
  });

  it("may ask for nothing, up to the limit in a row", async () => {
    const nothing = { command: null, task_complete: false };
    const { requests, ends, calls } = await run(
      answering(nothing, {}, { command: "" }, { command: "false" }, nothing, nothing, nothing, nothing),
    );
    expect(requests[1]).toMatchObject({ step: 2, last_command: null, output: "", exit_code: 0 });
    expect(requests).toHaveLength(8);
    expect(calls).toHaveLength(1);
    expect(ends).toMatchObject([
      { status: "failed", failure: { code: "TOO_MANY_NOOPS", details: { limit: "noop_limit", count: 4 } } },
    ]);
    const strict = await run(answering(nothing), { terminal: { noop_limit: 0 } });
    expect(strict.ends).toMatchObject([{ failure: { code: "TOO_MANY_NOOPS" } }]);
  });

  it("are limited in number", async () => {
    const many = agentOf(`for (;;) { if (!(await next())) return; say({ command: "true" }); }`);
    const { calls, ends } = await run(many, { terminal: { max_steps: 5 } });
    expect(calls).toHaveLength(5);
    expect(ends).toMatchObject([
      { failure: { code: "MAX_STEPS", details: { limit: "max_steps", steps: 5 } } },
    ]);
    expect((await run(many, {}, { constraints: { max_steps: 2 } })).calls).toHaveLength(2);
    expect((await run(many)).calls).toHaveLength(100);
  });

  it("show what a command that took too long had printed, with 124, and go on", async () => {
    const { requests, calls } = await run(typist("echo before && sleep 30 && echo after", "echo next"), {
      // Long enough for the first words and for the second command on any machine.
      terminal: { command_seconds: 3 },
    });
    expect(requests[1]).toMatchObject({ exit_code: 124, output: "before", timed_out: true });
    expect(requests[2]).toMatchObject({ output: "next", exit_code: 0 });
    expect(calls[0]).toMatchObject({
      status: "timeout",
      output: { timed_out: true, exit_code: 124 },
      error: "the command took longer than 3 s and was ended",
      details: { limit: "command", seconds: 3 },
    });
  });

  it("say when the shell was replaced by a new one", async () => {
    const { requests, calls } = await run(
      typist("mkdir d && cd d", "X=1; exit 3", "echo [$X]", "kill -9 $$"),
    );
    expect(requests[2]).toMatchObject({
      exit_code: 3,
      shell_restarted: "exited",
      cwd: join(terminal.workdir, "d"),
    });
    expect(requests[2]?.["output"]).toMatch(
      /^\[proctor\] the shell exited; a new one was started in \S+\/d, without/,
    );
    expect(requests[3]).toMatchObject({ output: "[]", exit_code: 0 });
    expect(requests[4]).toMatchObject({ shell_restarted: "killed", exit_code: 137 });
    expect(calls[1]).toMatchObject({ output: { shell_restarted: "exited" }, status: "error" });
  });

  it("show the head and the tail of much output, and keep all of it", async () => {
    const command = "for i in $(seq 1 3000); do echo line $i; done; echo ü";
    const { requests, calls, artifacts } = await run(typist(command), { terminal: { output_limit: 1000 } });
    const whole = `${Array.from({ length: 3000 }, (_, index) => `line ${index + 1}`).join("\n")}\nü\n`;
    const bytes = Buffer.byteLength(whole);
    expect(requests[1]).toMatchObject({ truncated: true, output_bytes: bytes, exit_code: 0 });
    expect(Buffer.byteLength(String(requests[1]?.["output"]))).toBeLessThan(1200);
    expect(requests[1]?.["output"]).toMatch(/^line 1\nline 2\n[^]*line 3000\nü$/);
    expect(calls[0]).toMatchObject({ output: { truncated: true, output_bytes: bytes } });
    const kept = artifacts.find(
      (artifact) => artifact.type === "file" && artifact.path === "terminal/output-1.txt",
    );
    expect(kept).toMatchObject({ extensions: { step: 1, output_bytes: bytes } });
    // Nobody read it, and it is gone with the session.
    await expect(contentOf(kept)).rejects.toThrow(/ENOENT/);
  });

  it("keep fields that nobody knows, and data", async () => {
    const { reports, ends } = await run(
      answering(
        { command: "true", task_complete: false, data: { a: [1] }, novelty: "x" },
        { command: null, task_complete: true, score: 0.5 },
      ),
    );
    expect(
      reports.find((report) => report.kind === "event" && report.event.type === "tool_call"),
    ).toMatchObject({
      event: { origin: { data: { a: [1] }, novelty: "x" } },
    });
    expect(ends).toEqual([{ status: "completed", extensions: { score: 0.5 } }]);
  });

  it("ask once more whether it is done, where that is wanted", async () => {
    const confirm = { terminal: { confirm_completion: true } };
    const sure = await run(
      agentOf(`for (;;) { const request = await next(); if (!request) return; console.error("REQUEST " + JSON.stringify(request));
        say({ command: request.step === 1 ? "echo x" : null, task_complete: true }); if (request.confirm_completion) return; }`),
      confirm,
    );
    expect(sure.requests).toMatchObject([{ step: 1 }, { step: 2, confirm_completion: true, output: "x" }]);
    expect(sure.ends).toEqual([{ status: "completed" }]);
    // Most agents leave when they have said it once.
    expect((await run(answering({ task_complete: true }), confirm)).ends).toEqual([{ status: "completed" }]);
    const unsure = await run(
      agentOf(`await next(); say({ task_complete: true }); const request = await next();
        say({ command: "echo more" }); await next(); say({ task_complete: true }); await next(); say({ task_complete: true });`),
      confirm,
    );
    expect(unsure.calls).toHaveLength(1);
    expect(unsure.ends).toEqual([{ status: "completed" }]);
  });
});

it("logs of a terminal agent are captured, and its variables are the run's", async () => {
  const agent =
    agentOf(`console.error("[agent] Processing step 1...", process.env.LLM_MODEL, process.env.KEY, process.env.OWN,
    process.env.PROCTOR_RUN_ID, process.env.TRACEPARENT.slice(0, 35), process.env.PROCTOR_HUB_ID); await next(); say({ task_complete: true });`);
  const runId = randomUUID();
  const { logs } = await run(
    { ...agent, env: { OWN: "o" } },
    {},
    {
      runId,
      env: { LLM_MODEL: "m" },
      context: { environment: { KEY: "k" } },
    },
  );
  expect(logs.join("\n")).toContain(
    `[agent] Processing step 1... m k o ${runId} 00-0123456789abcdef0123456789abcdef case`,
  );
});

describe("a terminal agent in an environment of its own", () => {
  it("is started there, and works in the terminal all the same", async () => {
    const place = await openCaseTerminal();
    try {
      const agent = agentOf(
        `console.error("cwd " + process.cwd()); await next(); say({ command: "pwd" }); await next(); say({ task_complete: true });`,
      );
      const { calls, logs, ends } = await run(agent, {}, { environment: place.environment });
      expect(logs.join()).toContain(`cwd ${place.workdir}`);
      expect(calls).toMatchObject([{ output: { output: terminal.workdir } }]);
      expect(ends).toEqual([{ status: "completed" }]);
    } finally {
      await place.close();
    }
  });

  it("fails with AGENT_NOT_STARTED when its program is not there", async () => {
    const spec = { protocol: "term", transport: "stdio", command: ["/no/such/program"] };
    const { ends } = await run(spec, {}, { environment: terminal.environment });
    expect(ends).toMatchObject([
      { failure: { code: "AGENT_NOT_STARTED", details: { reason: "not-found" } } },
    ]);
  });
});

describe("what a terminal run keeps", () => {
  it("is the state of the files, what changed, and a recording", async () => {
    const { artifacts } = await run(typist("echo hi > f; echo shown"));
    const byName = new Map(artifacts.map((one) => [one.type === "structured" ? one.name : one.path, one]));
    expect(byName.get("changes")).toMatchObject({
      type: "structured",
      data: [{ path: join(terminal.workdir, "f"), change: "added", type: "file" }],
    });
    expect(byName.get("terminal/snapshots/step-2.tar")).toMatchObject({
      extensions: { step: 2, final: true },
    });
    expect(await contentOf(byName.get("terminal/snapshots/step-2.tar"))).toBe("f\nhi\n\n");
    expect(byName.get("terminal/recording.cast")).toMatchObject({ content_type: "application/x-asciicast" });
    expect(await contentOf(byName.get("terminal/recording.cast"))).toContain("echo shown");
  });
});

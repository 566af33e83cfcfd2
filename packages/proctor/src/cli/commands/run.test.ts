// `proctor run`: what is asked of the hub, what is shown, and what the exit code says.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EventDraft } from "../../core/event.ts";
import { createIo, createProgramDouble, type Script } from "../../../test/support/cli/program-double.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-run-"));
  await writeFile(join(folder, "data.json"), '{"rows": [1, 2]}');
  await writeFile(join(folder, "list.json"), "[1]");
  await writeFile(join(folder, "broken.json"), "{rows");
});
afterAll(() => rm(folder, { recursive: true }));

const RUN = ["run", "--agent", "writer", "--task", "Say hello"];

const busy: Script = function* (): Generator<EventDraft> {
  yield { type: "run.started", payload: { worker: "here" } };
  yield {
    type: "progress",
    payload: { current_step: 1, total_steps: 4, percentage: 25, message: "reading" },
  };
  yield {
    type: "tool_call",
    payload: { tool: "read", input: { path: "a.txt" }, output: "hello", duration_ms: 12, status: "success" },
  };
  yield {
    type: "llm_request",
    payload: { model: "m-1", input_tokens: 1200, output_tokens: 340, cost_usd: 0.0123 },
  };
  yield {
    type: "artifact.added",
    payload: {
      artifact: {
        id: "a1",
        type: "file",
        path: "report.md",
        content_type: "text/markdown",
        size_bytes: 1234,
      },
    },
  };
  yield { type: "violation", payload: { rule: "atp.event", message: "went backwards" } };
  yield { type: "run.ended", payload: { status: "completed" } };
};

const ends =
  (status: "failed" | "timeout" | "cancelled" | "partial"): Script =>
  () => [
    { type: "run.started", payload: { worker: "here" } },
    { type: "run.ended", payload: { status, failure: { code: "NO_RESPONSE", message: "it said nothing" } } },
  ];

test("proctor run asks the hub for what the flags say", async () => {
  const program = createProgramDouble();
  const io = createIo({ cwd: folder, env: { API_KEY: "s3cret" } });
  const limits = [
    "--timeout",
    "60",
    "--max-steps",
    "5",
    "--max-tokens",
    "1000",
    "--budget",
    "0.5",
    "--retries",
    "2",
  ];
  const more = [
    "--env",
    "API_KEY",
    "--env",
    "MODE=a=b",
    "--metadata",
    "team=research",
    "--input",
    "data.json",
  ];

  const { code } = await program.run([...RUN, ...limits, ...more], io);

  expect(code).toBe(0);
  expect(program.hub.requests).toEqual([
    {
      agent: "writer",
      task: { description: "Say hello", input_data: { rows: [1, 2] } },
      constraints: { timeout_seconds: 60, max_steps: 5, max_tokens: 1000, budget_usd: 0.5 },
      context: { environment: { API_KEY: "s3cret", MODE: "a=b" } },
      metadata: { team: "research" },
      retry: { max_attempts: 3 },
    },
  ]);
  expect(program.modes).toEqual(["write"]);
  expect(program.hub.closed).toBe(1);
});

test("proctor run --input - reads the input from stdin", async () => {
  const program = createProgramDouble();

  await program.run([...RUN, "--input", "-"], createIo({ stdin: '{"n": 1}' }));

  expect(program.hub.requests[0]?.task.input_data).toEqual({ n: 1 });
});

test.each([
  [["--input", "nowhere.json"], "FILE_UNREADABLE", "no such file"],
  [["--input", "list.json"], "INVALID_REQUEST", "holds an array"],
  [["--input", "broken.json"], "INVALID_REQUEST", "is not JSON"],
  [["--env", "NOT_SET"], "USAGE", "--env NOT_SET: the variable is not set here"],
  [["--env", "=x"], "USAGE", "takes KEY or KEY=VALUE"],
  [["--metadata", "lonely"], "USAGE", "takes KEY=VALUE"],
])("proctor run refuses %j before anything runs", async (flags, code, message) => {
  const program = createProgramDouble();

  const result = await program.run([...RUN, ...flags], createIo({ cwd: folder }));

  expect({ code: result.code, out: result.out, requests: program.hub.requests }).toEqual({
    code: 2,
    out: "",
    requests: [],
  });
  expect(result.err).toContain(`[${code}]`);
  expect(result.err).toContain(message);
});

test("proctor run starts a command line in the current directory when the hub is on this machine, and only then", async () => {
  const here = createProgramDouble();
  const there = createProgramDouble({ hubUrl: "http://elsewhere" });
  const argv = ["run", "--agent", "atp+stdio:python 'my agent.py'", "--task", "x"];

  await here.run(argv, createIo({ cwd: "/home/me/dir" }));
  await there.run(argv);
  await here.run(["run", "--agent", "atp+http://localhost:1", "--task", "x"]);

  expect(here.hub.requests[0]?.agent).toEqual({
    protocol: "atp",
    transport: "stdio",
    command: ["python", "my agent.py"],
    cwd: "/home/me/dir",
  });
  expect(there.hub.requests[0]?.agent).toBe("atp+stdio:python 'my agent.py'");
  expect(here.hub.requests[1]?.agent).toBe("atp+http://localhost:1");
});

test("proctor run prints one plain line per event in a pipe, and a summary", async () => {
  const program = createProgramDouble({ script: busy });

  const { code, out, err } = await program.run(RUN);

  expect({ code, err }).toEqual({ code: 0, err: "" });
  const id = (await program.hub.runs({})).items[0]?.id;
  expect(out).toBe(
    [
      `run ${id} on writer`,
      "  0:00.2  ○ queued",
      "  0:00.5  ▶ started    on here",
      "  0:00.7  ▸ progress   1/4 · 25% · reading",
      '  0:01.0  → tool       read({"path":"a.txt"}) → hello · 12ms',
      "  0:01.2  ✦ model      m-1 · 1,200 in · 340 out · $0.0123",
      "  0:01.5  ◆ artifact   report.md · text/markdown · 1.2 kB",
      "  0:01.7  ! violation  atp.event: went backwards",
      "  0:02.0  ✓ completed",
      "",
      "✓ completed in 1.5s",
      "  used        1,540 tokens (1,200 in, 340 out) · $0.0123 · 1 step · 1 tool call · 1 model call",
      "  artifacts   report.md  1.2 kB  text/markdown",
      "  violations  atp.event  went backwards",
      `  details     proctor runs show ${id}`,
      "",
    ].join("\n"),
  );
});

test("proctor run keeps a live line at the bottom of a terminal and removes it at the end", async () => {
  const { out } = await createProgramDouble({ script: busy }).run(
    RUN,
    createIo({ columns: 100, env: { NO_COLOR: "1" } }),
  );

  expect(out).toContain("\r\u001b[K⠋ queued");
  expect(out).toMatch(/running [\d.]+m?s · 1 step · 1,540 tokens · \$0\.0123 · Ctrl-C cancels/);
  const last = out.slice(out.lastIndexOf("\r\u001b[K"));
  expect(last.startsWith("\r\u001b[K\n✓ completed")).toBe(true);
  expect(last).not.toContain("Ctrl-C");
});

test("proctor run --json prints exactly one response object, with the bytes of artifacts", async () => {
  const program = createProgramDouble({ script: busy });

  const { code, out, err } = await program.run([...RUN, "--json"]);

  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out.split("\n")).toHaveLength(2);
  expect(JSON.parse(out)).toMatchObject({ status: "completed", artifacts: ["bytes of a1"] });
});

test.each(["failed", "timeout", "cancelled", "partial"] as const)(
  "proctor run ends with 1 when the run is %s",
  async (status) => {
    const { code, out } = await createProgramDouble({ script: ends(status) }).run(RUN);

    expect(code).toBe(1);
    expect(out).toContain(`${status} in 250ms\n  failure     NO_RESPONSE  it said nothing\n`);
  },
);

test("proctor run follows the runs that take over by retry policy", async () => {
  const script: Script = function* (_, __, hub): Generator<EventDraft> {
    const successor = hub.create({ agent: "writer", task: { description: "x" } });
    const failure = { code: "NO_RESPONSE", message: "nothing" };
    yield { type: "run.started", payload: { worker: "here" } };
    yield { type: "run.ended", payload: { status: "failed", failure, retried_as: successor.id } };
    hub.append(successor.id, { type: "run.started", payload: { worker: "here" } });
    hub.append(successor.id, { type: "run.ended", payload: { status: "completed" } });
  };
  const program = createProgramDouble({ script });

  const { code, out } = await program.run([...RUN, "--retries", "1"]);

  expect(code).toBe(0);
  expect(out.match(/^run /gm)).toHaveLength(2);
  expect(out).toContain("NO_RESPONSE: nothing · retried as ");
  expect(out).toContain("\n✓ completed");
});

test("proctor run cancels the run on Ctrl-C, waits for its end and ends with 130", async () => {
  const script: Script = async function* (run, _, hub) {
    yield { type: "run.started", payload: { worker: "here" } };
    yield { type: "log", payload: { stream: "stdout", text: "working" } };
    io.interrupt();
    await hub.untilCancelled(run.id);
    yield { type: "log", payload: { stream: "stdout", text: "cleaning up" } };
    yield {
      type: "run.ended",
      payload: { status: "cancelled", failure: { code: "CANCELLED", message: "asked to" } },
    };
  };
  const io = createIo();
  const program = createProgramDouble({ script });

  const { code, out } = await program.run(RUN, io);

  expect(code).toBe(130);
  expect(program.hub.cancelled).toHaveLength(1);
  expect(out).toContain("■ cancel     interrupted at the command line");
  expect(out).toContain("cleaning up");
  expect(out).toContain("■ cancelled");
  expect(program.hub.closed).toBe(1);
});

test("proctor run shows a run that ended in the moment of Ctrl-C as it ended, still with exit code 130", async () => {
  const io = createIo();
  const script: Script = function* (): Generator<EventDraft> {
    yield { type: "run.started", payload: { worker: "here" } };
    yield { type: "run.ended", payload: { status: "completed" } };
    io.interrupt();
  };

  const { code, out, err } = await createProgramDouble({ script }).run(RUN, io);

  expect({ code, err }).toEqual({ code: 130, err: "" });
  expect(out).toContain("✓ completed");
});

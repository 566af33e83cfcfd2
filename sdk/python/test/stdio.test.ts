// The Python package over pipes: docs/reference/atp.md, "stdin and stdout".
import { describe, expect, it } from "vitest";
import {
  NO_PYTHON,
  readOutput,
  request,
  requestWith,
  runStdio,
  startAgent,
  startPython,
  TASK_ID,
} from "./python-agent.ts";
import { expectEvents, expectResponse } from "../../atp-cases/schemas.ts";

describe.skipIf(NO_PYTHON).concurrent("a Python agent over stdin and stdout", () => {
  it("answers with one line, and reports events on stderr", async () => {
    const { response, events, stdout, code } = await runStdio(request("hello"));
    expectResponse(response);
    expectEvents(events);
    expect(code).toBe(0);
    expect(stdout.match(/\n/g)).toHaveLength(1);
    expect(response).toMatchObject({
      task_id: TASK_ID,
      status: "completed",
      artifacts: [{ type: "structured", name: "result", data: { output: "Processed hello" } }],
      error: null,
    });
    expect(events).toMatchObject([
      { event_type: "progress", payload: { message: "thinking", percentage: 10 } },
    ]);
  });

  it("sends every kind of event and artifact strictly, without NaN or infinities", async () => {
    const { response, events } = await runStdio(request("everything"));
    expectResponse(response);
    expectEvents(events);
    expect(events.map((event) => event["event_type"])).toEqual([
      "tool_call",
      "llm_request",
      "reasoning",
      "state_change",
      "artifact_created",
      "error",
      "progress",
    ]);
    expect(events.at(-1)?.["payload"]).toMatchObject({ percentage: null, current_step: 3 });
    expect(response).toMatchObject({
      trace_id: "trace-1",
      artifacts: [
        {
          path: "a.txt",
          size_bytes: 2,
          content: "hi",
          content_hash: "sha256:8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4",
        },
        { path: "b.bin", size_bytes: 2, content: "/wA=", content_encoding: "base64" },
        { name: "s", schema: "kind", data: { inf: null } },
        { type: "reference", path: "/no/such.csv" },
      ],
      metrics: { total_tokens: 15, tool_calls: 1, llm_calls: 1, total_steps: 3, cost_usd: 0.5 },
    });
  });

  it("gives the function everything the request has", async () => {
    const { response } = await runStdio(
      requestWith(
        "describe",
        { a: [1] },
        {
          version: "1.9",
          task_id: "not-a-uuid",
          constraints: { max_steps: 3, allowed_tools: null },
          context: { workspace_path: "/w", environment: { A: "1" }, region: "eu" },
          metadata: { test_id: "t" },
          spice: { hot: true },
        },
      ),
    );
    expect(response).toMatchObject({
      version: "1.0",
      task_id: "not-a-uuid",
      artifacts: [
        {
          data: {
            id: "not-a-uuid",
            description: "describe",
            input: { a: [1] },
            expected_artifacts: [],
            constraints: { max_steps: 3, timeout_seconds: 300 },
            workspace: "/w",
            metadata: { test_id: "t" },
            spice: { hot: true },
            env: ["A"],
          },
        },
      ],
    });
  });

  it.each([
    ["nothing", "", ""],
    ["broken JSON", '{"version": "1.0"\n', ""],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x0a]), ""],
    ["endless nesting", `${"[".repeat(200_000)}\n`, ""],
    ["no description", '{"version":"1.0","task_id":"x","task":{}}\n', "task.description"],
    ["another major", JSON.stringify(request("x", { version: "2.0" })), "version"],
  ])("refuses %s and names the field", async (_, input, field) => {
    const { response, events, code } = await runStdio(input);
    expect(response).toMatchObject({
      version: "1.0",
      status: "failed",
      error_code: "INVALID_REQUEST",
      error_details: { field },
      artifacts: [],
      metrics: { tool_calls: 0 },
    });
    expect(events).toEqual([]);
    expect(code).toBe(0);
  });

  it("refuses a request above the limit while it still arrives", async () => {
    const started = startAgent([], { max_bytes: 100_000 });
    started.child.stdin?.write("x".repeat(200_000));
    await started.ended;
    expect(readOutput(started).response).toMatchObject({ error_code: "INVALID_REQUEST" });
  });

  it("needs neither the end of the line nor the end of the input, and reads one request only", async () => {
    expect((await runStdio(JSON.stringify(request("hello")))).response).toMatchObject({
      status: "completed",
    });
    const started = startAgent();
    started.child.stdin?.write(`${JSON.stringify(request("hello"))}\n${JSON.stringify(request("wait"))}\n`);
    await started.ended;
    expect(readOutput(started).response).toMatchObject({ status: "completed" });
  });

  it("keeps stdout clean, whatever prints, and stdin to itself", async () => {
    const { response, logs, stdout } = await runStdio(`${JSON.stringify(request("noise"))}\nsecond line\n`);
    expect(response).toMatchObject({ status: "completed" });
    expect(stdout.match(/\n/g)).toHaveLength(1);
    expect(logs).toEqual([
      "printed before serving",
      "on stdout",
      "as bytes",
      "on the descriptor",
      "from a child ''",
    ]);
  });

  it("says what went wrong without the traceback, which goes to the log", async () => {
    const { response, logs } = await runStdio(request("crash"));
    expect(response).toMatchObject({ status: "failed", error_code: "INTERNAL_ERROR", error: "broken" });
    expect(JSON.stringify(response)).not.toContain("Traceback");
    expect(logs.join("\n")).toContain("Traceback");
  });

  it("keeps the code and the details of an AgentError", async () => {
    expect((await runStdio(request("agent-error"))).response).toMatchObject({
      status: "failed",
      error_code: "LLM_ERROR",
      error: "the model is down",
      error_details: { retries: 3 },
    });
  });

  it("never shows a secret in events, response or logs", async () => {
    const key = 'pa"ss\\w/ürd-1234';
    const { response, events, logs, stdout } = await runStdio(
      request("leak", { context: { environment: { KEY: key } } }),
    );
    const all = stdout + JSON.stringify(events) + logs.join("\n");
    expect(response["error"]).toBe("denied for [redacted:KEY]");
    expect(logs.slice(1, 4)).toEqual([
      "printed [redacted:KEY]",
      "cut [redacted:KEY]",
      "INFO:root:logged [redacted:KEY]",
    ]);
    expect(logs.join("\n")).toContain("ValueError: denied for [redacted:KEY]");
    expect(events[0]?.["payload"]).toEqual({
      thought: "use [redacted:KEY]",
      plan: ["[redacted:KEY]"],
      "k [redacted:KEY]": '"[redacted:KEY]"',
    });
    expect(all).not.toContain("rd-1234");
  });

  it.each(["wait", "stubborn", "asynchronous"])(
    "answers SIGTERM with `cancelled` when its function is %s",
    async (kind) => {
      const started = startAgent();
      started.child.stdin?.end(`${JSON.stringify(requestWith(kind, { seconds: 30 }))}\n`);
      await started.printed("stderr", /waiting/);
      started.child.kill("SIGTERM");
      started.child.kill("SIGTERM");
      expect(await started.ended).toEqual({ code: 0, signal: null });
      const { response, events } = readOutput(started);
      expectResponse(response);
      expectEvents(events);
      expect(response).toMatchObject({ status: "cancelled" });
      expect(response).not.toHaveProperty("error_code");
    },
  );

  it("exits without a response when it is stopped before a request", async () => {
    const started = startPython(["-c", IDLE]);
    await started.printed("stderr", /ready/);
    started.child.kill("SIGTERM");
    expect(await started.ended).toEqual({ code: 143, signal: null });
    expect(started.stdout()).toBe("");
  });

  it.each(["wait", "stubborn"])("times out on time: %s", async (kind) => {
    const { response } = await runStdio(request(kind, { constraints: { timeout_seconds: 1 } }));
    expectResponse(response);
    expect(response).toMatchObject({ status: "timeout", error_code: "TIMEOUT" });
  });

  it("runs async functions", async () => {
    expect((await runStdio(request("asynchronous"))).response).toMatchObject({
      artifacts: [{ data: { output: "async" } }],
    });
  });
});

/** Program that prints "ready" when its signal handlers are installed, and then waits for a request. */
const IDLE = `
import sys; sys.path.insert(0, "sdk/python")
from proctor_agent import serve, stdio
original = stdio.on_signals
def announced(stop):
    original(stop)
    print("ready", file=sys.stderr)
stdio.on_signals = announced
serve(lambda task, emit: None)
`;

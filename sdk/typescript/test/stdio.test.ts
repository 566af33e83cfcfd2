import { describe, expect, test } from "vitest";
import { EXAMPLE, request, runOnce, startAgent, TASK_ID } from "./run-agent.ts";
import { expectEvents, expectResponse } from "../../atp-cases/schemas.ts";

const TOKEN = 's3cr3t/"tok en\\é';

describe("a TypeScript agent over stdin and stdout", () => {
  test("the example answers with strict messages, events on stderr, one line on stdout", async () => {
    const { code, stdout, response, events } = await runOnce(request("Say hello"), EXAMPLE);
    expect(code).toBe(0);
    expect(stdout.match(/\n/g)).toHaveLength(1);
    expectResponse(response);
    expectEvents(events);
    expect(events.map(({ payload }) => payload?.["percentage"])).toEqual([0, 100]);
    expect(response).toMatchObject({
      version: "1.0",
      task_id: TASK_ID,
      status: "completed",
      artifacts: [{ type: "structured", name: "result", data: { output: "Processed: Say hello" } }],
    });
  });

  test("what the agent prints goes to stderr in whole lines and leaves stdout to the response", async () => {
    const { stdout, stderr, response } = await runOnce(request("print"));
    expect(stdout.trim().split("\n")).toHaveLength(1);
    expect(response.artifacts).toMatchObject([{ data: { output: "done" } }]);
    expect(stderr.split("\n")).toEqual(['{"status": "completed"}', "half a line", "on stderr", "no end", ""]);
  });

  test("accepts ids that are no UUID, a higher minor, unknown fields, blank lines before, and no line feed at the end", async () => {
    const input = { ...request("echo"), version: "1.7", task_id: "run/7", extra: { a: 1 } };
    const { response } = await runOnce(
      `\n  \n${JSON.stringify({ ...input, task: { description: "echo", input_data: { a: 1 } } })}`,
    );
    expect(response).toMatchObject({ task_id: "run/7", version: "1.0", artifacts: [{ data: { a: 1 } }] });
  });

  test.for([
    ["nothing", "", ""],
    ["no JSON", "{oops\n", ""],
    ["JSON that was cut off", JSON.stringify(request("echo")).slice(0, -5), ""],
    ["no object", "[1]\n", ""],
    ["no description", { version: "1.0", task_id: TASK_ID, task: {} }, "task.description"],
    ["another major", { ...request("echo"), version: "2.0" }, "version"],
    ["a wrong type", request("echo", { constraints: { max_steps: "many" } }), "constraints.max_steps"],
    ["brackets without end", "[".repeat(100_000), ""],
    ["more than 10 MB", `{"a":"${"x".repeat(11 * 1024 * 1024)}"}\n`, ""],
  ] as const)("refuses %s, names the field, and exits with 0", async ([, input, field]) => {
    const { response, code } = await runOnce(input);
    expectResponse(response);
    expect(response).toMatchObject({
      status: "failed",
      error_code: "INVALID_REQUEST",
      error_details: { field },
    });
    expect(code).toBe(0);
  });

  test("an error with a code keeps it, with its details and without a stack", async () => {
    const { response } = await runOnce(request("fail"));
    expect(response).toMatchObject({
      status: "failed",
      error: "the model is away",
      error_code: "LLM_ERROR",
      error_details: { model: "m" },
    });
  });

  test("an error that nobody catches fails the task instead of losing the response", async () => {
    const { response, code } = await runOnce(request("stray"));
    expect(response).toMatchObject({
      status: "failed",
      error: "nobody catches this",
      error_code: "INTERNAL_ERROR",
    });
    expect(code).toBe(0);
  });

  test("no secret is in events, in the response or in logs, however it is written", async () => {
    const { stdout, stderr, response, events } = await runOnce(
      request("leak", { context: { environment: { TOKEN, SHORT: "abc" } } }),
    );
    const forms = [
      TOKEN,
      JSON.stringify(TOKEN).slice(1, -1),
      encodeURIComponent(TOKEN),
      Buffer.from(TOKEN).toString("hex"),
      Buffer.from(`x${TOKEN}`).toString("base64"),
      TOKEN.slice(5),
    ];
    for (const form of forms) expect(stdout + stderr).not.toContain(form);
    expect(response.error).toBe("cannot log in with [redacted:TOKEN] or [redacted:TOKEN]");
    expect(events[0]?.payload).toEqual({
      message: "[redacted:TOKEN]",
      "[redacted:TOKEN]": "[redacted:TOKEN]",
    });
    expect(stderr).toContain("plain [redacted:TOKEN]\n");
    expect(stderr).toContain("split [redacted:TOKEN]");
  });

  test("the time limit aborts the signal and ends as timeout, with what the agent still hands over", async () => {
    const { response } = await runOnce(request("wait", { constraints: { timeout_seconds: 1 } }));
    expectResponse(response);
    expect(response).toMatchObject({
      status: "timeout",
      error_code: "TIMEOUT",
      artifacts: [{ data: { output: "half" } }],
    });
    expect(response.metrics?.["wall_time_seconds"]).toBeGreaterThanOrEqual(1);
  });

  test.for(["wait", "hang"])(
    "SIGTERM while it does %s ends as cancelled, with exit code 0",
    async (behaviour) => {
      const { child, seen, ended } = startAgent();
      child.stdin.write(`${JSON.stringify(request(behaviour))}\n`);
      await seen("stderr", "waiting");
      child.kill("SIGTERM");
      const { response, code } = await ended;
      expectResponse(response);
      expect(response).toMatchObject({
        task_id: TASK_ID,
        status: "cancelled",
        error: "the agent is being stopped",
      });
      expect(code).toBe(0);
    },
  );

  test("timers of the agent do not keep the process alive", async () => {
    const { response, code } = await runOnce(request("linger"));
    expect(response.status).toBe("completed");
    expect(code).toBe(0);
  });
});

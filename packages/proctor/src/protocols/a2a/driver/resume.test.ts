// A process that takes a task over from one that is gone: it reports the rest, and nothing twice.
import { describe, expect, it } from "vitest";
import { HANG_MS, eventually } from "../../../../test/support/eventually.ts";
import { openSession, type WatchedSession } from "../../../../test/support/a2a/open-session.ts";
import { serveA2a, type Asked, type ScriptedOptions } from "../../../../test/support/a2a/scripted-server.ts";
import {
  agentMessage,
  artifactFrame,
  statusFrame,
  TASK,
  taskOf,
} from "../../../../test/support/a2a/task-words.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Job } from "../../../core/ports/driver.ts";
import type { Answer } from "../../../core/question.ts";

function goOn(before: WatchedSession, pending = 0): Partial<Job> {
  const { continuation } = before.all("session").at(-1) ?? { continuation: null };
  return {
    conversation: { id: "c", history: () => Promise.resolve([]), continuation },
    resume: { pending },
  };
}

const answer: Answer = {
  id: "ans-1",
  by: { kind: "client" },
  outcome: "given",
  parts: [{ kind: "text", text: "blue" }],
};

async function serve(play: (asked: Asked) => void | Promise<void>, options?: ScriptedOptions) {
  const served = await serveA2a(play, options);
  return { served, spec: { protocol: "a2a", transport: "http", url: served.url } };
}

describe("a task that another process goes on with", { timeout: HANG_MS }, () => {
  it("is not told again what was told, and told the rest", async () => {
    const whole = { artifactId: "a-1", name: "answer.txt", parts: [{ text: "all" }] };
    const growing = { artifactId: "a-2", name: "log.txt", parts: [{ text: "one " }, { text: "two" }] };
    const { served, spec } = await serve(async (asked) => {
      const now = taskOf("WORKING", {
        history: [agentMessage("first"), agentMessage("second")],
        artifacts: [whole, growing],
      });
      if (asked.operation === "getTask") return asked.result(now);
      const stream = asked.stream();
      if (asked.operation === "subscribe") {
        await stream.frame({ task: now });
        await stream.frame(statusFrame("COMPLETED", "third"));
        return stream.end();
      }
      await stream.frame({ task: taskOf("WORKING") });
      await stream.frame(statusFrame("WORKING", "first"));
      await stream.frame(artifactFrame("all", { lastChunk: true }));
      // Of this the one that died has told nothing that lasts.
      await stream.frame(artifactFrame("one ", {}, "a-2"));
    });
    const dying = openSession(spec);
    await eventually(() => expect(dying.all("chunk")).toHaveLength(1));
    dying.kill();
    await dying.done;
    expect(dying.said()).toEqual(["first"]);

    const next = openSession(spec, goOn(dying));
    expect(await next.end()).toMatchObject({ status: "completed" });
    expect(next.said()).toEqual(["second", "third"]);
    expect(next.files()).toMatchObject({ "log.txt": "one two" });
    expect(next.files()).not.toHaveProperty("answer.txt");
    // The answer of the run is the first text, though it was told before.
    expect(next.all("artifact").at(-1)?.artifact).toMatchObject({ name: "result", data: { output: "all" } });
    expect(served.asked.filter(({ operation }) => operation === "stream")).toHaveLength(1);
  });

  it("has an answer that was sent before the process died, which is not sent again", async () => {
    const asks = taskOf("INPUT_REQUIRED", {}, "which?");
    let history: JsonObject[] = [];
    const { served, spec } = await serve(async (asked) => {
      if (asked.operation === "getTask") {
        const done = history.length > 0 ? taskOf("COMPLETED", { history }, "done") : asks;
        return asked.result({ ...done, history });
      }
      const stream = asked.stream();
      await stream.frame({ task: asks });
      stream.end();
    });
    const parked = openSession(spec);
    await parked.heard("parked");
    await parked.done;
    history = [{ messageId: "ans-1", role: "ROLE_USER", parts: [{ text: "blue" }] }];
    const next = openSession(spec, goOn(parked, 1));
    const delivered = next.session.answer?.(`${TASK}/1`, answer);
    expect(await next.end()).toMatchObject({ status: "completed" });
    await Promise.allSettled([delivered]);
    expect(served.asked.filter(({ operation }) => operation === "stream")).toHaveLength(1);
  });

  it("gets an answer whose first sending broke, under the same id, and fails where it cannot have it", async () => {
    const asks = taskOf("INPUT_REQUIRED", {}, "which?");
    let isBroken = true;
    const { served, spec } = await serve(async (asked) => {
      if (asked.operation === "getTask") return asked.result(asks);
      const message = asked.params["message"] as JsonObject;
      if (message["taskId"] !== undefined && isBroken) {
        isBroken = false;
        return void asked.response.socket?.destroy();
      }
      const stream = asked.stream();
      await stream.frame({ task: message["taskId"] === undefined ? asks : taskOf("COMPLETED", {}, "done") });
      stream.end();
    });
    const parked = openSession(spec);
    await parked.done;
    const next = openSession(spec, goOn(parked, 1));
    await next.session.answer?.(`${TASK}/1`, answer);
    expect(await next.end()).toMatchObject({ status: "completed" });
    const sent = served.asked.filter(({ operation }) => operation === "stream").slice(1);
    expect(sent.map(({ params }) => (params["message"] as JsonObject)["messageId"])).toEqual([
      "ans-1",
      "ans-1",
    ]);
  });

  it("fails its run when the agent refuses the answer", async () => {
    const asks = taskOf("INPUT_REQUIRED", {}, "which?");
    const { spec } = await serve(async (asked) => {
      if (asked.operation === "getTask") return asked.result(asks);
      const message = asked.params["message"] as JsonObject;
      if (message["taskId"] !== undefined) return asked.error(-32602, "not blue");
      const stream = asked.stream();
      await stream.frame({ task: asks });
      stream.end();
    });
    const parked = openSession(spec);
    await parked.done;
    const next = openSession(spec, goOn(parked, 1));
    await expect(next.session.answer?.(`${TASK}/1`, answer)).rejects.toThrow("not blue");
    expect(await next.end()).toMatchObject({ status: "failed", failure: { code: "INVALID_REQUEST" } });
  });

  it("that its agent does not know any more was lost with the connection", async () => {
    const { spec } = await serve(async (asked) => {
      if (asked.operation === "getTask") return asked.error(-32001, "no such task");
      const stream = asked.stream();
      await stream.frame({ task: taskOf("INPUT_REQUIRED", {}, "which?") });
      stream.end();
    });
    const parked = openSession(spec);
    await parked.done;
    expect(await openSession(spec, goOn(parked)).end()).toMatchObject({
      status: "failed",
      failure: {
        code: "CONNECTION_LOST",
        message:
          "the connection to the task broke, and the agent refused to go on with the task: no such task",
        details: { reason: "TASK_NOT_FOUND" },
      },
    });
  });
});

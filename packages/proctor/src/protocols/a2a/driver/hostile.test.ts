// Agents that lie, flood, fall silent and speak of what nobody knows: each is data in the run, and nothing stays open.
import { describe, expect, it } from "vitest";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { openSession, type WatchedSession } from "../../../../test/support/a2a/open-session.ts";
import {
  serveA2a,
  type AskedStream,
  type ScriptedOptions,
} from "../../../../test/support/a2a/scripted-server.ts";
import {
  artifactFrame,
  CONTEXT,
  statusFrame,
  TASK,
  taskOf,
} from "../../../../test/support/a2a/task-words.ts";
import { drained } from "../../../../test/support/http/servers.ts";
import type { JsonObject } from "../../../core/json.ts";

async function hear(
  play: (stream: AskedStream) => Promise<void>,
  options?: ScriptedOptions,
): Promise<WatchedSession> {
  const served = await serveA2a(async (asked) => {
    if (asked.operation !== "stream") return asked.error(-32001, "no such task");
    return play(asked.stream());
  }, options);
  const session = openSession({ protocol: "a2a", transport: "http", url: served.url });
  await session.done;
  return session;
}

async function frames(...sent: readonly JsonObject[]): Promise<WatchedSession> {
  return hear(async (stream) => {
    for (const frame of sent) await stream.frame(frame);
    stream.end();
  });
}

const begin = { task: taskOf("WORKING") };
const end = statusFrame("COMPLETED");

describe("an agent over A2A", { timeout: HANG_MS }, () => {
  it("that sends events and parts of kinds nobody knows has them kept, with what they break", async () => {
    const unknownPart = {
      artifactUpdate: {
        taskId: TASK,
        contextId: CONTEXT,
        artifact: { artifactId: "x", parts: [{ smell: "roses" }] },
        lastChunk: true,
      },
    };
    const session = await frames(begin, { telepathy: { strength: 3 } }, unknownPart, end);
    expect(await session.end()).toMatchObject({ status: "completed" });
    const kept = session
      .all("event")
      .flatMap(({ event }) => (event.type === "unknown" ? [event.payload] : []));
    expect(kept).toMatchObject([
      { event_type: "a2a.event", payload: { telepathy: { strength: 3 } } },
      { event_type: "a2a.part", payload: { smell: "roses" } },
    ]);
    expect(session.rules()).toContain("a2a.event");
  });

  it("that is in a state nobody knows is noted, and failed when it stays there", async () => {
    const odd = {
      statusUpdate: { taskId: TASK, contextId: CONTEXT, status: { state: "TASK_STATE_DREAMING" } },
    };
    const went = await frames(begin, odd, end);
    expect([(await went.end()).status, went.rules().includes("a2a.state")]).toEqual(["completed", true]);
    const stayed = await frames(begin, odd);
    expect((await stayed.end()).status).toBe("failed");
  });

  it("that repeats its events is heard once", async () => {
    const said = statusFrame("WORKING", "one");
    const piece = artifactFrame("all of it", { lastChunk: true });
    const session = await frames(begin, said, said, piece, piece, end, end);
    expect(session.said()).toEqual(["one"]);
    expect(session.all("artifact").filter(({ artifact }) => artifact.type === "file")).toHaveLength(1);
    expect((await session.end()).status).toBe("completed");
  });

  it("that goes on after its end is not heard any more", async () => {
    const session = await frames(
      begin,
      end,
      statusFrame("FAILED", "no"),
      artifactFrame("late", { lastChunk: true }),
    );
    expect(await session.end()).toMatchObject({ status: "completed" });
    expect(session.files()).toEqual({});
  });

  it("that sends updates before a task is noted, and heard", async () => {
    const session = await frames(statusFrame("WORKING", "one"), end);
    expect(session.rules()).toEqual(["a2a.stream.first"]);
    expect([(await session.end()).status, session.said()]).toEqual(["completed", ["one"]]);
  });

  it("that changes its context is noted", async () => {
    const other = {
      statusUpdate: { taskId: TASK, contextId: "c-2", status: { state: "TASK_STATE_COMPLETED" } },
    };
    expect((await frames(begin, other)).rules()).toEqual(["a2a.context_id"]);
  });

  it("that ends its stream and forgets its task has failed", async () => {
    const session = await frames(begin);
    expect(await session.end()).toMatchObject({
      status: "failed",
      failure: { details: { reason: "TASK_NOT_FOUND" } },
    });
  });

  it("that answers with a message alone has answered, though the message names a task that nobody hears of", async () => {
    const parts = [{ text: "hello" }];
    const said = { messageId: "m", role: "ROLE_AGENT", taskId: TASK, contextId: CONTEXT, parts };
    const session = await frames({ message: said });
    expect(await session.end()).toMatchObject({ status: "completed" });
    expect(session.all("message")).toMatchObject([{ message: { parts: [{ text: "hello" }] } }]);
    expect(session.rules()).toEqual([]);
    // A task that is heard of goes on.
    const going = await frames({ message: said }, begin, end);
    expect(await going.end()).toMatchObject({ status: "completed" });
  });

  it("that says nothing at all has not answered", async () => {
    expect(await (await frames()).end()).toMatchObject({
      status: "failed",
      failure: { code: "NO_RESPONSE" },
    });
  });

  it("that sends garbage has failed, and the garbage is in the log", async () => {
    const session = await hear(async (stream) => {
      await stream.frame(begin);
      await stream.write("data: {oops\n\n");
      stream.end();
    });
    expect(await session.end()).toMatchObject({ status: "failed", failure: { code: "INVALID_RESPONSE" } });
    const logs = session
      .all("event")
      .flatMap(({ event }) => (event.type === "log" ? [event.payload.text] : []));
    expect(logs).toContain("{oops");
  });

  it("that stalls is left when the run is killed, and nothing stays open", async () => {
    const served = await serveA2a(async (asked) => {
      if (asked.operation !== "stream") return;
      await asked.stream().frame(begin);
    });
    const session = openSession({ protocol: "a2a", transport: "http", url: served.url });
    await session.heard("session");
    session.cancel();
    session.kill();
    expect(await session.end()).toMatchObject({ status: "cancelled" });
    await drained(served.server);
  });

  it("that cannot be cancelled is left, and the run is cancelled", async () => {
    const served = await serveA2a(async (asked) => {
      if (asked.operation === "cancelTask") return asked.error(-32004, "never");
      await asked.stream().frame(begin);
    });
    const session = openSession({ protocol: "a2a", transport: "http", url: served.url });
    await session.heard("session");
    session.cancel();
    expect(await session.end()).toMatchObject({ status: "cancelled" });
    await drained(served.server);
  });

  it("that had ended when it was to be cancelled says how", async () => {
    const served = await serveA2a(async (asked) => {
      if (asked.operation === "cancelTask") return asked.error(-32002, "too late");
      if (asked.operation === "getTask") return asked.result(taskOf("COMPLETED", {}, "done"));
      await asked.stream().frame(begin);
    });
    const session = openSession({ protocol: "a2a", transport: "http", url: served.url });
    await session.heard("session");
    session.cancel();
    expect(await session.end()).toMatchObject({ status: "completed" });
    expect(session.said()).toEqual(["done"]);
  });

  it("whose card promises streams that it does not have is asked without them", async () => {
    const served = await serveA2a((asked) => {
      if (asked.operation === "stream") return asked.error(-32004, "no streams");
      if (asked.operation === "send") return asked.result({ task: taskOf("WORKING") });
      return asked.result(taskOf("COMPLETED", {}, "done"));
    });
    const session = openSession({ protocol: "a2a", transport: "http", url: served.url });
    expect((await session.end()).status).toBe("completed");
    const sent = served.asked.find(({ operation }) => operation === "send");
    expect(sent?.params).toMatchObject({ configuration: { returnImmediately: true } });
  });

  it("without streams is asked for its task until that has ended, through broken connections", async () => {
    let looks = 0;
    const served = await serveA2a(
      (asked) => {
        if (asked.operation === "send") return asked.result({ task: taskOf("SUBMITTED") });
        looks += 1;
        if (looks % 2 === 0) return void asked.response.destroy();
        return asked.result(
          looks < 5 ? taskOf("WORKING", {}, `step ${looks}`) : taskOf("COMPLETED", {}, "done"),
        );
      },
      { streaming: false },
    );
    const session = openSession({ protocol: "a2a", transport: "http", url: served.url });
    expect((await session.end()).status).toBe("completed");
    expect(session.said()).toEqual(["step 1", "step 3", "done"]);
  });

  it("that refuses the message says why, in the words of A2A", async () => {
    const served = await serveA2a((asked) => asked.error(-32005, "no images, please"));
    const session = openSession({ protocol: "a2a", transport: "http", url: served.url });
    expect(await session.end()).toMatchObject({
      status: "failed",
      failure: {
        code: "INVALID_REQUEST",
        message: "the agent refused the message: no images, please",
        details: { reason: "CONTENT_TYPE_NOT_SUPPORTED", code: -32005 },
      },
    });
  });

  it("that says what it used is counted", async () => {
    const used = {
      task: taskOf("COMPLETED", {
        metadata: { usage: { prompt_tokens: 3, completion_tokens: 4, cost_usd: -1 } },
      }),
    };
    expect((await (await frames(used)).end()).metrics).toEqual({ input_tokens: 3, output_tokens: 4 });
  });
});

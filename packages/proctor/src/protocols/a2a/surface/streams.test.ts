// Streams of tasks: what they tell, when they end, and how a client that was cut off goes on.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HANG_MS, eventually } from "../../../../test/support/eventually.ts";
import {
  legacyMessage,
  openHubStage,
  readFrames,
  userMessage,
  type Frame,
  type HubStage,
} from "../../../../test/support/a2a/hub-stage.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { ScriptedSession } from "../../../../test/support/scripted-driver.ts";

const FOLDER = temporaryFolder("a2a-streams");
let stage: HubStage;
beforeEach(async () => {
  stage = await openHubStage();
});
afterEach(async () => {
  expect(stage.reported).toEqual([]);
  await stage.close();
});

/** Everything that an agent can do without asking. */
function work(session: ScriptedSession): void {
  session.event("progress", { message: "reading", percentage: 10 });
  session.event("tool_call", { tool: "look", input: {}, status: "success" });
  session.push(
    { kind: "text", messageId: "m1", part: 0, text: "Hel", last: false },
    { kind: "text", messageId: "m1", part: 0, text: "lo", last: true },
    { kind: "artifact", artifact: { type: "structured", name: "answer", data: [1, 2] } },
    { kind: "message", message: { id: "m2", role: "agent", parts: [{ kind: "text", text: "bye" }] } },
  );
  session.end();
}

const resultsOf = (frames: readonly Frame[]) => frames.map(({ data }) => data.result);
const stateOf = ({ data: { result } }: Frame): string => (result.task ?? result.statusUpdate)?.status.state;

describe("a stream of the hub's A2A surface", { timeout: HANG_MS }, () => {
  it("begins with the task, tells what changes, and ends with it", async () => {
    const message = userMessage("work");
    const frames = stage.stream("SendStreamingMessage", { message }).all();
    work(await stage.driver.session(0));
    const seen = await frames;
    const [first, ...rest] = resultsOf(seen);
    expect(first.task).toMatchObject({ history: [{ messageId: message["messageId"] }] });
    const text = rest
      .flatMap(({ statusUpdate }) => (statusUpdate?.status.message?.messageId === "m1" ? statusUpdate : []))
      .map(({ status }) => status.message.parts[0].text)
      .join("");
    expect(text).toBe("Hello");
    expect(rest.find(({ artifactUpdate }) => artifactUpdate)).toMatchObject({
      artifactUpdate: {
        taskId: first.task.id,
        lastChunk: true,
        artifact: { name: "answer", parts: [{ data: [1, 2] }] },
      },
    });
    expect(rest.map(({ statusUpdate }) => statusUpdate?.status.message?.parts[0].text)).toEqual(
      expect.arrayContaining(["reading", "bye"]),
    );
    expect(stateOf(seen.at(-1)!)).toBe("TASK_STATE_COMPLETED");
    expect(seen.every(({ data }) => data.jsonrpc === "2.0" && data.id === 7)).toBe(true);
    const ids = seen.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => id.startsWith(`${first.task.id}:`))).toBe(true);
  });

  it("is the same in 0.3, with the words of that version", async () => {
    const frames = stage.stream("message/stream", { message: legacyMessage("work") }).all();
    work(await stage.driver.session(0));
    const results = resultsOf(await frames);
    expect(results[0].kind).toBe("task");
    expect(results.at(-1)).toMatchObject({
      kind: "status-update",
      final: true,
      status: { state: "completed" },
    });
    expect(results.some(({ kind }) => kind === "artifact-update")).toBe(true);
  });

  it("can be continued after any frame, while the task works or when it has ended", async () => {
    const frames: Frame[] = [];
    const live = stage.stream("SendStreamingMessage", { message: userMessage("work") });
    const session = await (async () => {
      for await (const frame of live) {
        frames.push(frame);
        if (frames.length === 1) work(await stage.driver.session(0));
      }
      return stage.driver.sessions[0]!;
    })();
    const taskId = frames[0]!.data.result.task.id;
    expect(session.job.runId).toBe(taskId);
    for (const [index, { id }] of frames.entries()) {
      const again = stage.stream("SubscribeToTask", { id: taskId }, { "last-event-id": id });
      if (index < frames.length - 1) expect(await again.all()).toEqual(frames.slice(index + 1));
      else await expect(again.all()).rejects.toThrow(/-32004/);
    }
    await expect(stage.stream("SubscribeToTask", { id: taskId }).all()).rejects.toThrow(/-32004/);
    const unknown = stage.stream("SubscribeToTask", { id: taskId }, { "last-event-id": "elsewhere:3" });
    await expect(unknown.all()).rejects.toThrow(/-32004/);
  });

  it("goes on when its message is sent again with the id of the last frame", async () => {
    const message = userMessage("work");
    const first = stage.stream("SendStreamingMessage", { message });
    let last = "";
    for await (const { id } of first) {
      last = id;
      break;
    }
    first.leave();
    work(await stage.driver.session(0));
    const rest = await stage.stream("SendStreamingMessage", { message }, { "last-event-id": last }).all();
    expect(rest.some(({ data }) => data.result.task !== undefined)).toBe(false);
    expect(stateOf(rest.at(-1)!)).toBe("TASK_STATE_COMPLETED");
    expect(stage.driver.sessions).toHaveLength(1);
  });

  it("means the same after a restart of the hub", async () => {
    await stage.close();
    stage = await openHubStage({ folder: FOLDER });
    const seen = stage.stream("SendStreamingMessage", { message: userMessage("work") }).all();
    work(await stage.driver.session(0));
    const frames = await seen;
    await stage.close();
    stage = await openHubStage({ folder: FOLDER });
    const { id } = frames[0]!.data.result.task;
    const again = await stage.stream("SubscribeToTask", { id }, { "last-event-id": frames[1]!.id }).all();
    expect(again).toEqual(frames.slice(2));
  });

  it("tells every client the same", async () => {
    const { result } = await stage.rpc("SendMessage", {
      message: userMessage("work"),
      configuration: { returnImmediately: true },
    });
    const { id } = result.task;
    const session = await stage.driver.session(0);
    const clients = [1, 2, 3].map(() => stage.stream("SubscribeToTask", { id }));
    const seen: Frame[][] = clients.map(() => []);
    const readers = clients.map(async (client, index) => {
      const frames = seen[index]!;
      for await (const frame of client) frames.push(frame);
      return frames;
    });
    // Who comes when the task has ended is refused.
    await eventually(() => expect(seen.every((frames) => frames.length > 0)).toBe(true));
    session.ask({ id: "q", parts: [{ kind: "text", text: "go on?" }] });
    await stage.until(id, ({ type }) => type === "question.asked");
    await stage.rpc("SendMessage", {
      message: userMessage("yes", { taskId: id }),
      configuration: { returnImmediately: true },
    });
    work(session);
    const [one, two, three] = (await Promise.all(readers)).map((frames) =>
      frames.slice(1).map(({ data }) => data),
    );
    const tail = (frames: unknown[] | undefined) => frames?.slice(-4);
    expect(tail(one)).toEqual(tail(two));
    expect(tail(two)).toEqual(tail(three));
    expect(one?.length).toBeGreaterThan(4);
  });

  it("ends where the client has to say something, and another one goes on from there", async () => {
    const first = stage.stream("SendStreamingMessage", { message: userMessage("work") }).all();
    const session = await stage.driver.session(0);
    session.ask({ id: "q1", parts: [{ kind: "text", text: "Which?" }] });
    const frames = await first;
    expect(frames.at(-1)!.data.result.statusUpdate.status).toMatchObject({
      state: "TASK_STATE_INPUT_REQUIRED",
      message: { parts: [{ text: "Which?" }, {}] },
    });
    const taskId = frames[0]!.data.result.task.id;
    const second = stage.stream("SendStreamingMessage", { message: userMessage("that", { taskId }) });
    const states: string[] = [];
    for await (const frame of second) {
      // The stream begins with the task as it is then.
      if (states.push(stateOf(frame)) > 1) continue;
      await stage.until(taskId, ({ type }) => type === "question.answered");
      session.end();
    }
    expect(states[0]).toBe("TASK_STATE_WORKING");
    expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
  });

  it("stays open while somebody has to authorize something, in 1.0", async () => {
    const reading = stage.stream("SendStreamingMessage", { message: userMessage("work") });
    const states: string[] = [];
    const options = [{ id: "allow", name: "Allow", effect: "allow" as const }];
    for await (const frame of reading) {
      // The stream begins with the task as it is then, so it is asked only after that.
      if (states.push(stateOf(frame)) === 1)
        (await stage.driver.session(0)).ask({ id: "q1", kind: "permission", options });
      if (stateOf(frame) !== "TASK_STATE_AUTH_REQUIRED") continue;
      const { taskId } = frame.data.result.statusUpdate;
      await stage.hub.answer(taskId, { question_id: "q1", option: "allow" });
      (await stage.driver.session(0)).end();
    }
    expect(states.slice(-3)).toEqual([
      "TASK_STATE_AUTH_REQUIRED",
      "TASK_STATE_WORKING",
      "TASK_STATE_COMPLETED",
    ]);
  });

  it("does not end the task when its client leaves, and ends in an orderly way when the hub stops", async () => {
    const left = stage.stream("SendStreamingMessage", { message: userMessage("work") });
    const leaving = left.all();
    const session = await stage.driver.session(0);
    left.leave();
    await expect(leaving).rejects.toThrow(/abort/);
    const staying = stage.stream("SubscribeToTask", { id: session.job.runId });
    const seen: string[] = [];
    for await (const frame of staying) {
      seen.push(stateOf(frame));
      stage.stop();
    }
    expect(seen).toEqual(["TASK_STATE_WORKING"]);
    expect((await stage.hub.run(session.job.runId)).status).toBe("running");
  });

  it("is the same event stream at HTTP+JSON, without an envelope", async () => {
    const frames = readFrames(`${stage.url}/message:stream`, {
      method: "POST",
      headers: { "content-type": "application/a2a+json", "a2a-version": "1.0" },
      body: JSON.stringify({ message: userMessage("work") }),
    });
    const all = frames.all();
    work(await stage.driver.session(0));
    const seen = await all;
    const { id } = seen[0]!.data.task;
    const again = await readFrames(`${stage.url}/tasks/${id}:subscribe`, {
      headers: { "a2a-version": "1.0", "last-event-id": seen[0]!.id },
    }).all();
    expect(again).toEqual(seen.slice(1));
    expect(again.at(-1)!.data.statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
  });
});

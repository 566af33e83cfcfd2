// Tasks of one of the hub's agents, as clients of A2A begin, read and end them.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HANG_MS, eventually } from "../../../../test/support/eventually.ts";
import { openHubStage, userMessage, type HubStage } from "../../../../test/support/a2a/hub-stage.ts";

let stage: HubStage;
beforeEach(async () => {
  stage = await openHubStage();
});
afterEach(async () => {
  expect(stage.problems).toEqual([]);
  expect(stage.reported).toEqual([]);
  await stage.close();
});

const NOW = { configuration: { returnImmediately: true } };

/** A task that its agent works on. */
async function begin(text = "work", more = {}) {
  const { result } = await stage.rpc("SendMessage", { message: userMessage(text, more), ...NOW });
  const session = await stage.driver.session(
    stage.driver.sessions.length === 0 ? 0 : stage.driver.sessions.length - 1,
  );
  return { task: result.task, session };
}

describe("a task of the hub's A2A surface", { timeout: HANG_MS }, () => {
  it("is answered when its agent has ended, with its artifacts and what was said", async () => {
    const message = userMessage("work", { metadata: { mood: "good" } });
    const answered = stage.rpc("SendMessage", { message, metadata: { order: 7 } });
    const session = await stage.driver.session(0);
    expect(session.job.task.description).toBe("work");
    session.push({
      kind: "artifact",
      artifact: { type: "structured", name: "result", data: { output: "done" } },
    });
    session.push({
      kind: "artifact",
      artifact: {
        type: "file",
        path: "out/a.txt",
        content: Buffer.from("hello"),
        content_type: "text/plain",
      },
    });
    session.end();
    const { task } = (await answered).result;
    expect(task).toMatchObject({
      status: { state: "TASK_STATE_COMPLETED", message: { role: "ROLE_AGENT", parts: [{ text: "done" }] } },
      metadata: { order: 7 },
      artifacts: [
        { name: "result", parts: [{ data: { output: "done" } }] },
        {
          name: "out/a.txt",
          parts: [{ text: "hello", filename: "out/a.txt", mediaType: "text/plain" }],
        },
      ],
    });
    expect(task.history).toEqual([
      { ...message, contextId: task.contextId, taskId: task.id },
      { ...task.status.message },
    ]);
    expect(task.contextId).toBe(task.id);
  });

  it("is answered at once where the client asks for that, and read until it has ended", async () => {
    const { task, session } = await begin();
    expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(task.status.state);
    session.end("failed", { failure: { code: "AGENT_FAILED", message: "it rains" } });
    await stage.ended(task.id);
    const { result } = await stage.rpc("GetTask", { id: task.id });
    expect(result.status).toMatchObject({
      state: "TASK_STATE_FAILED",
      message: { parts: [{ text: "it rains" }] },
    });
  });

  it("is shown at once as it is read while it waits, without the secrets of its agent", async () => {
    const waiting = await openHubStage({ concurrency: 0 });
    const { hub } = waiting;
    const command = ["worker"];
    const env = { KEY: "hunter2-hunter2" };
    await hub.addAgent(
      { name: "worker", protocol: "atp", transport: "stdio", command, env },
      { replace: true },
    );
    const message = userMessage("say hunter2-hunter2", { metadata: { deep: ["hunter2-hunter2"] } });
    const { result } = await waiting.rpc("SendMessage", { message, ...NOW, metadata: { order: 7 } });
    const { result: read } = await waiting.rpc("GetTask", { id: result.task.id });
    expect(result.task).toEqual(read);
    expect(read).toMatchObject({ status: { state: "TASK_STATE_SUBMITTED" }, metadata: { order: 7 } });
    expect(JSON.stringify(result)).not.toContain("hunter2");
    await waiting.close();
  });

  it("is the same task for a message that comes again by another binding", async () => {
    const message = userMessage("work");
    const { result } = await stage.rpc("SendMessage", { message, ...NOW });
    const again = await stage.send("POST", "/message:send", {
      body: { message, ...NOW },
      headers: { "a2a-version": "1.0" },
    });
    expect(again.body.task.id).toBe(result.task.id);
    (await stage.driver.session(0)).end();
    await stage.ended(result.task.id);
    expect(stage.driver.sessions).toHaveLength(1);
  });

  it("is begun once, however often its message comes", async () => {
    const message = userMessage("work", { contextId: "talk-1" });
    const replies = await Promise.all([1, 2, 3].map(() => stage.rpc("SendMessage", { message, ...NOW })));
    const ids = new Set(replies.map(({ result }) => result.task.id));
    expect(ids.size).toBe(1);
    (await stage.driver.session(0)).end();
    await stage.ended([...ids][0]);
    const again = await stage.rpc("SendMessage", { message });
    expect(again.result.task).toMatchObject({ id: [...ids][0], status: { state: "TASK_STATE_COMPLETED" } });
    expect(stage.driver.sessions).toHaveLength(1);
  });

  it("is another one where a message has the id of an earlier one and says something else", async () => {
    const message = userMessage("work", { contextId: "talk-1" });
    const first = await stage.rpc("SendMessage", { message, ...NOW });
    (await stage.driver.session(0)).end();
    await stage.ended(first.result.task.id);
    const other = { ...message, parts: [{ text: "else" }] };
    const second = await stage.rpc("SendMessage", { message: other, ...NOW });
    expect(second.result.task.id).not.toBe(first.result.task.id);
    expect((await stage.driver.session(1)).job.task.description).toBe("else");
    const again = await stage.rpc("SendMessage", { message: other, ...NOW });
    expect(again.result.task.id).toBe(second.result.task.id);
  });

  it("goes on in its context as another task, which knows what was said", async () => {
    const first = await begin("one", { contextId: "talk-2" });
    first.session.push({
      kind: "message",
      message: { id: "m1", role: "agent", parts: [{ kind: "text", text: "uno" }] },
    });
    first.session.end();
    await stage.ended(first.task.id);
    const { result } = await stage.rpc("SendMessage", {
      message: userMessage("two", { contextId: "talk-2", referenceTaskIds: [first.task.id] }),
      ...NOW,
    });
    const session = await stage.driver.session(1);
    expect(result.task).toMatchObject({ contextId: "talk-2" });
    expect(result.task.id).not.toBe(first.task.id);
    expect(result.task.history[0].referenceTaskIds).toEqual([first.task.id]);
    const history = await session.job.conversation?.history();
    expect(history?.map(({ role, parts }) => [role, parts[0]])).toEqual([
      ["user", { kind: "text", text: "one" }],
      ["agent", { kind: "text", text: "uno" }],
    ]);
  });

  it("finds the files of its message in its workspace, and never fetches addresses", async () => {
    const parts = [
      { text: "look" },
      { raw: Buffer.from("one").toString("base64"), filename: "in/a.txt", mediaType: "text/plain" },
      { raw: Buffer.from("two").toString("base64"), filename: "in/a.txt" },
      { raw: Buffer.from("three").toString("base64") },
      { url: "http://127.0.0.1:1/secret", filename: "s" },
      { data: { n: 1 } },
    ];
    const message = userMessage("", { parts });
    const { result } = await stage.rpc("SendMessage", { message, ...NOW });
    const session = await stage.driver.session(0);
    const run = await stage.hub.run(result.task.id);
    expect(
      run.artifacts.map((artifact) => [artifact.type === "file" && artifact.path, artifact.size_bytes]),
    ).toEqual([
      ["in/a.txt", 3],
      ["in/a-2.txt", 3],
      ["file-4", 5],
    ]);
    expect(session.job.task).toEqual({
      description: "look",
      input_data: { n: 1, attachments: [{ url: "http://127.0.0.1:1/secret", name: "s" }] },
    });
    const [sent] = (await stage.rpc("GetTask", { id: result.task.id })).result.history;
    expect(sent.parts[1].url).toBe(
      `${stage.origin}/runs/${run.id}/artifacts/${run.artifacts[0]!.id}/content`,
    );
    expect(await (await fetch(sent.parts[1].url)).text()).toBe("one");
    expect(result.task.artifacts).toEqual([]);
  });

  it("is refused, and leaves nothing behind, when a file of its message has an impossible name", async () => {
    const raw = Buffer.from("x").toString("base64");
    const message = userMessage("", { parts: [{ text: "look" }, { raw, filename: "../../etc/passwd" }] });
    const { error } = await stage.rpc("SendMessage", { message });
    expect(error).toMatchObject({ code: -32602 });
    expect((await stage.hub.runs({})).items).toEqual([]);
  });

  it.each<[what: string, path: string, type: string | undefined, content: Buffer, isText: boolean]>([
    ["text by its type", "notes", "text/markdown", Buffer.from("# Füße\n"), true],
    [
      "text by its type, which names its encoding",
      "a.bin",
      "text/csv; charset=UTF-8",
      Buffer.from("a,b"),
      true,
    ],
    ["text by its name", "plan.md", undefined, Buffer.from("# Plan"), true],
    ["text with a byte order mark", "a.txt", "text/plain", Buffer.from("\ufeffhi"), true],
    ["JSON", "a.json", "application/json", Buffer.from("{}"), true],
    ["an empty text", "a.txt", "text/plain", Buffer.alloc(0), true],
    ["bytes that are no UTF-8", "a.txt", "text/plain", Buffer.from([0xff, 0xfe, 0x41]), false],
    ["UTF-16", "a.txt", "text/plain", Buffer.from("hi", "utf16le"), false],
    ["text in another encoding", "a.txt", "text/plain; charset=latin1", Buffer.from("hi"), false],
    ["an image that is written as text", "a.svg", "image/svg+xml", Buffer.from("<svg/>"), false],
    ["bytes of which nothing is known", "a", undefined, Buffer.from("hi"), false],
  ])("gives a file that is %s as text or as bytes", async (_what, path, type, content, isText) => {
    const { task, session } = await begin();
    const typed = type === undefined ? {} : { content_type: type };
    session.push({ kind: "artifact", artifact: { type: "file", path, content, ...typed } });
    session.end();
    await stage.ended(task.id);
    const [part] = (await stage.rpc("GetTask", { id: task.id })).result.artifacts[0].parts;
    const sent = isText ? { text: content.toString() } : { raw: content.toString("base64") };
    expect(part).toEqual({ ...sent, filename: path, ...(type !== undefined && { mediaType: type }) });
    expect(Buffer.from(part.text ?? part.raw, isText ? "utf8" : "base64")).toEqual(content);
  });

  it("gives large artifacts by their address", async () => {
    const { task, session } = await begin();
    const content = Buffer.alloc(1024 * 1024 + 1, "a");
    session.push({ kind: "artifact", artifact: { type: "file", path: "big.txt", content } });
    session.push({ kind: "artifact", artifact: { type: "reference", path: "https://example.com/x" } });
    session.end();
    await stage.ended(task.id);
    const { result } = await stage.rpc("GetTask", { id: task.id });
    const [big, reference] = result.artifacts;
    expect(big.parts).toEqual([
      { url: expect.stringContaining(`/runs/${task.id}/artifacts/`), filename: "big.txt" },
    ]);
    expect((await (await fetch(big.parts[0].url)).arrayBuffer()).byteLength).toBe(content.length);
    expect(reference.parts).toEqual([{ url: "https://example.com/x" }]);
  });

  it("shows as much of its history as is asked for", async () => {
    const { task, session } = await begin();
    for (const id of ["a", "b"])
      session.push({ kind: "message", message: { id, role: "agent", parts: [{ kind: "text", text: id }] } });
    await stage.until(
      task.id,
      ({ type, payload }) => type === "message.added" && JSON.stringify(payload).includes('"b"'),
    );
    const lengths = [];
    for (const historyLength of [undefined, 0, 1, 2, 99]) {
      const { result } = await stage.rpc("GetTask", {
        id: task.id,
        ...(historyLength !== undefined && { historyLength }),
      });
      lengths.push(result.history?.map(({ messageId }: { messageId: string }) => messageId).slice(-2));
    }
    expect(lengths).toEqual([["a", "b"], undefined, ["b"], ["a", "b"], ["a", "b"]]);
  });

  it("is cancelled when its agent has stopped, and then no more", async () => {
    const { task, session } = await begin();
    const cancelled = stage.rpc("CancelTask", { id: task.id });
    await eventually(() => expect(session.signals.cancel.aborted).toBe(true));
    session.end("cancelled");
    expect((await cancelled).result.status.state).toBe("TASK_STATE_CANCELED");
    expect((await stage.rpc("CancelTask", { id: task.id })).error).toMatchObject({ code: -32002 });
  });

  it("is one task through all attempts of its retry policy", async () => {
    const { run } = await stage.hub.submit({
      agent: "worker",
      task: { description: "try" },
      retry: { max_attempts: 2, initial_delay_ms: 1, on: ["AGENT_FAILED"] },
    });
    const frames = stage.stream("SubscribeToTask", { id: run.id }).all();
    (await stage.driver.session(0)).end("failed", { failure: { code: "AGENT_FAILED", message: "no luck" } });
    const second = await stage.driver.session(1);
    second.push({
      kind: "message",
      message: { id: "m", role: "agent", parts: [{ kind: "text", text: "luck" }] },
    });
    const during = await stage.rpc("GetTask", { id: run.id });
    expect(during.result).toMatchObject({ id: run.id, status: { state: "TASK_STATE_WORKING" } });
    second.end();
    const seen = (await frames).map(({ data }) => data.result);
    expect(seen.every((each) => (each.task?.id ?? each.statusUpdate.taskId) === run.id)).toBe(true);
    const states = seen.map((each) => (each.task ?? each.statusUpdate).status.state);
    expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
    expect(states.slice(1, -1)).not.toContain("TASK_STATE_SUBMITTED");
    expect(states.slice(0, -1)).not.toContain("TASK_STATE_FAILED");
    const { result } = await stage.rpc("GetTask", { id: run.id });
    expect(result.history.map(({ parts }: { parts: { text: string }[] }) => parts[0]!.text)).toEqual([
      "try",
      "luck",
    ]);
    const [, retried] = (await stage.hub.runs({ order: "oldest" })).items;
    expect((await stage.rpc("GetTask", { id: retried!.id })).error.code).toBe(-32001);
    expect((await stage.rpc("ListTasks", {})).result.tasks).toHaveLength(1);
  });
});

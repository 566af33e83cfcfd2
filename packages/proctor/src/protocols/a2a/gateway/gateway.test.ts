import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../core/json.ts";
import { CONTEXT, statusFrame, TASK, taskOf } from "../../../../test/support/a2a/task-words.ts";
import { base64, callOf, framesOf, openGateway, say } from "../../../../test/support/a2a/gateway-stage.ts";
import { serveA2a, type Asked, type ScriptedServer } from "../../../../test/support/a2a/scripted-server.ts";

const ANY = expect.any(String) as string;

/** The agent of document 001, section 6. */
const fileUpdate = (raw: string, more: JsonObject = {}, file: JsonObject = {}): JsonObject => ({
  artifactUpdate: {
    taskId: TASK,
    contextId: CONTEXT,
    artifact: {
      artifactId: "abc-123",
      name: "result.txt",
      parts: [{ raw: base64(raw), filename: "result.txt", mediaType: "text/plain", ...file }],
    },
    ...more,
  },
});

async function documented(asked: Asked): Promise<void> {
  const stream = asked.stream();
  await stream.frame(statusFrame("WORKING", "Work in progress..."));
  await stream.frame(fileUpdate("Proxy test successful!"));
  await stream.frame({ task: taskOf("COMPLETED", {}, "Done.") });
  stream.end();
}

function answering(result: Json): (asked: Asked) => void {
  return (asked) => asked.result(result);
}

/** What the agent was asked, without its card. */
const requestsTo = ({ asked }: ScriptedServer): Asked[] =>
  asked.filter(({ operation }) => operation !== "card");

describe("the A2A gateway", () => {
  it("does what document 001 asks of its proxy: bytes in, bytes kept, references out", async () => {
    const agent = await serveA2a(documented);
    const { service, artifacts, textOf } = await openGateway(agent.url, { identityHeader: "x-user" });
    const user = "proxy_tester@example.com";
    const scope = { app: "writer", user, session: "s-1" };
    await artifacts.save(
      { ...scope, name: "input.txt" },
      { content: Buffer.from("the input"), mimeType: "text/plain" },
    );
    const uri = "artifact://writer/proxy_tester%40example.com/s-1/input.txt";
    const call = callOf({ headers: { "x-user": user } });
    const frames = await framesOf(
      await service.stream(say(`Please process ${uri}.`, { contextId: "s-1" }), call),
    );

    expect(requestsTo(agent)[0]?.params).toMatchObject({
      message: {
        parts: [
          { text: `Please process ${uri}.` },
          { raw: base64("the input"), filename: "input.txt", mediaType: "text/plain" },
        ],
      },
    });
    const reference = "artifact://writer/proxy_tester%40example.com/s-1/result.txt?version=1";
    expect(frames).toMatchObject([
      {
        statusUpdate: { contextId: "s-1", status: { message: { parts: [{ text: "Work in progress..." }] } } },
      },
      {
        artifactUpdate: {
          artifact: {
            parts: [
              {
                url: reference,
                filename: "result.txt",
                mediaType: "text/plain",
                metadata: { proxied_from_artifact_id: "abc-123" },
              },
            ],
          },
        },
      },
      {
        task: {
          status: { state: "TASK_STATE_COMPLETED", message: { parts: [{ text: "Done." }] } },
          metadata: { produced_artifacts: [{ filename: "result.txt", version: 1, uri: reference }] },
        },
      },
    ]);
    const saved = await artifacts.find({ ...scope, name: "result.txt" }, 1);
    expect(saved).toMatchObject({
      mime_type: "text/plain",
      metadata: { proxied_from_artifact_id: "abc-123" },
    });
    expect(await textOf(saved)).toBe("Proxy test successful!");
    expect(JSON.stringify(frames)).not.toContain("raw");
  });

  it("gives out its own ids, and asks the agent by the agent's", async () => {
    const agent = await serveA2a(answering({ task: taskOf("WORKING") }));
    const { service } = await openGateway(agent.url);
    const { task } = await service.send(say("one"), callOf());
    expect(task).toMatchObject({ id: ANY, contextId: ANY });
    expect([TASK, CONTEXT]).not.toContain(task?.id);
    await service.send(say("two", { taskId: task?.id ?? "", contextId: task?.contextId ?? "" }), callOf());
    await service.send(
      say("three", { contextId: task?.contextId ?? "", referenceTaskIds: [task?.id ?? ""] }),
      callOf(),
    );
    expect(requestsTo(agent).map(({ params }) => params["message"])).toMatchObject([
      { parts: [{ text: "one" }] },
      { taskId: TASK, contextId: CONTEXT },
      { contextId: CONTEXT, referenceTaskIds: [TASK] },
    ]);
    expect(requestsTo(agent)[0]?.params["message"]).not.toHaveProperty("contextId");
  });

  it("still knows its ids after a restart, and keeps the client's name of a context", async () => {
    const agent = await serveA2a((asked) =>
      asked.result(asked.operation === "send" ? { task: taskOf("WORKING") } : taskOf("CANCELED")),
    );
    const first = await openGateway(agent.url);
    const { task } = await first.service.send(say("one", { contextId: "mine" }), callOf());
    expect(task?.contextId).toBe("mine");
    const { service } = await first.reopen();
    const canceled = await service.cancelTask({ id: task?.id ?? "" }, callOf());
    expect(canceled).toMatchObject({
      id: task?.id,
      contextId: "mine",
      status: { state: "TASK_STATE_CANCELED" },
    });
    await service.send(say("two", { contextId: "mine" }), callOf());
    expect(requestsTo(agent).at(-1)?.params).toMatchObject({ message: { contextId: CONTEXT } });
    expect(requestsTo(agent)[1]?.params).toMatchObject({ id: TASK });
  });

  it("answers in the context that the client named, whatever the agent calls it", async () => {
    const agent = await serveA2a(answering({ task: taskOf("WORKING") }));
    const { service } = await openGateway(agent.url);
    for (const contextId of ["one", "two"]) {
      const { task } = await service.send(say("x", { contextId }), callOf());
      expect(task?.contextId).toBe(contextId);
    }
    expect((await service.send(say("x"), callOf())).task?.contextId).toBe("one");
  });

  it("keeps users apart: tasks, contexts and artifacts", async () => {
    let count = 0;
    const agent = await serveA2a((asked) => {
      count++;
      asked.result({ task: { ...taskOf("WORKING"), id: `t-${count}`, contextId: `c-${count}` } });
    });
    const { service, artifacts } = await openGateway(agent.url, { identityHeader: "X-User" });
    const [ada, bob] = ["ada", "bob"].map((name) => callOf({ headers: { "x-user": name } })) as [
      ReturnType<typeof callOf>,
      ReturnType<typeof callOf>,
    ];
    const { task } = await service.send(say("x", { contextId: "same" }), ada);
    await expect(service.getTask({ id: task?.id ?? "" }, bob)).rejects.toMatchObject({
      reason: "TASK_NOT_FOUND",
    });
    await service.send(say("x", { contextId: "same" }), bob);
    expect(requestsTo(agent).at(-1)?.params["message"]).not.toHaveProperty("contextId");
    await artifacts.save(
      { app: "writer", user: "ada", session: "same", name: "secret" },
      { content: Buffer.from("s"), mimeType: "text/plain" },
    );
    const asked = agent.asked.length;
    await expect(
      service.send(say("read artifact://writer/ada/same/secret", { contextId: "same" }), bob),
    ).rejects.toMatchObject({ reason: "INVALID_PARAMS", fields: [{ field: "message.parts[0].text" }] });
    expect(agent.asked).toHaveLength(asked);
  });

  it("passes on what it does not know, in both directions", async () => {
    const agent = await serveA2a((asked) =>
      asked.result({
        task: { ...taskOf("WORKING"), later: { a: 1 }, status: { state: "TASK_STATE_NEW_ONE", x: [1] } },
        besides: true,
      }),
    );
    const { service } = await openGateway(agent.url);
    const request = { ...say("x", { later: 1, parts: [{ text: "t", y: 2 }, { hologram: "h" }] }), own: "o" };
    const result = await service.send(request, callOf());
    expect(result).toMatchObject({
      task: { later: { a: 1 }, status: { state: "TASK_STATE_NEW_ONE", x: [1] } },
      besides: true,
    });
    expect(requestsTo(agent)[0]?.params).toMatchObject({
      own: "o",
      message: { later: 1, parts: [{ text: "t", y: 2 }, { hologram: "h" }] },
    });
  });

  it("takes a task that is over for canceled, and only that", async () => {
    let state: "COMPLETED" | "WORKING" = "COMPLETED";
    const agent = await serveA2a((asked) => {
      if (asked.operation === "cancelTask") return asked.error(-32002, "too late");
      asked.result(asked.operation === "send" ? { task: taskOf(state) } : taskOf(state));
    });
    const { service } = await openGateway(agent.url);
    const { task } = await service.send(say("x"), callOf());
    expect(await service.cancelTask({ id: task?.id ?? "" }, callOf())).toMatchObject({
      id: task?.id,
      status: { state: "TASK_STATE_COMPLETED" },
    });
    state = "WORKING";
    await expect(service.cancelTask({ id: task?.id ?? "" }, callOf())).rejects.toMatchObject({
      reason: "TASK_NOT_CANCELABLE",
    });
  });

  it("keeps the same bytes once, however often a task is asked for", async () => {
    const artifacts = [
      {
        artifactId: "a",
        parts: [
          { raw: base64("A"), filename: "f" },
          { raw: base64("B"), filename: "f" },
        ],
      },
      { artifactId: "b", name: "user:evil/../n.bin", parts: [{ raw: base64("C") }, { text: "t" }] },
    ];
    const task = taskOf("COMPLETED", { artifacts });
    const agent = await serveA2a((asked) => asked.result(asked.operation === "send" ? { task } : task));
    const stage = await openGateway(agent.url);
    const first = (await stage.service.send(say("x", { contextId: "s" }), callOf())).task;
    for (let index = 0; index < 3; index++) {
      const again = await stage.service.getTask({ id: first?.id ?? "" }, callOf());
      expect(again).toEqual(first);
    }
    // The chunks of one file are one file.
    expect(first?.artifacts).toMatchObject([
      { parts: [{ url: "artifact://writer/anonymous/s/f?version=1" }] },
      { parts: [{ url: "artifact://writer/anonymous/s/n.bin?version=1" }, { text: "t" }] },
    ]);
    const { items } = await stage.artifacts.list({ app: "writer", user: "anonymous", session: "s" }, {});
    expect(items.map(({ name, version }) => `${name} ${version}`)).toEqual(["f 1", "n.bin 1"]);
  });

  it("lists only the tasks that it has told the user of", async () => {
    const agent = await serveA2a((asked) => {
      if (asked.operation === "send") return asked.result({ task: taskOf("WORKING") });
      const tasks = [taskOf("WORKING"), { ...taskOf("WORKING"), id: "somebody-else's" }];
      asked.result({ tasks, nextPageToken: "", pageSize: 50, totalSize: 2 });
    });
    const { service } = await openGateway(agent.url);
    const { task } = await service.send(say("x", { contextId: "s" }), callOf());
    const listed = await service.listTasks({ contextId: "s" }, callOf());
    expect(listed).toMatchObject({ tasks: [{ id: task?.id, contextId: "s" }], totalSize: 1 });
    expect(requestsTo(agent).at(-1)?.params).toMatchObject({ contextId: CONTEXT });
    expect(await service.listTasks({ contextId: "never seen" }, callOf())).toMatchObject({ tasks: [] });
  });

  it("passes on only the headers that it may, and its own credentials", async () => {
    const agent = await serveA2a(answering({ task: taskOf("WORKING") }));
    const { service } = await openGateway(agent.url, {
      agent: {
        headers: { "x-tenant": "t" },
        allowHeaders: ["X-Request-Id"],
        auth: {
          apply: async ({ headers }) => void (headers["authorization"] = "Bearer ours"),
          renew: () => false,
        },
      },
    });
    const headers = { authorization: "Bearer theirs", cookie: "c", "x-request-id": "r", "x-user": "u" };
    await service.send(say("x"), callOf({ headers, extensions: ["urn:x"] }));
    const [sent] = requestsTo(agent);
    expect(sent?.headers).toMatchObject({
      authorization: "Bearer ours",
      "x-tenant": "t",
      "x-request-id": "r",
      "a2a-extensions": "urn:x",
    });
    expect(sent?.headers).not.toHaveProperty("cookie");
    expect(sent?.headers).not.toHaveProperty("x-user");
  });

  it("refuses push configurations, as its card says", async () => {
    const agent = await serveA2a(answering({ task: taskOf("WORKING") }));
    const { service } = await openGateway(agent.url);
    const config = { url: "https://example.com" };
    const refused = { reason: "PUSH_NOTIFICATION_NOT_SUPPORTED" };
    await expect(service.createPushConfig(config, callOf())).rejects.toMatchObject(refused);
    await expect(
      service.send({ ...say("x"), configuration: { taskPushNotificationConfig: config } }, callOf()),
    ).rejects.toMatchObject(refused);
    expect((await service.card(callOf())).capabilities.pushNotifications).toBe(false);
  });
});

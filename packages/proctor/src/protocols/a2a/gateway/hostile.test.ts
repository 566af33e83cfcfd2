import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json.ts";
import { base64, callOf, framesOf, openGateway, say } from "../../../../test/support/a2a/gateway-stage.ts";
import { serveA2a, type Asked } from "../../../../test/support/a2a/scripted-server.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import { serveHttp } from "../../../../test/support/http/servers.ts";
import { CONTEXT, statusFrame, TASK, taskOf } from "../../../../test/support/a2a/task-words.ts";
import { createAuth } from "../client/auth/create-auth.ts";
import { createHttpClient } from "../../../channels/http/client.ts";
import { systemClock } from "../../../runtime/time/system-clock.ts";

const SCOPE = { app: "writer", user: "anonymous", session: "s" };
const LIMITS = { fileBytes: 1000, sessionBytes: 2000, count: 20 };

function chunk(raw: string, more: JsonObject, artifactId = "a"): JsonObject {
  const artifact = { artifactId, parts: [{ raw: base64(raw), filename: "f" }] };
  return { artifactUpdate: { taskId: TASK, contextId: CONTEXT, artifact, ...more } };
}

async function flood(asked: Asked, frame: (index: number) => JsonObject): Promise<void> {
  const stream = asked.stream();
  const { response } = asked;
  for (let index = 0; !response.destroyed && index < 100_000; index++) await stream.frame(frame(index));
  stream.end();
}

describe("the A2A gateway in front of a hostile agent", () => {
  it("names no address of the agent when the agent is gone, cut off or moved", async () => {
    const agent = await serveA2a((asked) => {
      if (asked.operation === "stream") return void asked.response.destroy();
      if (asked.operation === "send") return void asked.response.destroy();
      asked.response.writeHead(302, { location: "http://inner.example:8080/agent" }).end();
    });
    const { host } = new URL(agent.url);
    const { service } = await openGateway(agent.url);
    const { service: alone } = await openGateway("http://127.0.0.1:1");
    const heard = await Promise.all(
      [
        service.send(say("x"), callOf()),
        service.stream(say("x"), callOf()),
        service.extendedCard(callOf()),
        alone.send(say("x"), callOf()),
      ].map((asked) => asked.then(String, String)),
    );
    for (const words of heard) expect(words).toMatch(/^A2aError: .*the agent's server/);
    for (const hidden of [host, "inner.example", "127.0.0.1"]) expect(heard.join()).not.toContain(hidden);
  });

  it.each([
    [
      "chunks without end",
      (index: number) => chunk("x".repeat(100), { append: index > 0, lastChunk: false }),
    ],
    ["files that never end", (index: number) => chunk("x", { lastChunk: false }, `a${index}`)],
    ["a file that is too large", () => chunk("x".repeat(1001), { lastChunk: true })],
    [
      "more files than a session keeps",
      (index: number) => chunk(`${index}`, { lastChunk: true }, `a${index}`),
    ],
  ])("stops %s, keeps nothing half, and leaves the agent", async (_, frame) => {
    let left: Promise<void> | undefined;
    const agent = await serveA2a(async (asked) => {
      const playing = flood(asked, frame);
      left = playing;
      await playing;
    });
    const { service, artifacts, folder } = await openGateway(agent.url, {
      limits: LIMITS,
      lingerMs: 1,
    });
    const stream = await service.stream(say("x", { contextId: "s" }), callOf());
    await expect(framesOf(stream)).rejects.toMatchObject({ reason: "RESOURCE_EXHAUSTED" });
    await left;
    const { items } = await artifacts.list(SCOPE, { limit: 100 });
    expect(items.length).toBeLessThanOrEqual(LIMITS.count);
    expect(items.every(({ size_bytes }) => size_bytes <= 2)).toBe(true);
    await eventually(() => expect(readdirSync(join(folder, "blobs", "tmp"))).toEqual([]));
  });

  it("refuses frames larger than its limit", async () => {
    const agent = await serveA2a(async (asked) => {
      const stream = asked.stream();
      await stream.frame(statusFrame("WORKING", "x".repeat(300_000)));
      stream.end();
    });
    const { service } = await openGateway(agent.url, { agent: { maxFrameBytes: 100_000 } });
    await expect(framesOf(await service.stream(say("x"), callOf()))).rejects.toMatchObject({
      reason: "INVALID_AGENT_RESPONSE",
    });
  });

  it("refuses answers about other tasks and with the ids of others", async () => {
    let answered: JsonObject = taskOf("WORKING");
    const agent = await serveA2a(async (asked) => {
      if (asked.operation === "send") return asked.result({ task: answered });
      if (asked.operation !== "stream") return asked.result(answered);
      const stream = asked.stream();
      await stream.frame({ task: taskOf("WORKING") });
      await stream.frame({
        statusUpdate: { taskId: "t-other", contextId: CONTEXT, status: { state: "TASK_STATE_COMPLETED" } },
      });
    });
    const { service } = await openGateway(agent.url, { identityHeader: "x-user", lingerMs: 1 });
    const ada = callOf({ headers: { "x-user": "ada" } });
    const bob = callOf({ headers: { "x-user": "bob" } });
    const { task } = await service.send(say("x"), ada);
    const lie = { reason: "INVALID_AGENT_RESPONSE" };
    await expect(service.send(say("x"), bob)).rejects.toMatchObject(lie);
    answered = { ...taskOf("WORKING"), id: "t-2" };
    await expect(service.getTask({ id: task?.id ?? "" }, ada)).rejects.toMatchObject(lie);
    await expect(service.cancelTask({ id: task?.id ?? "" }, ada)).rejects.toMatchObject(lie);
    await expect(framesOf(await service.stream(say("x"), ada))).rejects.toMatchObject(lie);
    for (const id of ["", "x".repeat(2000), "a\0b"]) {
      answered = { ...taskOf("WORKING"), id };
      await expect(service.send(say("x"), ada)).rejects.toMatchObject(lie);
    }
  });

  it("keeps files only under harmless names, and never for other sessions or for the user", async () => {
    const names = [
      "../../etc/passwd",
      "/abs",
      "a\\b",
      "user:user:shared",
      "..",
      "",
      "nul\0byte",
      `${"ü".repeat(300)}.txt`,
    ];
    const parts = names.map((filename, index) => ({ raw: base64(`${index}`), filename }));
    const agent = await serveA2a((asked) =>
      asked.result({ task: taskOf("COMPLETED", { artifacts: [{ artifactId: "a", parts }] }) }),
    );
    const { service, artifacts } = await openGateway(agent.url);
    await service.send(say("x", { contextId: "s" }), callOf());
    const { items } = await artifacts.list(SCOPE, {});
    const kept = items.map(({ name }) => name);
    expect(kept).toEqual(["abs", "artifact", "b", "nulbyte", "passwd", "shared", "ü".repeat(127)]);
    expect((await artifacts.list({ ...SCOPE, session: "other" }, {})).items).toEqual([]);
  });

  it("refuses bytes that are no base64", async () => {
    const artifacts = [{ artifactId: "a", parts: [{ raw: "%%%%", filename: "f" }] }];
    const agent = await serveA2a((asked) => asked.result({ task: taskOf("COMPLETED", { artifacts }) }));
    const { service } = await openGateway(agent.url);
    await expect(service.send(say("x"), callOf())).rejects.toMatchObject({
      reason: "INVALID_AGENT_RESPONSE",
    });
  });

  it("tries other credentials once, and no more", async () => {
    let tokens = 0;
    const tokenServer = await serveHttp((_request, response) => {
      tokens++;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ access_token: `t${tokens}`, token_type: "Bearer", expires_in: 300 }));
    });
    let accepted = "Bearer t2";
    const agent = await serveA2a((asked) => {
      if (asked.headers.authorization === accepted) return asked.result({ task: taskOf("WORKING") });
      asked.response.writeHead(401).end();
    });
    const auth = createAuth(
      {
        auth: {
          type: "oauth2",
          token_url: tokenServer.url,
          client_id: "c",
          client_secret: "s",
          scopes: [],
          credentials_in: "header",
        },
      },
      { http: createHttpClient(), clock: systemClock },
    );
    const { service } = await openGateway(agent.url, { agent: { auth } });
    await service.send(say("x"), callOf());
    expect([tokens, agent.asked.filter(({ operation }) => operation === "send").length]).toEqual([2, 2]);
    accepted = "nobody";
    await expect(service.send(say("x"), callOf())).rejects.toMatchObject({ reason: "UNAUTHENTICATED" });
    expect([tokens, agent.asked.filter(({ operation }) => operation === "send").length]).toEqual([3, 4]);
  });

  it("gives up an agent that does not answer in time", async () => {
    let gone = false;
    const agent = await serveA2a((asked) => {
      asked.response.on("close", () => (gone = true));
    });
    const { service } = await openGateway(agent.url, { agent: { timeoutMs: 200 } });
    // On a busy machine it may be the card that does not come in time: then nothing was sent yet.
    do {
      await expect(service.send(say("x"), callOf())).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    } while (!agent.asked.some(({ operation }) => operation === "send"));
    await eventually(() => expect(gone).toBe(true));
  });
});

describe("the A2A gateway in front of hostile clients", () => {
  it.each([
    "artifact://writer/anonymous/s/..%2f..%2fsecret",
    "artifact://writer/anonymous/s/missing.txt",
    "artifact://writer/anonymous/s/mine.txt?version=7",
    "artifact://writer/anonymous/other/mine.txt",
    "artifact://writer/ada/s/mine.txt",
    "artifact://reader/anonymous/s/mine.txt",
    "artifact://writer/anonymous/s/user:shared/x",
    "artifact://x",
  ])("sends nothing for a part that refers to %s", async (url) => {
    const agent = await serveA2a((asked) => asked.result({ task: taskOf("COMPLETED") }));
    const { service, artifacts } = await openGateway(agent.url);
    for (const [session, user] of [
      ["other", "anonymous"],
      ["s", "ada"],
    ] as const) {
      await artifacts.save(
        { app: "writer", user, session, name: "mine.txt" },
        { content: Buffer.from("x"), mimeType: "text/plain" },
      );
    }
    const request = say("", { contextId: "s", parts: [{ text: "see" }, { url }] });
    await expect(service.send(request, callOf())).rejects.toMatchObject({
      reason: "INVALID_PARAMS",
      fields: [{ field: "message.parts[1].url" }],
    });
    expect(agent.asked.every(({ operation }) => operation === "card")).toBe(true);
  });

  it("sends what the user shares, and the latest or the named version", async () => {
    const agent = await serveA2a((asked) => asked.result({ task: taskOf("COMPLETED") }));
    const { service, artifacts } = await openGateway(agent.url);
    const key = { ...SCOPE, session: "elsewhere", name: "user:notes.md" };
    for (const text of ["one", "two"])
      await artifacts.save(key, { content: Buffer.from(text), mimeType: "text/markdown" });
    const uri = "artifact://writer/anonymous/s/user:notes.md";
    const request = say("", {
      contextId: "s",
      parts: [
        { url: uri },
        { url: `${uri}?version=1`, filename: "own.md" },
        { url: "https://example.com/x" },
      ],
    });
    await service.send(request, callOf());
    expect(agent.asked.at(-1)?.params).toMatchObject({
      message: {
        parts: [
          { raw: base64("two"), filename: "notes.md", mediaType: "text/markdown" },
          { raw: base64("one"), filename: "own.md" },
          { url: "https://example.com/x" },
        ],
      },
    });
  });

  it("sends no more than fits into a message", async () => {
    const agent = await serveA2a((asked) => asked.result({ task: taskOf("COMPLETED") }));
    const { service, artifacts } = await openGateway(agent.url, { maxMessageBytes: 10 });
    await artifacts.save({ ...SCOPE, name: "f" }, { content: Buffer.from("123456"), mimeType: "text/plain" });
    const url = "artifact://writer/anonymous/s/f";
    await expect(
      service.send(say("", { contextId: "s", parts: [{ url }, { url }] }), callOf()),
    ).rejects.toMatchObject({
      reason: "INVALID_PARAMS",
      message: expect.stringContaining("10 bytes") as string,
    });
  });

  it("refuses ids and identities that cannot be any", async () => {
    const agent = await serveA2a((asked) => asked.result({ task: taskOf("WORKING") }));
    const { service } = await openGateway(agent.url, { identityHeader: "x-user" });
    for (const contextId of ["a/b", "..", "x".repeat(300), "a\0"]) {
      await expect(service.send(say("x", { contextId }), callOf())).rejects.toMatchObject({
        reason: "INVALID_PARAMS",
      });
    }
    for (const id of ["", "nobody", "a\0", "x".repeat(2000)]) {
      await expect(service.getTask({ id }, callOf())).rejects.toMatchObject({ reason: "TASK_NOT_FOUND" });
    }
    await expect(service.send(say("x"), callOf({ headers: { "x-user": "../root" } }))).rejects.toMatchObject({
      reason: "INVALID_REQUEST",
    });
    const { task } = await service.send(say("x"), callOf());
    await expect(
      service.send(say("x", { taskId: task?.id ?? "", contextId: "another" }), callOf()),
    ).rejects.toMatchObject({ reason: "INVALID_PARAMS" });
  });
});

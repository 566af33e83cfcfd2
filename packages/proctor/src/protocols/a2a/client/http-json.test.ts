// The client half over HTTP+JSON: where each operation is, and what its errors say.
import { describe, expect, it } from "vitest";
import { serveHttp } from "../../../../test/support/http/servers.ts";
import { call, clientOf, errorOf, eventsOf, json } from "../../../../test/support/a2a/client-calls.ts";
import { cardOf, serveA2a, type Asked } from "../../../../test/support/a2a/scripted-server.ts";
import { TASK, taskOf } from "../../../../test/support/a2a/task-words.ts";
import type { AgentInterface, StreamResponse } from "../model.ts";

/** Notes what it is asked, and answers nothing of use. */
async function versionOneServer() {
  const asked: { line: string; body: unknown }[] = [];
  const { url } = await serveHttp((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      asked.push({ line: `${request.method} ${request.url}`, body });
      json(response, {});
    });
  });
  return { url, asked };
}

describe("a client of HTTP+JSON", () => {
  const binding = { protocolBinding: "HTTP+JSON" };
  const message = { messageId: "m", role: "ROLE_USER" as const, parts: [{ text: "x" }] };

  it("asks each operation at its own path, with its parameters in path, query or body", async () => {
    const served = await serveA2a(
      (asked) => {
        if (asked.operation === "send") return asked.result({ task: taskOf("WORKING") });
        if (asked.operation === "listTasks")
          return asked.result({ tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 });
        if (asked.operation === "listPushConfigs") return asked.result({ configs: [] });
        if (asked.operation === "deletePushConfig") return void asked.response.writeHead(204).end();
        if (/PushConfig/.test(asked.operation))
          return asked.result({ url: "http://h/hook", id: "p", taskId: "a/b" });
        return asked.result(
          asked.operation === "extendedCard" ? cardOf("1.0", "HTTP+JSON", "http://h") : taskOf("WORKING"),
        );
      },
      { binding: "HTTP+JSON" },
    );
    const client = clientOf(`${served.url}/`, binding);
    await client.send({ message }, call);
    await client.getTask({ id: "a/b", historyLength: 3 }, call);
    await client.listTasks({ contextId: "c d", pageSize: 5, includeArtifacts: true }, call);
    await client.cancelTask({ id: "a/b", metadata: { why: 1 } }, call);
    await client.createPushConfig({ taskId: "a/b", url: "http://h/hook" }, call);
    await client.getPushConfig({ taskId: "a/b", id: "p" }, call);
    await client.listPushConfigs({ taskId: "a/b" }, call);
    await client.deletePushConfig({ taskId: "a/b", id: "p" }, call);
    await client.extendedCard(call);
    expect(served.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /message:send",
      "GET /tasks/a%2Fb?historyLength=3",
      "GET /tasks?contextId=c+d&pageSize=5&includeArtifacts=true",
      "POST /tasks/a%2Fb:cancel",
      "POST /tasks/a%2Fb/pushNotificationConfigs",
      "GET /tasks/a%2Fb/pushNotificationConfigs/p",
      "GET /tasks/a%2Fb/pushNotificationConfigs",
      "DELETE /tasks/a%2Fb/pushNotificationConfigs/p",
      "GET /extendedAgentCard",
    ]);
    expect(served.asked[0]?.headers["content-type"]).toBe("application/a2a+json");
    expect(served.asked[3]?.params).toMatchObject({ metadata: { why: 1 } });
  });

  it("has the paths of 0.3 below /v1, and its messages in the form of its .proto", async () => {
    const { url, asked } = await versionOneServer();
    const old = { ...binding, protocolVersion: "0.3.0" };
    const client = clientOf(url, old);
    await client.send({ message }, call).catch(() => undefined);
    await client.getTask({ id: "a/b", historyLength: 2 }, call).catch(() => undefined);
    await client.cancelTask({ id: "a/b" }, call).catch(() => undefined);
    await client
      .createPushConfig({ taskId: "t", id: "p", url: "http://h/hook" }, call)
      .catch(() => undefined);
    await client.getPushConfig({ taskId: "t", id: "p" }, call).catch(() => undefined);
    await client.listPushConfigs({ taskId: "t" }, call).catch(() => undefined);
    await client.deletePushConfig({ taskId: "t", id: "p" }, call).catch(() => undefined);
    await client.extendedCard(call).catch(() => undefined);
    expect(asked.map(({ line }) => line)).toEqual([
      "POST /v1/message:send",
      "GET /v1/tasks/a%2Fb?historyLength=2",
      "POST /v1/tasks/a%2Fb:cancel",
      "POST /v1/tasks/t/pushNotificationConfigs",
      "GET /v1/tasks/t/pushNotificationConfigs/p",
      "GET /v1/tasks/t/pushNotificationConfigs",
      "DELETE /v1/tasks/t/pushNotificationConfigs/p",
      "GET /v1/card",
    ]);
    expect(asked[0]?.body).toMatchObject({ message: { role: "ROLE_USER", content: [{ text: "x" }] } });
  });

  it("puts the tenant before the path, and refuses ids that would lead elsewhere", async () => {
    const served = await serveA2a((asked) => asked.result(taskOf("WORKING")), { binding: "HTTP+JSON" });
    await clientOf(served.url, { ...binding, tenant: "acme" }).getTask({ id: TASK }, call);
    expect(served.asked[0]?.url).toBe(`/acme/tasks/${TASK}`);
    for (const id of ["..", ".", "", "\ud800"]) {
      const error = await errorOf(clientOf(served.url, binding).getTask({ id }, call));
      expect(error.reason).toBe("INVALID_PARAMS");
    }
  });

  it("subscribes with GET where a server knows no POST", async () => {
    const served = await serveA2a(
      async (asked: Asked) => {
        if (asked.method === "POST") return void asked.response.writeHead(405).end();
        const stream = asked.stream();
        await stream.frame({ task: taskOf("COMPLETED") });
        stream.end();
      },
      { binding: "HTTP+JSON" },
    );
    const events: StreamResponse[] = [];
    for await (const { event } of await clientOf(served.url, binding).subscribe({ id: TASK }, call))
      events.push(event);
    expect(events).toHaveLength(1);
    expect(served.asked.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  it("knows an error by its reason, and in the middle of a stream", async () => {
    const info = {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: "TASK_NOT_FOUND",
      domain: "a2a-protocol.org",
    };
    const body = { error: { code: 404, status: "NOT_FOUND", message: "no such task", details: [info] } };
    const refused = await serveHttp((_request, response) => json(response, body, 404));
    expect((await errorOf(clientOf(refused.url, binding).getTask({ id: TASK }, call))).reason).toBe(
      "TASK_NOT_FOUND",
    );
    const broken = await serveA2a(
      async (asked) => {
        const stream = asked.stream();
        await stream.frame({ task: taskOf("WORKING") });
        await stream.write(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
        stream.end();
      },
      { binding: "HTTP+JSON" },
    );
    expect((await errorOf(eventsOf(clientOf(broken.url, binding)))).reason).toBe("TASK_NOT_FOUND");
  });

  it("refuses what nobody here speaks", () => {
    const of = (more: Partial<AgentInterface>) => () => clientOf("http://h", more);
    expect(of({ protocolVersion: "2.0" })).toThrow(/nobody here speaks/);
    expect(of({ protocolBinding: "urn:carrier-pigeon" })).toThrow(/nobody here speaks/);
    expect(of({ url: "ftp://h" })).toThrow(/no address over HTTP/);
  });
});

// One agent over JSON-RPC, HTTP+JSON and gRPC: whoever changes the binding gets the same tasks, events, errors and refusals. Specification 1.0,
// section 5.1.
import { describe, expect, it } from "vitest";
import { call, errorOf, http } from "../../../test/support/a2a/client-calls.ts";
import { startAgent } from "../../../test/support/doubles/scripted.ts";
import { tckPack } from "../../doubles/scripted/packs/tck.ts";
import type { ProfileName } from "../../doubles/scripted/profiles.ts";
import { openClient } from "./client/open-client.ts";
import type { A2aMessage, AgentCard, SendResult } from "./model.ts";
import { A2A_VERSIONS, BINDINGS, type A2aService } from "./service.ts";

/** The agent over every binding of its card, and that card. */
async function overAll(version: string, profile: ProfileName = "main", headers: Record<string, string> = {}) {
  const { url } = await startAgent({ script: tckPack({ streamingTimeoutMs: 50 }), grpcPort: 0, profile });
  const asked = await fetch(`${url}/.well-known/agent-card.json`, { headers: { "a2a-version": "1.0" } });
  const card = (await asked.json()) as AgentCard;
  const spoken = card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === version);
  const clients: [string, A2aService][] = [];
  for (const each of spoken)
    clients.push([each.protocolBinding, await openClient({ interface: each, http, headers })]);
  return { card, clients };
}

let count = 0;

function asking(name: string, more: Partial<A2aMessage> = {}): { message: A2aMessage } {
  count += 1;
  return { message: { messageId: `${name}-${count}`, role: "ROLE_USER", parts: [{ text: "go" }], ...more } };
}

/** Without what differs from task to task. */
function shape(value: unknown): unknown {
  const text = JSON.stringify(value, (key, inner: unknown) =>
    /^(?:id|taskId|contextId|messageId|timestamp)$/.test(key) ? key : inner,
  );
  return JSON.parse(text);
}

async function eachOf(
  clients: readonly [string, A2aService][],
  ask: (client: A2aService) => Promise<unknown>,
): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const [, client] of clients) answers.push(shape(await ask(client)));
  return answers;
}

function taskIn({ task }: SendResult): string {
  return task?.id ?? "";
}

describe.each(A2A_VERSIONS)("the bindings of A2A %s", (version) => {
  it("are all in the card, and have the same operations with the same results", async () => {
    const { clients } = await overAll(version);
    expect(clients.map(([binding]) => binding)).toEqual(BINDINGS);
    const answers = await eachOf(clients, async (client) => {
      const done = await client.send(asking("tck-artifact-data"), call);
      const waiting = await client.send(asking("tck-input-required"), call);
      const events = [];
      for await (const { event } of await client.stream(asking("tck-stream-001"), call)) events.push(event);
      const config = { taskId: taskIn(waiting), id: "mine", url: "http://127.0.0.1:9/hook" };
      return {
        done,
        events,
        again: await client.getTask({ id: taskIn(done) }, call),
        created: await client.createPushConfig(config, call),
        configs: (await client.listPushConfigs({ taskId: taskIn(waiting) }, call)).configs,
        went: await client.send(asking("tck-complete-task", { taskId: taskIn(waiting) }), call),
        cancelled: await client.cancelTask(
          { id: taskIn(await client.send(asking("tck-input-required"), call)) },
          call,
        ),
      };
    });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it("refuse the same for the same reasons", async () => {
    const { clients } = await overAll(version);
    const reasons = await eachOf(clients, async (client) => {
      const ended = taskIn(await client.send(asking("tck-complete-task"), call));
      const refused = [
        client.getTask({ id: "nothing" }, call),
        client.cancelTask({ id: ended }, call),
        client.send(asking("tck-complete-task", { taskId: ended }), call),
        client.send(asking("tck-complete-task", { taskId: "nothing" }), call),
        client.send(asking("tck-send-003"), call),
        client.subscribe({ id: ended }, call),
        client.getPushConfig({ taskId: ended, id: "none" }, call),
        client.extendedCard(call),
      ];
      return Promise.all(refused.map(async (each) => (await errorOf(each)).reason));
    });
    for (const each of reasons) expect(each).toEqual(reasons[0]);
    expect(reasons[0]).toEqual([
      "TASK_NOT_FOUND",
      "TASK_NOT_CANCELABLE",
      "UNSUPPORTED_OPERATION",
      "TASK_NOT_FOUND",
      "CONTENT_TYPE_NOT_SUPPORTED",
      "UNSUPPORTED_OPERATION",
      "TASK_NOT_FOUND",
      "UNAUTHENTICATED",
    ]);
  });

  it("take the same credentials, and nothing without them", async () => {
    const anonymous = await overAll(version, "auth");
    expect(anonymous.card.securityRequirements).toHaveLength(1);
    for (const [, client] of anonymous.clients)
      expect((await errorOf(client.send(asking("tck-complete-task"), call))).reason).toBe("UNAUTHENTICATED");
    const { clients } = await overAll(version, "auth", { authorization: "Bearer itk-valid-token" });
    for (const [, client] of clients)
      expect(await client.send(asking("tck-complete-task"), call)).toHaveProperty("task");
  });
});

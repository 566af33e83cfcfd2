// The behaviours that the TCK for 0.3 asks for without naming them: its tasks go on, and can be cancelled.
import { describe, expect, it } from "vitest";
import {
  framesOf,
  message03,
  rpc,
  rpcRequest,
  startAgent,
} from "../../../../test/support/doubles/scripted.ts";
import type { JsonObject } from "../../../core/json.ts";
import { tck03Pack } from "./tck-0_3.ts";

const script = tck03Pack({ streamingTimeoutMs: 50 });
const start = () => startAgent({ script, grpcPort: 0, ...(script.grpcAsUrl && { grpcAsUrl: true }) });

interface Task {
  id: string;
  status: { state: string };
  history: unknown[];
}

const task = async (url: string, method: string, params: JsonObject): Promise<Task> =>
  (await rpc(url, method, params))["result"] as unknown as Task;

describe("the pack of the TCK for 0.3", () => {
  it("keeps a task at work for as many messages as come", async () => {
    const { url } = await start();
    const { id, status } = await task(url, "message/send", { message: message03({ text: "Hello" }) });
    expect(status.state).toBe("working");
    for (const text of ["more", "and more"]) {
      const again = await task(url, "message/send", { message: message03({ text, taskId: id }) });
      expect(again).toMatchObject({ id, status: { state: "working" } });
    }
    const limited = await task(url, "tasks/get", { id, historyLength: 2 });
    expect(limited.history).toHaveLength(2);
  });

  it("lets a task be cancelled once, and then takes no message for it", async () => {
    const { url } = await start();
    const { id } = await task(url, "message/send", { message: message03({ text: "Hello" }) });
    expect(await task(url, "tasks/cancel", { id })).toMatchObject({ id, status: { state: "canceled" } });
    expect(await rpc(url, "tasks/cancel", { id })).toMatchObject({ error: { code: -32002 } });
    const late = await rpc(url, "message/send", { message: message03({ text: "late", taskId: id }) });
    expect(late).toMatchObject({ error: { code: -32004 } });
  });

  it("streams a task, its work and an artifact, or works for two timeouts where the kit subscribes again", async () => {
    const { url } = await start();
    const kinds = async (message: JsonObject): Promise<unknown[]> => {
      const response = await rpcRequest(url, "message/stream", { message });
      return framesOf(await response.text()).map(({ result }) => {
        const { kind, status } = result as { kind: string; status?: { state: string } };
        return status?.state ?? kind;
      });
    };
    expect(await kinds(message03({ text: "Hello" }))).toEqual(["submitted", "working", "artifact-update"]);
    const messageId = "test-resubscribe-message-id-1";
    expect(await kinds(message03({ text: "Hello", messageId }))).toEqual([
      "submitted",
      "working",
      "completed",
    ]);
  });

  it("finds the push configuration that names no id, set by itself or with a message", async () => {
    const { url } = await start();
    const pushNotificationConfig = { url: "http://127.0.0.1:9/hook" };
    const first = await task(url, "message/send", { message: message03({ text: "Hello" }) });
    await rpc(url, "tasks/pushNotificationConfig/set", { taskId: first.id, pushNotificationConfig });
    const second = await task(url, "message/send", {
      message: message03({ text: "Hello" }),
      configuration: { pushNotificationConfig },
    });
    for (const { id } of [first, second])
      expect(await rpc(url, "tasks/pushNotificationConfig/get", { id })).toMatchObject({
        result: { taskId: id, pushNotificationConfig: { id, ...pushNotificationConfig } },
      });
  });

  it("says that a task was not found in the words that clients of 0.3 look for", async () => {
    const { url } = await start();
    const { error } = await rpc(url, "tasks/get", { id: "nothing" });
    expect(error).toMatchObject({ code: -32001, message: "task nothing not found" });
  });

  it("gives gRPC's address as a URL to clients of 0.3, and as host and port to those of 1.0", async () => {
    const { url, grpcUrl = "" } = await start();
    const card = async (version: string): Promise<JsonObject> => {
      const headers = { "a2a-version": version };
      return (await (await fetch(`${url}/.well-known/agent-card.json`, { headers })).json()) as JsonObject;
    };
    const { host } = new URL(grpcUrl);
    expect((await card("0.3"))["additionalInterfaces"]).toContainEqual({
      url: `http://${host}`,
      transport: "GRPC",
    });
    expect((await card("1.0"))["supportedInterfaces"]).toContainEqual({
      url: host,
      protocolBinding: "GRPC",
      protocolVersion: "1.0",
    });
  });
});

import { describe, expect, it } from "vitest";
import { directive, rpcRequest, message03 } from "../../test/support/doubles/scripted.ts";
import { startPushReceiver, startScriptedAgent } from "./index.ts";

describe("a push receiver in the process of a test", () => {
  it("gets what a scripted agent pushes, first badly, then well", async () => {
    await using receiver = await startPushReceiver({
      script: { answers: [{ status: 500, times: 1 }], verify: { token: "t0ken" } },
    });
    await using agent = await startScriptedAgent();
    const text = directive([[{ kind: "task", status: { state: "completed" } }]], "push");
    const pushNotificationConfig = { url: `${receiver.url}/hook`, token: "t0ken" };
    const waiting = receiver.waitFor(2, { timeoutMs: 60_000 });
    const sent = await rpcRequest(agent.url, "message/send", {
      message: message03({ text }),
      configuration: { pushNotificationConfig },
    });
    expect(await sent.json()).toHaveProperty("result");
    const [first, second] = await waiting;
    expect(first).toMatchObject({
      path: "/hook",
      kind: "task",
      version: "0.3",
      status: 500,
      checks: { token: "ok" },
    });
    expect(second).toMatchObject({ retry_of: 1, status: 200, state: first?.state });
    receiver.clearDeliveries();
    expect(receiver.deliveries).toEqual([]);
    receiver.setAnswers([{ status: 410 }]);
    const headers = { "x-a2a-notification-token": "t0ken" };
    expect((await fetch(receiver.url, { method: "POST", headers })).status).toBe(410);
    await receiver.close();
    await expect(fetch(receiver.url)).rejects.toThrow("fetch failed");
  });
});

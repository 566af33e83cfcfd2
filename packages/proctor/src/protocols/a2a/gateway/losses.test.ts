import { describe, expect, it } from "vitest";
import type { Loss } from "../codec.ts";
import { callOf, framesOf, openGateway, say } from "../../../../test/support/a2a/gateway-stage.ts";
import { serveA2a } from "../../../../test/support/a2a/scripted-server.ts";
import { taskOf } from "../../../../test/support/a2a/task-words.ts";

const VALUE = [1, "two"];

describe("what gets lost between two versions in the A2A gateway", () => {
  it("is noted in the metadata of the result, and logged", async () => {
    const artifacts = [{ artifactId: "a", parts: [{ data: VALUE }] }];
    const agent = await serveA2a((asked) => asked.result({ task: taskOf("COMPLETED", { artifacts }) }));
    const logged: Loss[] = [];
    const { service } = await openGateway(agent.url, { onLosses: (_, losses) => logged.push(...losses) });
    const { task } = await service.send(say("x"), callOf({ version: "0.3" }));
    expect(task?.metadata?.["proctor_losses"]).toEqual(logged);
    const same = await service.send(say("x"), callOf({ version: "1.0" }));
    expect(same.task?.metadata?.["proctor_losses"]).toBeUndefined();
  });

  it("on the way to the agent is told with the first frame", async () => {
    const agent = await serveA2a(
      async (asked) => {
        const stream = asked.stream();
        const status = { state: "working" };
        await stream.frame({ kind: "task", id: "t", contextId: "c", status });
        await stream.frame({
          kind: "status-update",
          taskId: "t",
          contextId: "c",
          final: true,
          status: { state: "completed" },
        });
        stream.end();
      },
      { version: "0.3" },
    );
    const { service } = await openGateway(agent.url);
    const request = say("x", {
      parts: [{ text: "t" }, { data: VALUE, filename: "f" }],
      metadata: { own: 1 },
    });
    const frames = await framesOf(await service.stream(request, callOf()));
    expect(frames[0]?.task?.metadata?.["proctor_losses"]).toMatchObject([
      { path: "message.parts[1].filename" },
      { path: "message.parts[1].data" },
    ]);
    expect(frames[1]?.statusUpdate).toMatchObject({ status: { state: "TASK_STATE_COMPLETED" } });
  });
});

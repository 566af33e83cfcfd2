// Tasks of one conversation, from an ATP client through the hub to an ATP agent, on every transport.
import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { atpResponseOf } from "../../../test/support/atp-words.ts";
import { ATP_STAGES, stdioStage } from "../../../test/support/atp/stages.ts";
import type { Puppet, Stage } from "../../../test/support/protocols/puppet.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";
import { openTestHub, type TestHub } from "../../../test/support/test-hub.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Run } from "../../core/run.ts";
import { originOf } from "../../core/trace.ts";
import { createExecutions } from "./execution.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Doors {
  /** The metadata that the agent was given with each task. */
  told: (JsonObject | undefined)[];
  /** Gives the task through the surface and waits for its end. */
  ask: (metadata?: JsonObject) => Promise<Run>;
  test: TestHub;
}

async function open(stage: Stage): Promise<Doors> {
  const told: Doors["told"] = [];
  const puppet: Puppet = await stage.raise(async (task) => {
    // The schema of the request says so. Over WebSocket the trace of the task is there, too.
    const { traceparent: _, ...metadata } = (task.request["metadata"] ?? {}) as JsonObject;
    told.push(Object.keys(metadata).length > 0 ? metadata : undefined);
    await task.respond(atpResponseOf(task));
  });
  closers.push(() => puppet.close());
  const test = await openTestHub();
  closers.push(() => test.close());
  await test.hub.addAgent({ name: "worker", ...puppet.spec });
  const executions = createExecutions({ hub: test.hub, log: test.reader });
  return {
    told,
    test,
    async ask(metadata) {
      const body = { version: "1.0", task_id: randomUUID(), task: { description: "talk" } };
      const { runId } = await executions.start(
        "worker",
        { ...body, ...(metadata && { metadata }) },
        originOf(null),
      );
      return test.ended(runId);
    },
  };
}

describe.each(ATP_STAGES)("a conversation over ATP on $name", { timeout: HANG_MS }, (stage) => {
  it("is joined by the metadata of a task, and told to the agent in its metadata", async () => {
    const { told, ask, test } = await open(stage);
    const first = await ask({ conversation_id: "c-1", team: "x" });
    const second = await ask({ conversation_id: "c-1" });
    expect(first).toMatchObject({ status: "completed", conversation_id: "c-1", follows: null });
    expect(second).toMatchObject({ status: "completed", conversation_id: "c-1", follows: first.id });
    expect(told).toEqual([{ conversation_id: "c-1", team: "x" }, { conversation_id: "c-1" }]);
    const { runs } = await test.hub.conversation("c-1");
    expect(runs.map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  it("leaves a task without one, and what is no id of one, as they came", async () => {
    const { told, ask } = await open(stage);
    const alone = await ask();
    const odd = await ask({ conversation_id: 5, team: "x" });
    expect([alone.conversation_id, odd.conversation_id]).toEqual([alone.id, odd.id]);
    expect(told).toEqual([undefined, { conversation_id: 5, team: "x" }]);
  });
});

describe("a run that follows another of an ATP agent", { timeout: HANG_MS }, () => {
  it("tells the agent the conversation, which is the first run's id where nobody named it", async () => {
    const { told, ask, test } = await open(stdioStage);
    const first = await ask();
    const task = { description: "go on" };
    const { run } = await test.hub.submit({ agent: "worker", task, follows: first.id });
    await test.ended(run.id);
    expect(told).toEqual([undefined, { conversation_id: first.id }]);
  });
});

// A task that is held between steps: its agent works only while a step is asked for.
import { describe, expect, it } from "vitest";
import { HANG_MS, eventually } from "../../../../../test/support/eventually.ts";
import type { OfficialClient } from "../../../../../test/support/agent-protocol/official-client.ts";
import { useOfficialStage } from "../../../../../test/support/agent-protocol/official-stage.ts";
import type { Stage } from "../../../../../test/support/agent-protocol/surfaces-server.ts";

const openStage = useOfficialStage();

async function create(): Promise<{ stage: Stage; client: OfficialClient; task: string }> {
  const { stage, client } = await openStage({ withAgent: true });
  const { task_id: task } = await client.createTask({ input: "do it", additional_input: { hold: true } });
  return { stage, client, task };
}

const statusOf = async ({ hub }: Stage, task: string): Promise<string> => (await hub.run(task)).status;

describe("on the official API, a task that is held", { timeout: HANG_MS }, () => {
  it("is paused after each step, and goes on when the next is asked for", async () => {
    const { stage, client, task } = await create();
    const first = client.executeStep(task);
    const session = await stage.driver.session(0);
    session.event("progress", { message: "one" });
    expect(await first).toMatchObject({ name: "one", is_last: false });
    expect(await statusOf(stage, task)).toBe("paused");
    expect(session.paused).toBe(true);
    const second = client.executeStep(task);
    await eventually(() => expect(session.paused).toBe(false));
    session.event("progress", { message: "two" });
    expect(await second).toMatchObject({ name: "two" });
    expect(session.paused).toBe(true);
    const third = client.executeStep(task);
    session.end();
    expect(await third).toMatchObject({ name: "Result", is_last: true });
    expect(await statusOf(stage, task)).toBe("completed");
  });

  it("is paused even if its client did not wait for the step", async () => {
    const { stage, client, task } = await create();
    expect((await client.executeStep(task, undefined, "?wait=0")).status).not.toBe("completed");
    const session = await stage.driver.session(0);
    session.event("progress", { message: "one" });
    await eventually(async () => expect(await statusOf(stage, task)).toBe("paused"));
    // What came with the step is shown, and the agent stays where it is.
    expect(await client.executeStep(task)).toMatchObject({ name: "one" });
    expect(session.paused).toBe(true);
    const next = client.executeStep(task);
    session.end();
    expect((await next).is_last).toBe(true);
  });

  it("shows its questions, and goes on with the answer", async () => {
    const { stage, client, task } = await create();
    const first = client.executeStep(task);
    const session = await stage.driver.session(0);
    session.event("progress", { message: "one" });
    session.ask({ id: "q" });
    await first;
    expect(await client.executeStep(task)).toMatchObject({ name: "Question: what?", status: "created" });
    const answered = client.executeStep(task, { input: "that" });
    await eventually(() => expect(session.heard).toMatchObject([{ questionId: "q" }]));
    session.event("progress", { message: "two" });
    expect(await answered).toMatchObject({ name: "two" });
    expect(await statusOf(stage, task)).toBe("paused");
    const last = client.executeStep(task);
    session.end();
    expect((await last).is_last).toBe(true);
  });

  it("is refused when hold is no boolean", async () => {
    const { client } = await openStage({ withAgent: true });
    const body = JSON.stringify({ input: "x", additional_input: { hold: "yes" } });
    const headers = { "content-type": "application/json" };
    expect((await client.send("POST", "/ap/v1/agent/tasks", { body, headers })).status).toBe(422);
  });
});

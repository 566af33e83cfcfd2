// "Execute the next step" with an agent, with a worker on the other surface, and with nobody; and the sequence of calls that official
// clients make.
import { describe, expect, it } from "vitest";
import { uuidV7 } from "../../../../core/id.ts";
import type { StepStatus } from "../../../../core/step.ts";
import {
  eventsOf,
  type Stage,
  type StageOptions,
} from "../../../../../test/support/agent-protocol/surfaces-server.ts";
import type { ApStep, OfficialClient } from "../../../../../test/support/agent-protocol/official-client.ts";
import { useOfficialStage } from "../../../../../test/support/agent-protocol/official-stage.ts";

let stage: Stage;
let client: OfficialClient;
const openStage = useOfficialStage();

async function open(options?: StageOptions): Promise<void> {
  ({ stage, client } = await openStage(options));
}

const newTask = async (): Promise<string> => (await client.createTask({ input: "do it" })).task_id;

describe("on the official API, with an agent,", () => {
  it("creating and uploading starts nothing, the first step does", async () => {
    await open({ withAgent: true });
    const task = await newTask();
    await client.upload(task, "input.txt", "data");
    expect((await stage.hub.run(task)).status).toBe("created");
    expect((await client.listSteps(task)).steps).toEqual([]);
    const first = client.executeStep(task);
    const session = await stage.driver.session(0);
    session.event("tool_call", { tool: "search", input: { q: "x" }, output: "found", status: "success" });
    expect(await first).toMatchObject({
      name: "search",
      status: "completed",
      output: "found",
      is_last: false,
    });
    session.end();
    await stage.ended(task);
  });

  it("the k-th request gets the k-th step when it is over, and after the end the last one again and again", async () => {
    await open({ withAgent: true });
    const task = await newTask();
    const first = client.executeStep(task);
    const session = await stage.driver.session(0);
    session.event("tool_call", { tool: "one", call_id: "1", status: "started" });
    session.event("tool_call", { tool: "one", call_id: "1", status: "success", output: "1" });
    session.event("llm_request", { model: "m", input_tokens: 5, output_tokens: 7, cost_usd: 0.5 });
    expect(await first).toMatchObject({ name: "one", output: "1" });
    expect(await client.executeStep(task)).toMatchObject({
      name: "Model call: m",
      additional_output: { task_total_cost: 0.5, task_cumulative_cost: 0.5 },
    });
    const [third, fourth] = [client.executeStep(task), client.executeStep(task)];
    session.event("progress", { message: "nearly there" });
    session.push({
      kind: "artifact",
      artifact: { type: "file", path: "out/r.txt", content: Buffer.from("result") },
    });
    session.end();
    const rest = await Promise.all([third, fourth]);
    const last = rest.find(({ is_last: isLast }) => isLast);
    expect(new Set(rest.map(({ name }) => name))).toEqual(new Set(["Result", "nearly there"]));
    expect(last?.artifacts).toMatchObject([
      { agent_created: true, relative_path: "out", file_name: "r.txt" },
    ]);
    expect(last?.additional_output).toMatchObject({ task_total_tokens: 12, task_total_cost: 0.5 });
    expect(await client.executeStep(task)).toEqual(last);
    expect(await client.executeStep(task, { input: "more" })).toMatchObject({ step_id: last?.step_id });
    const { steps } = await client.listSteps(task);
    expect(steps.map(({ name }) => name)).toEqual(["one", "Model call: m", "nearly there", "Result"]);
    const [artifact] = (await client.listArtifacts(task)).artifacts;
    expect((await client.download(task, artifact?.artifact_id ?? "")).text).toBe("result");
  });

  it("a failure is a completed step with an error, which no official client refuses", async () => {
    await open({ withAgent: true });
    const task = await newTask();
    const step = client.executeStep(task);
    const session = await stage.driver.session(0);
    session.event("tool_call", { tool: "t", status: "error", error: "no such host" });
    expect(await step).toMatchObject({
      status: "completed",
      is_last: false,
      additional_output: { error: "no such host" },
    });
    session.end("failed", { failure: { code: "LLM_ERROR", message: "the model is gone" } });
    const last = await client.executeStep(task);
    expect(last).toMatchObject({
      status: "completed",
      is_last: true,
      additional_output: { error: { code: "LLM_ERROR", message: "the model is gone" } },
    });
    expect((await client.listSteps(task)).steps.at(-1)).toEqual(last);
  });

  it("a client that does not wait gets the step as it is, under an id that leads to it", async () => {
    await open({ withAgent: true });
    const task = await newTask();
    const pending = await client.executeStep(task, undefined, "?wait=false");
    expect(pending).toMatchObject({ is_last: false, output: null });
    expect(["created", "running"]).toContain(pending.status);
    const session = await stage.driver.session(0);
    session.event("tool_call", { tool: "t", call_id: "c", status: "started" });
    await stage.until(task, ({ type }) => type === "tool_call");
    const running = await client.executeStep(task, undefined, "?wait=false");
    expect(running).toMatchObject({ name: "t", status: "running" });
    expect(await client.getStep(task, pending.step_id)).toEqual(running);
    session.event("tool_call", { tool: "t", call_id: "c", status: "success" });
    await stage.until(task, ({ type, payload }) => type === "tool_call" && payload.status === "success");
    expect(await client.executeStep(task, undefined, "?wait=false")).toMatchObject({
      name: "t",
      status: "completed",
    });
    const next = client.executeStep(task);
    session.end();
    expect(await next).toMatchObject({ name: "Result", is_last: true });
  });

  it("a client that leaves takes no step with it, and the agent works on", async () => {
    await open({ withAgent: true });
    const task = await newTask();
    const leaving = new AbortController();
    const url = `${stage.url}/ap/v1/agent/tasks/${task}/steps`;
    const before = stage.watchers();
    const left = fetch(url, { method: "POST", signal: leaving.signal });
    const session = await stage.driver.session(0);
    // The agent may begin before its client waits.
    await expect.poll(() => stage.watchers()).toBe(before + 1);
    leaving.abort();
    await expect(left).rejects.toThrow("aborted");
    await expect.poll(() => stage.watchers()).toBe(before);
    session.event("progress", { message: "first" });
    session.end();
    expect(await client.executeStep(task)).toMatchObject({ name: "first" });
  });

  it("a hub that stops says so to clients that wait", async () => {
    await open({ withAgent: true });
    const task = await newTask();
    const waiting = client.send("POST", `/ap/v1/agent/tasks/${task}/steps`);
    await stage.driver.session(0);
    stage.stop();
    expect(await waiting).toMatchObject({ status: 503, body: { code: "SHUTTING_DOWN" } });
  });

  it("a task that is cancelled before it began has one step, the last", async () => {
    await open({ withAgent: true });
    const task = await newTask();
    await stage.hub.cancel(task);
    expect(await client.executeStep(task)).toMatchObject({ status: "completed", is_last: true });
    expect(stage.driver.sessions).toEqual([]);
  });
});

describe("on the official API, without an agent,", () => {
  const change = (task: string, step_id: string, status: StepStatus, is_last = false) =>
    stage.hub.tell(task, () => [
      { type: "step.changed", payload: { step_id, status, output: "by a worker", is_last } },
    ]);

  it("a step is over at once and the last, so that a client that loops until then ends", async () => {
    await open();
    const task = await newTask();
    const watcher = await stage.connect();
    await watcher.subscribe(task, -1);
    const step = await client.executeStep(task, { input: "first", additional_input: { a: 1 } });
    expect(step).toMatchObject({ status: "completed", input: "first", output: "first", is_last: true });
    expect(await client.executeStep(task)).toEqual(step);
    expect(await client.executeStep(task, { input: "again" })).toEqual({
      ...step,
      additional_output: { warnings: ["input of the step is not used: the task has ended"] },
    });
    expect(await client.listSteps(task)).toMatchObject({ steps: [step] });
    expect((await stage.hub.run(task)).status).toBe("completed");
    await watcher.until(({ type }) => type === "task.completed");
    expect(eventsOf(watcher.told, task).map(({ type }) => type)).toEqual([
      "task.created",
      "task.started",
      "step.created",
      "step.completed",
      "task.completed",
    ]);
  });

  it("a worker on the other surface does the steps of its own task", async () => {
    await open();
    const { run } = await stage.hub.openClientRun({ task: { description: "by hand" } });
    const first = client.executeStep(run.id);
    const step = uuidV7();
    await stage.hub.tell(run.id, () => [
      { type: "step.added", payload: { step_id: step, name: "own", input: null, additional_input: {} } },
    ]);
    await change(run.id, step, "running");
    await change(run.id, step, "completed");
    expect(await first).toMatchObject({ step_id: step, output: "by a worker", is_last: false });
    // With an input, the client asks for a step of its own.
    const asked = await client.executeStep(run.id, { input: "and now this" }, "?wait=false");
    expect(asked).toMatchObject({ status: "created", input: "and now this" });
    const waiting = client.executeStep(run.id);
    await change(run.id, asked.step_id, "failed", true);
    expect(await waiting).toMatchObject({ step_id: asked.step_id, status: "completed", is_last: true });
    expect((await stage.hub.run(run.id)).status).toBe("failed");
  });

  it("a worker who has begun is waited for, whichever surface the task came from", async () => {
    await open();
    const task = await newTask();
    const step = uuidV7();
    await stage.hub.tell(task, () => [
      { type: "step.added", payload: { step_id: step, name: "own", input: null, additional_input: {} } },
    ]);
    const waiting = client.executeStep(task);
    await expect.poll(() => stage.watchers()).toBe(1);
    await change(task, step, "completed", true);
    expect(await waiting).toMatchObject({ step_id: step, output: "by a worker", is_last: true });
    expect((await client.listSteps(task)).pagination.total_items).toBe(1);
  });

  it("a paused task takes no step", async () => {
    await open();
    const task = await newTask();
    await stage.hub.pause(task);
    expect(await client.send("POST", `/ap/v1/agent/tasks/${task}/steps`)).toMatchObject({ status: 409 });
    await stage.hub.resume(task);
    expect((await client.executeStep(task)).is_last).toBe(true);
  });

  it("a task that was cancelled with no step shows its end", async () => {
    await open();
    const task = await newTask();
    await stage.hub.cancel(task);
    const last = await client.executeStep(task);
    expect(last).toMatchObject({ status: "completed", is_last: true });
    expect(await client.getStep(task, last.step_id)).toEqual(last);
  });

  it("one of many simultaneous requests adds the step, and all get it", async () => {
    await open();
    const task = await newTask();
    const shown = await Promise.all(Array.from({ length: 20 }, () => client.executeStep(task)));
    expect(new Set(shown.map(({ step_id }) => step_id)).size).toBe(1);
    expect((await client.listSteps(task)).pagination.total_items).toBe(1);
  });
});

describe("the official API serves", () => {
  it("the official JavaScript and Python clients' calls, one after another", async () => {
    await open();
    const task = await client.createTask({ input: "Write the words you receive to the file 'output.txt'." });
    expect((await client.listTasks("?current_page=1&page_size=10")).tasks[0]).toEqual(task);
    expect(await client.getTask(task.task_id)).toEqual(task);
    expect((await client.listSteps(task.task_id, "?current_page=1&page_size=10")).steps).toEqual([]);
    let step: ApStep;
    let turns = 0;
    do {
      turns += 1;
      step = await client.executeStep(task.task_id, { input: String(turns) });
      expect(await client.getStep(task.task_id, step.step_id)).toEqual(step);
    } while (!step.is_last && turns < 5);
    expect(turns).toBe(1);
    const uploaded = await client.upload(task.task_id, "output.txt", "words", "my_folder");
    const { artifacts } = await client.listArtifacts(task.task_id, "?current_page=1&page_size=10");
    expect(artifacts).toEqual([uploaded]);
    expect((await client.download(task.task_id, uploaded.artifact_id)).text).toBe("words");
  });
});

// What a token with the scopes of goals alone may do with goals and their questions.
import { beforeAll, describe, expect, it } from "vitest";
import type { Goal } from "../src/core/goal.ts";
import type { Page } from "../src/core/page.ts";
import type { OpenQuestion } from "../src/core/ports/store.ts";
import type { Run } from "../src/core/run.ts";
import { eventually } from "./support/eventually.ts";
import { serveHub, type RunningHub } from "./support/serve-hub.ts";

const YAML = `
agents:
  - name: writer
    address: "atp+http://127.0.0.1:9/none"
`;

let hub: RunningHub;
let reader: string;
let writer: string;

beforeAll(async () => {
  hub = await serveHub({ yaml: YAML });
  reader = (await hub.issue({ scopes: ["goals:read"] })).secret;
  writer = (await hub.issue({ scopes: ["goals:write"], binding: { kind: "user", name: "ada" } })).secret;
});

/** A goal that waits until its plan is approved. */
async function waiting(): Promise<string> {
  const plan = { tasks: [{ id: "write", agent: "writer" }] };
  const response = await hub.send("POST", "/goals", {
    token: writer,
    json: { goal: "Write", plan, approve_plan: true },
  });
  const { id } = (await response.json()) as Goal;
  await eventually(async () => {
    const listed = await hub.send("GET", `/goals/${id}/questions`, { token: reader });
    const { items } = (await listed.json()) as Page<OpenQuestion>;
    expect(items).toMatchObject([{ run_id: id, question: { id: "plan", audience: "human" } }]);
  });
  return id;
}

const rejection = { question_id: "plan", option: "deny" };

describe("a token with goals:write alone", () => {
  it("answers the questions of a goal, as its user", async () => {
    const id = await waiting();
    const answered = await hub.send("POST", `/goals/${id}/answers`, { token: writer, json: rejection });
    expect(answered.status).toBe(200);
    expect(await answered.json()).toMatchObject({ id, questions: [] });
    await eventually(async () => {
      const shown = await hub.send("GET", `/goals/${id}`, { token: reader });
      expect(await shown.json()).toMatchObject({ status: "failed", failure: { code: "PLAN_FAILED" } });
    });
    const late = await hub.send("POST", `/goals/${id}/answers`, { token: writer, json: rejection });
    expect(late.status).toBe(409);
  });

  it("answers no run that works for no goal, and not by the door of runs", async () => {
    const id = await waiting();
    const task = { description: "Something else" };
    const other = await hub.send("POST", "/runs", {
      token: (await hub.issue({ scopes: ["runs:write"] })).secret,
      json: { agent: "writer", task },
    });
    const { id: run } = (await other.json()) as Run;
    const foreign = await hub.send("POST", `/goals/${id}/answers`, {
      token: writer,
      json: { ...rejection, run_id: run },
    });
    expect(foreign.status).toBe(404);
    expect(await foreign.json()).toMatchObject({ code: "RUN_NOT_FOUND" });
    for (const [path, token] of [
      [`/runs/${id}/answers`, writer],
      [`/goals/${id}/answers`, reader],
    ])
      expect((await hub.send("POST", path ?? "", { token: token ?? "", json: rejection })).status).toBe(403);
    // A run is no goal, however it is asked for.
    const none = await hub.send("POST", `/goals/${run}/answers`, { token: writer, json: rejection });
    expect(none.status).toBe(404);
  });

  it("cancels, pauses and resumes goals, and nothing else", async () => {
    const id = await waiting();
    const steer = (verb: string, token = writer, at = id) =>
      hub.send("POST", `/goals/${at}/${verb}`, { token, json: { reason: "not now" } });
    for (const verb of ["cancel", "pause", "resume"]) {
      expect((await steer(verb, reader)).status).toBe(403);
      expect((await steer(verb, writer, "nobody")).status).toBe(404);
      expect((await hub.send("POST", `/runs/${id}/${verb}`, { token: writer })).status).toBe(403);
    }
    const paused = await steer("pause");
    expect(paused.status).toBe(202);
    expect(await paused.json()).toMatchObject({ id, status: "paused" });
    expect((await steer("resume")).status).toBe(202);
    expect((await steer("cancel")).status).toBe(202);
    await eventually(async () => {
      const shown = await hub.send("GET", `/goals/${id}`, { token: reader });
      expect(await shown.json()).toMatchObject({ status: "cancelled" });
    });
    expect((await steer("cancel")).status).toBe(200);
    expect((await steer("pause")).status).toBe(409);
  });

  it("cannot be used by an agent to approve what it does itself", async () => {
    const id = await waiting();
    const binding = { kind: "agent", name: "writer" } as const;
    const { secret } = await hub.issue({ scopes: ["goals:write"], binding });
    const json = { question_id: "plan", option: "allow", by: { kind: "human" } };
    expect((await hub.send("POST", `/goals/${id}/answers`, { token: secret, json })).status).toBe(403);
  });
});

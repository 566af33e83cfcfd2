import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openApiServer, type ApiServer } from "../../../../../test/support/agent-protocol/api-server.ts";

let api: ApiServer;
beforeEach(async () => {
  api = await openApiServer({ keepAliveMs: 20 });
});
afterEach(() => api.close());

async function endedTask(): Promise<{ id: string; step: string }> {
  const id = await api.newTask();
  const step = await api.newStep(id, { name: "only" });
  for (const json of [{ status: "running" }, { status: "running" }, { status: "failed", is_last: true }])
    await api.send("PATCH", `/api/tasks/${id}/steps/${step}`, { json });
  return { id, step };
}

describe("a task's event stream", () => {
  it("sends everything from the beginning and ends with the task", async () => {
    const { id, step } = await endedTask();
    const events = await api.events(id);
    expect(events.map(({ type, step_id }) => [type, step_id])).toEqual([
      ["task.created", undefined],
      ["task.started", undefined],
      ["step.created", step],
      ["step.started", step],
      ["step.running", step],
      ["step.failed", step],
      ["task.failed", undefined],
    ]);
    for (const event of events) {
      expect(event.task_id).toBe(id);
      expect(event.timestamp).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    }
    expect(events[2]?.data).toMatchObject({ step_id: step, name: "only", status: "created" });
    expect(events[6]?.data).toMatchObject({ status: "failed", failure: { code: "STEP_FAILED" } });
  });

  it("continues after the last event that was seen, wherever that was", async () => {
    const { id } = await endedTask();
    const all = await api.events(id);
    for (const { seq } of all.slice(0, -1)) expect(await api.events(id, seq)).toEqual(all.slice(seq + 1));
    const since = await fetch(`${api.url}/api/tasks/${id}/events?since=4`);
    expect((await since.text()).match(/^id: \d+$/gm)).toEqual(["id: 5", "id: 6"]);
  });

  it("answers 204 when there is nothing more to come", async () => {
    const { id, step } = await endedTask();
    const last = { "last-event-id": "6" };
    expect((await api.send("GET", `/api/tasks/${id}/events`, { headers: last })).status).toBe(204);
    await api.upload(id, step, "late");
    expect(await api.events(id, 6)).toMatchObject([{ type: "artifact.created", seq: 7 }]);
  });

  it("follows a task as it goes on", async () => {
    const id = await api.newTask();
    const following = api.events(id);
    const step = await api.newStep(id);
    await api.send("POST", `/api/tasks/${id}/pause`);
    await api.send("POST", `/api/tasks/${id}/resume`);
    const { body } = await api.upload(id, step, "file");
    await api.send("DELETE", `/api/tasks/${id}/steps/${step}/artifacts/${body.artifact_id}`);
    await api.send("POST", `/api/tasks/${id}/cancel`);
    const events = await following;
    expect(events.map(({ type }) => type)).toEqual([
      "task.created",
      "task.started",
      "step.created",
      "task.paused",
      "task.resumed",
      "artifact.created",
      "artifact.deleted",
      "task.cancelled",
    ]);
    expect(events[5]).toMatchObject({
      step_id: step,
      artifact_id: body.artifact_id,
      data: { file_name: "output.txt" },
    });
    expect(events[5]?.data).toMatchObject({ uri: body.uri });
  });

  it("shows that the task was deleted", async () => {
    const id = await api.newTask();
    const first = await api.events(id, undefined, 2);
    const following = api.events(id, first.at(-1)?.seq);
    await expect.poll(() => api.test.log(id), { interval: 5 }).toHaveLength(2);
    expect((await api.send("DELETE", `/api/tasks/${id}`)).status).toBe(204);
    expect((await following).at(-1)?.type).toMatch(/^task\.(?:cancelled|deleted)$/);
  });

  it.each(["x", "-2", "1.5", "99999999999999999999"])("refuses the last event %j", async (given) => {
    const id = await api.newTask();
    const headers = { "last-event-id": given };
    expect((await api.send("GET", `/api/tasks/${id}/events`, { headers })).status).toBe(400);
    expect((await api.send("GET", `/api/tasks/${id}/events?since=${given}`)).status).toBe(400);
  });

  it("keeps the connection awake while nothing happens", async () => {
    const id = await api.newTask();
    const socket = connect(api.server.port, "127.0.0.1");
    let text = "";
    const awake = new Promise<void>((resolve) => {
      socket.on("data", (chunk) => {
        text += chunk.toString();
        if (text.split(": keep-alive").length > 3) resolve();
      });
    });
    socket.write(`GET /api/tasks/${id}/events HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    await awake;
    socket.destroy();
    expect(text).toContain("retry: 1000");
  });

  it("ends when the server stops, and nobody waits for it", async () => {
    const id = await api.newTask();
    const following = api.events(id);
    await api.events(id, undefined, 2);
    await api.server.close(5000);
    expect((await following).length).toBeLessThanOrEqual(2);
    expect(api.reports).toEqual([]);
  });
});

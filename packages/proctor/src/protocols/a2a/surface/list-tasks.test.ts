import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { createTickingClock } from "../../../../test/support/ticking-clock.ts";
import { openHubStage, userMessage, type HubStage } from "../../../../test/support/a2a/hub-stage.ts";

let stage: HubStage;
beforeEach(async () => {
  // Tasks are told apart by when their state changed.
  stage = await openHubStage({ clock: createTickingClock() });
});
afterEach(() => stage.close());

interface Listed {
  id: string;
  contextId: string;
  status: { state: string; timestamp: string };
}

/** Tasks that end in another order than they began in; the last one asks something. */
async function fill(): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, contextId] of ["a", "b", "a", "b"].entries()) {
    const { result } = await stage.rpc("SendMessage", {
      message: userMessage(`task ${index}`, { contextId }),
      configuration: { returnImmediately: true },
    });
    ids.push(result.task.id);
    await stage.driver.session(index);
  }
  for (const index of [2, 0]) {
    stage.driver.sessions[index]!.end();
    await stage.ended(ids[index]!);
  }
  stage.driver.sessions[1]!.ask({ id: "q" });
  await stage.until(ids[1]!, ({ type }) => type === "question.asked");
  return ids;
}

const list = async (params = {}): Promise<Listed[]> => (await stage.rpc("ListTasks", params)).result.tasks;

describe("the list of tasks", { timeout: HANG_MS }, () => {
  it("has those first whose state changed last, page by page, each once", async () => {
    const ids = await fill();
    const all = await list();
    const times = all.map(({ status }) => status.timestamp);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(all.map(({ id }) => id)).toEqual([ids[1], ids[0], ids[2], ids[3]]);
    expect(all.every((task) => !("artifacts" in task) && !("history" in task))).toBe(true);
    const paged: string[] = [];
    let pageToken = "";
    do {
      const { result } = await stage.rpc("ListTasks", { pageSize: 3, pageToken });
      expect(result).toMatchObject({ totalSize: 4 });
      expect(result.pageSize).toBe(result.tasks.length);
      paged.push(...result.tasks.map(({ id }: Listed) => id));
      pageToken = result.nextPageToken;
    } while (pageToken !== "");
    expect(paged).toEqual(all.map(({ id }) => id));
  });

  it("is filtered by context, state and time", async () => {
    const ids = await fill();
    expect((await list({ contextId: "a" })).map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect(await list({ contextId: "nobody's" })).toEqual([]);
    expect((await list({ status: "TASK_STATE_INPUT_REQUIRED" })).map(({ id }) => id)).toEqual([ids[1]]);
    const [, second] = await list();
    const after = await list({ statusTimestampAfter: second!.status.timestamp });
    expect(after.map(({ id }) => id)).toEqual([ids[1]]);
  });

  it("brings artifacts and history where they are asked for", async () => {
    await fill();
    const [task] = (await stage.rpc("ListTasks", { includeArtifacts: true, historyLength: 1 })).result.tasks;
    expect(task).toMatchObject({ artifacts: [], history: [{ role: "ROLE_USER" }] });
  });

  it.each([
    [{ pageSize: 0 }, "pageSize"],
    [{ pageSize: 101 }, "pageSize"],
    [{ pageToken: "garbage" }, "pageToken"],
    [{ statusTimestampAfter: "yesterday" }, "statusTimestampAfter"],
    [{ status: [] }, "status"],
  ])("refuses %j", async (params, field) => {
    const { error } = await stage.rpc("ListTasks", params);
    expect(error.code).toBe(-32602);
    expect(JSON.stringify(error.data)).toContain(field);
  });

  it("is asked for with a query over HTTP+JSON, which has no unknown parameters", async () => {
    await fill();
    const headers = { "a2a-version": "1.0" };
    const { body } = await stage.send("GET", "/tasks?contextId=a&pageSize=1&includeArtifacts=true", {
      headers,
    });
    expect(body).toMatchObject({
      tasks: [{ contextId: "a", artifacts: [] }],
      nextPageToken: expect.stringMatching(/./),
    });
    const wrong = await stage.send("GET", "/tasks?contexId=a", { headers });
    expect(wrong.status).toBe(400);
    expect(wrong.body.error.message).toContain('did you mean "contextId"');
  });
});

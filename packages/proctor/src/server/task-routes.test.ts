import { describe, expect, it } from "vitest";
import { uuidV7 } from "../core/id.ts";
import { createHarness, RUN, streamed } from "../../test/support/server/app-harness.ts";

const task = { description: "do it" };
const NOBODY = "01890000-0000-7000-8000-000000000000";

async function openRun() {
  const harness = createHarness();
  const { body } = await harness.send("POST", "/runs/client", { json: { task } });
  return { ...harness, id: body.id as string };
}

const step = (id = uuidV7()) => ({
  type: "step.added",
  payload: { step_id: id, name: "s", input: { a: 1 }, additional_input: {} },
});

describe("a prepared run", () => {
  it("waits for its start", async () => {
    const { send } = createHarness();
    const created = await send("POST", "/runs?start=false", { json: RUN });
    expect(created).toMatchObject({ status: 202, body: { status: "created" } });
    const { id } = created.body;
    expect(await send("POST", `/runs/${id}/start`)).toMatchObject({
      status: 202,
      body: { status: "queued" },
    });
    expect(await send("POST", `/runs/${id}/start`)).toMatchObject({
      status: 202,
      body: { status: "queued" },
    });
    expect((await send("POST", `/runs/${NOBODY}/start`)).status).toBe(404);
  });

  it.each(["start=no", "start=", "begin=false"])("is not made by ?%s", async (query) => {
    const { send } = createHarness();
    expect(await send("POST", `/runs?${query}`, { json: RUN })).toMatchObject({
      status: 400,
      body: { code: "INVALID_REQUEST" },
    });
  });
});

describe("a client's run", () => {
  it("is opened, reported on and read", async () => {
    const { send, id } = await openRun();
    const { step_id } = step().payload;
    const events = [
      step(step_id),
      { type: "step.changed", payload: { step_id, status: "completed", is_last: true } },
    ];
    const told = await send("POST", `/runs/${id}/tell`, { json: { events, expected_sequence: 1 } });
    expect(told).toMatchObject({ status: 200, body: { run: { status: "completed" }, sequence: 4 } });
    const { steps, ...rest } = told.body;
    expect((await send("GET", `/runs/${id}/steps`)).body).toEqual({
      items: steps,
      next_cursor: null,
      ...rest,
    });
    expect((await send("HEAD", `/runs/${id}/steps`)).status).toBe(200);
  });

  it("has its steps in pages", async () => {
    const { send, id } = await openRun();
    const events = Array.from({ length: 5 }, () => step());
    const { body } = await send("POST", `/runs/${id}/tell`, { json: { events } });
    const ids: unknown[] = [];
    for (let cursor: string | null = "0"; cursor !== null;) {
      const page = await send("GET", `/runs/${id}/steps?limit=2&cursor=${cursor}`);
      expect(page.body).toMatchObject({ run: { id }, sequence: body.sequence });
      ids.push(page.body.items.map(({ index }: { index: number }) => index));
      cursor = page.body.next_cursor;
    }
    expect(ids).toEqual([[0, 1], [2, 3], [4]]);
    for (const wrong of ["cursor=6", "cursor=x", "limit=0"]) {
      expect((await send("GET", `/runs/${id}/steps?${wrong}`)).status).toBe(400);
    }
  });

  it("is not changed by a client that missed its last event", async () => {
    const { send, id } = await openRun();
    const late = await send("POST", `/runs/${id}/tell`, { json: { events: [step()], expected_sequence: 0 } });
    expect(late).toMatchObject({
      status: 409,
      body: { code: "CHANGED_MEANWHILE", details: { expected_sequence: 0, last_sequence: 1 } },
    });
  });

  it.each<[string, unknown]>([
    ["no events", { events: [] }],
    ["an agent's event", { events: [{ type: "tool_call", payload: {} }] }],
    ["an artifact", { events: [{ type: "artifact.removed", payload: { artifact_id: "x" } }] }],
    ["a start", { events: [{ type: "run.started", payload: { worker: "client" } }] }],
    ["an unknown status", { events: [{ type: "step.changed", payload: { step_id: "x", status: "done" } }] }],
    ["an unknown field", { events: [{ ...step(), origin: {} }] }],
    ["a step without a UUID", { events: [step("mine")] }],
    ["too many at once", { events: Array.from({ length: 1001 }, () => step()) }],
    ["no body", undefined],
  ])("is not reported on with %s", async (_, json) => {
    const { send, id } = await openRun();
    const headers = { "content-type": "application/json" };
    const answer = await send("POST", `/runs/${id}/tell`, json === undefined ? { headers } : { json });
    expect(answer).toMatchObject({ status: 400, body: { code: "INVALID_REQUEST" } });
  });

  it.each<[string, unknown]>([
    ["an agent", { task, agent: "a" }],
    ["a retry policy", { task, retry: { max_attempts: 2 } }],
    ["no task", {}],
  ])("is not opened with %s", async (_, json) => {
    const { send } = createHarness();
    expect((await send("POST", "/runs/client", { json })).status).toBe(400);
  });
});

describe("files for a run", () => {
  it("are the body of the request as it is", async () => {
    const { send, hub, id } = await openRun();
    const path = `/runs/${id}/artifacts?file_name=a%20b.txt&relative_path=out/a%20b.txt`;
    const given = await send("POST", path, {
      body: streamed("he", "llo"),
      headers: { "content-type": "text/plain" },
    });
    expect(given).toMatchObject({
      status: 201,
      body: { path: "out/a b.txt", file_name: "a b.txt", content_type: "text/plain", size_bytes: 5 },
    });
    expect((await send("GET", `/runs/${id}/artifacts/${given.body.id}/content`)).text).toBe("hello");
    expect((await send("DELETE", `/runs/${id}/artifacts/${given.body.id}`)).status).toBe(204);
    expect((await send("DELETE", `/runs/${id}/artifacts/${given.body.id}`)).status).toBe(404);
    const [, call] = hub.calls.find(({ name }) => name === "addFile")?.args ?? [];
    expect(call).toMatchObject({ maxBytes: 52_428_800 });
  });

  it.each([
    ["no name", ""],
    ["an unknown parameter", "file_name=x&path=y"],
    ["more than is ever taken", "file_name=x&max_bytes=52428801"],
  ])("are refused with %s", async (_, query) => {
    const { send, id } = await openRun();
    expect((await send("POST", `/runs/${id}/artifacts?${query}`, { body: "x" })).status).toBe(400);
  });

  it("are refused by their announced size before a byte is read", async () => {
    const { send, hub, id } = await openRun();
    const answer = await send("POST", `/runs/${id}/artifacts?file_name=x&max_bytes=10`, {
      body: "x".repeat(11),
      headers: { "content-length": "11" },
    });
    expect(answer).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
    expect(answer.headers.get("connection")).toBe("close");
    expect(hub.calls.some(({ name }) => name === "addFile")).toBe(false);
  });

  it("are refused when the client cuts them off", async () => {
    const { send, id } = await openRun();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from("half"));
        controller.error(new Error("socket hang up"));
      },
    });
    expect(await send("POST", `/runs/${id}/artifacts?file_name=x`, { body })).toMatchObject({
      status: 400,
      body: { message: "the body was cut off before its end" },
    });
  });
});

describe("the list of runs", () => {
  it("removes a run", async () => {
    const { send, id } = await openRun();
    expect((await send("DELETE", `/runs/${id}`)).status).toBe(204);
    expect((await send("DELETE", `/runs/${id}`)).status).toBe(404);
  });

  it("lists by page number, with a total", async () => {
    const { send, hub } = createHarness();
    const first = await hub.begin();
    const second = await hub.begin();
    const page = async (query: string) => (await send("GET", `/runs?${query}`)).body;
    expect(await page("page=1&size=1")).toMatchObject({
      items: [{ id: second.id }],
      total: 2,
      next_cursor: null,
    });
    expect(await page("page=2&size=1")).toMatchObject({ items: [{ id: first.id }], total: 2 });
    expect(await page("page=3&size=1")).toMatchObject({ items: [], total: 2 });
    expect((await page("page=1")).items).toHaveLength(2);
  });

  it.each([
    "page=0",
    "page=-1",
    "page=1.5",
    "size=0&page=1",
    "size=1001",
    "page=1&cursor=x",
    "page=1&alias=x",
  ])("refuses ?%s", async (query) => {
    const { send } = createHarness();
    expect((await send("GET", `/runs?${query}`)).status).toBe(400);
  });
});

describe("the log of a run that was given something after its end", () => {
  async function ended() {
    const { send, hub, id } = await openRun();
    hub.end(id);
    await send("POST", `/runs/${id}/artifacts?file_name=late`, { body: "x" });
    return { send, id };
  }

  it("streams to the end, and the rest to readers that come back", async () => {
    const { send, id } = await ended();
    const stream = async (last?: string) => {
      const headers = { accept: "text/event-stream", ...(last !== undefined && { "last-event-id": last }) };
      const { status, text } = await send("GET", `/runs/${id}/events`, { headers });
      return {
        status,
        types: Array.from(text.matchAll(/"type":"(run\.\w+|artifact\.\w+)"/g), ([, type]) => type),
      };
    };
    expect(await stream()).toEqual({ status: 200, types: ["run.created", "run.started", "run.ended"] });
    expect(await stream("2")).toEqual({ status: 200, types: ["artifact.added"] });
    expect(await stream("3")).toEqual({ status: 204, types: [] });
  });

  it.each([1, 2, 3, 4, 50])("pages without losing any, %i at a time", async (limit) => {
    const { send, id } = await ended();
    const types: string[] = [];
    for (let cursor: string | null = "-1"; cursor !== null;) {
      const { body } = await send("GET", `/runs/${id}/events?limit=${limit}&cursor=${cursor}`);
      types.push(...body.items.map(({ type }: { type: string }) => type));
      cursor = body.next_cursor as string | null;
    }
    expect(types).toEqual(["run.created", "run.started", "run.ended", "artifact.added"]);
  });
});

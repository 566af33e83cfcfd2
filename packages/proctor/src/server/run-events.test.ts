import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { HubDouble } from "../../test/support/server/hub-double.ts";
import { createHarness, type Harness } from "../../test/support/server/app-harness.ts";

const progress = (step: number) => ({ type: "progress" as const, payload: { current_step: step } });

/** The same promises with and without the fast path over raw records. */
function harnesses(overrides: { keepAliveMs?: number } = {}): [string, Harness][] {
  const plain = createHarness(overrides);
  let hub: HubDouble | undefined;
  const fast = createHarness({
    ...overrides,
    recordsOf: async (id, after, limit) => (await hub?.records(id, after, limit)) ?? [],
    until: async (id, look, signal) => hub?.until(id, look, signal) ?? Promise.reject(new Error("no hub")),
  });
  hub = fast.hub;
  return [
    ["through the hub", plain],
    ["from raw records", fast],
  ];
}

interface Frame {
  id: number;
  type: string;
}

/** Reads a stream frame by frame. */
async function openStream(harness: Harness, path: string, headers: Record<string, string> = {}) {
  const response = await harness.app.fetch(
    new Request(`http://localhost${path}`, { headers: { accept: "text/event-stream", ...headers } }),
  );
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  /** The next frame as text, or undefined at the end. */
  async function next(): Promise<string | undefined> {
    while (!buffer.includes("\n\n")) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: "" };
      if (done) return undefined;
      buffer += value;
    }
    const end = buffer.indexOf("\n\n");
    const frame = buffer.slice(0, end);
    buffer = buffer.slice(end + 2);
    return frame;
  }
  async function nextEvent(): Promise<Frame | undefined> {
    const frame = await next();
    if (frame === undefined) return undefined;
    const match = /^id: (\d+)\ndata: (.*)$/.exec(frame);
    if (match === null) return nextEvent();
    const event = JSON.parse(match[2] ?? "") as { sequence: number; type: string };
    expect(event.sequence).toBe(Number(match[1]));
    return { id: event.sequence, type: event.type };
  }
  return { response, next, nextEvent, cancel: async () => reader?.cancel() };
}

describe.each(["through the hub", "from raw records"])("a run's events %s", (name) => {
  const setup = (overrides: { keepAliveMs?: number } = {}): Harness => {
    const found = harnesses(overrides).find(([which]) => which === name)?.[1];
    if (found === undefined) throw new Error(name);
    return found;
  };

  it("come in pages that end with null once the run has ended", async () => {
    const { hub, send } = setup();
    const { id } = await hub.begin();
    hub.append(id, progress(1));
    const first = await send("GET", `/runs/${id}/events?limit=3`);
    expect(first.body.items.map((event: Frame & { sequence: number }) => event.sequence)).toEqual([0, 1, 2]);
    expect(first.body.next_cursor).toBe("2");
    const second = await send("GET", `/runs/${id}/events?cursor=2`);
    expect(second.body.items).toHaveLength(1);
    expect(second.body.next_cursor).toBe("3");
    const none = await send("GET", `/runs/${id}/events?after=3`);
    expect(none.body).toEqual({ items: [], next_cursor: "3" });
    hub.end(id);
    const last = await send("GET", `/runs/${id}/events?after=3`);
    expect(last.body.items).toHaveLength(1);
    expect(last.body.next_cursor).toBeNull();
    expect((await send("GET", `/runs/${id}/events?after=4`)).body).toEqual({ items: [], next_cursor: null });
    expect((await send("GET", `/runs/${id}/events?limit=1000`)).body.items).toEqual(await hub.events(id, {}));
  });

  it("are cut into pages by size as well, and none is lost", async () => {
    const { hub, send } = setup();
    const { id } = await hub.begin();
    for (let step = 0; step < 300; step++) {
      hub.append(id, { type: "reasoning", payload: { thought: "x".repeat(50_000) } });
    }
    hub.end(id);
    const seen: number[] = [];
    let cursor: string | null = "-1";
    while (cursor !== null) {
      const { body, text } = await send("GET", `/runs/${id}/events?limit=1000&cursor=${cursor}`);
      expect(text.length).toBeLessThan(12e6);
      seen.push(...body.items.map((event: { sequence: number }) => event.sequence));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(Array.from({ length: 304 }, (_, index) => index));
  });

  it.each(["after=-2", "after=x", "limit=0", "cursor=abc", "afer=1"])("refuse ?%s", async (query) => {
    const { hub, send } = setup();
    const { id } = await hub.begin();
    expect((await send("GET", `/runs/${id}/events?${query}`)).status).toBe(400);
  });

  it("are found from their end, however many there are", async () => {
    const { hub, send } = setup();
    const { id } = await hub.begin();
    const last = async (count: number): Promise<number[]> =>
      (await send("GET", `/runs/${id}/events?last=${count}`)).body.items.map(
        (event: Frame & { sequence: number }) => event.sequence,
      );
    expect(await last(2)).toEqual([1, 2]);
    for (let total = 4; total <= 70; total++) {
      hub.append(id, progress(total));
      expect(await last(3)).toEqual([total - 3, total - 2, total - 1]);
    }
    expect(await last(1000)).toHaveLength(70);
    expect((await send("GET", `/runs/${id}/events?last=3&after=4`)).status).toBe(400);
  });

  it("are brief where that is asked for, and say when something was cut", async () => {
    const { hub, send } = setup();
    const { id } = await hub.begin();
    hub.append(id, { type: "reasoning", payload: { thought: "x".repeat(50_000) } });
    const brief = await send("GET", `/runs/${id}/events?after=2&brief=100`);
    expect(brief.body.items).toMatchObject([
      { sequence: 3, cut: true, payload: { thought: `${"x".repeat(100)}…` } },
    ]);
    expect((await send("GET", `/runs/${id}/events?after=2`)).body.items[0]).not.toHaveProperty("cut");
  });

  it("are 404 for an unknown run, as a page and as a stream", async () => {
    const { send } = setup();
    expect((await send("GET", "/runs/nope/events")).body.code).toBe("RUN_NOT_FOUND");
    const headers = { accept: "text/event-stream" };
    expect((await send("GET", "/runs/nope/events", { headers })).body.code).toBe("RUN_NOT_FOUND");
  });

  it("stream: everything so far, then live, then the end", async () => {
    const harness = setup();
    const { hub } = harness;
    const { id } = await hub.begin();
    const stream = await openStream(harness, `/runs/${id}/events`);
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(await stream.next()).toBe("retry: 1000");
    for (const type of ["run.created", "run.queued", "run.started"]) {
      expect(await stream.nextEvent()).toMatchObject({ type });
    }
    const waiting = stream.nextEvent();
    hub.append(id, progress(1));
    expect(await waiting).toEqual({ id: 3, type: "progress" });
    hub.append(id, progress(2), progress(3));
    hub.end(id);
    const rest = [await stream.nextEvent(), await stream.nextEvent(), await stream.nextEvent()];
    expect(rest.map((frame) => frame?.id)).toEqual([4, 5, 6]);
    expect(await stream.nextEvent()).toBeUndefined();
    expect(hub.listeners()).toBe(0);
  });

  it("stream: whoever comes after the end gets all of it, though its beginning was read before", async () => {
    const harness = setup();
    const { id } = await harness.hub.begin();
    const early = await openStream(harness, `/runs/${id}/events`);
    await early.nextEvent();
    await early.cancel();
    harness.hub.append(id, { type: "run.ended", payload: { status: "cancelled" } });
    const late = await openStream(harness, `/runs/${id}/events`);
    const types: string[] = [];
    for (let event = await late.nextEvent(); event !== undefined; event = await late.nextEvent()) {
      types.push(event.type);
    }
    expect(types.at(-1)).toBe("run.ended");
  });

  it("stream: a reader that leaves and comes back after every event misses none and sees none twice", async () => {
    const harness = setup();
    const { hub } = harness;
    const { id } = await hub.begin();
    const seen: number[] = [];
    let lastEventId = "";
    for (let step = 0; ; step++) {
      const stream = await openStream(harness, `/runs/${id}/events`, { "last-event-id": lastEventId });
      if (stream.response.status === 204) break;
      if (step === 10) hub.end(id);
      else if (step < 10) hub.append(id, progress(step), progress(step));
      const frame = await stream.nextEvent();
      seen.push(frame?.id ?? -1);
      lastEventId = String(frame?.id);
      await stream.cancel();
    }
    const events = await hub.events(id, { limit: 1000 });
    expect(seen).toEqual(events.map((event) => event.sequence));
    expect(hub.listeners()).toBe(0);
  });

  it("stream: `after` is where to begin, and Last-Event-ID goes before it", async () => {
    const harness = setup();
    const { id } = await harness.hub.begin();
    const first = await openStream(harness, `/runs/${id}/events?after=1`);
    expect((await first.nextEvent())?.id).toBe(2);
    const again = await openStream(harness, `/runs/${id}/events?after=1`, { "last-event-id": "0" });
    expect((await again.nextEvent())?.id).toBe(1);
    await first.cancel();
    await again.cancel();
  });

  it("stream: the final event's id is answered with 204, so that EventSource stops", async () => {
    const harness = setup();
    const { hub, send } = harness;
    const { id } = await hub.begin();
    hub.end(id);
    const headers = { accept: "text/event-stream" };
    expect(
      (await send("GET", `/runs/${id}/events`, { headers: { ...headers, "last-event-id": "3" } })).status,
    ).toBe(204);
    const stream = await openStream(harness, `/runs/${id}/events`, { "last-event-id": "2" });
    expect(await stream.nextEvent()).toEqual({ id: 3, type: "run.ended" });
    expect(await stream.nextEvent()).toBeUndefined();
  });

  it.each(["x", "-2", "1.5", "99999999999999999999", "7"])(
    "stream: refuses the Last-Event-ID %s",
    async (lastId) => {
      const { hub, send } = setup();
      const { id } = await hub.begin();
      const headers = { accept: "text/event-stream", "last-event-id": lastId };
      expect((await send("GET", `/runs/${id}/events`, { headers })).status).toBe(400);
    },
  );

  it("stream: keeps the line alive while nothing happens", async () => {
    const harness = setup({ keepAliveMs: 5 });
    const { id } = await harness.hub.begin();
    const stream = await openStream(harness, `/runs/${id}/events?after=2`);
    await stream.next();
    expect(await stream.next()).toBe(": keep-alive");
    expect(await stream.next()).toBe(": keep-alive");
    harness.hub.end(id);
    expect(await stream.nextEvent()).toEqual({ id: 3, type: "run.ended" });
    expect(await stream.nextEvent()).toBeUndefined();
  });

  it("stream: lets go of the run when the reader leaves while waiting", async () => {
    const harness = setup();
    const { id } = await harness.hub.begin();
    const stream = await openStream(harness, `/runs/${id}/events?after=2`);
    await stream.next();
    const waiting = stream.next();
    await expect.poll(() => harness.hub.listeners()).toBe(1);
    await stream.cancel();
    await waiting;
    await expect.poll(() => harness.hub.listeners()).toBe(0);
  });

  it("stream: ends when the server stops, also for those that come later", async () => {
    const harness = setup();
    const { id } = await harness.hub.begin();
    const stream = await openStream(harness, `/runs/${id}/events?after=2`);
    await stream.next();
    const waiting = stream.nextEvent();
    harness.app.endStreams();
    expect(await waiting).toBeUndefined();
    const late = await openStream(harness, `/runs/${id}/events`);
    expect(await late.nextEvent()).toBeUndefined();
    expect(harness.hub.listeners()).toBe(0);
  });

  it("stream: HEAD opens nothing", async () => {
    const { hub, send } = setup();
    const { id } = await hub.begin();
    const { status, text } = await send("HEAD", `/runs/${id}/events`, {
      headers: { accept: "text/event-stream" },
    });
    expect([status, text]).toEqual([200, ""]);
    expect(hub.listeners()).toBe(0);
  });

  it("stream: reads no further than the reader", async () => {
    const harness = setup();
    const { hub } = harness;
    const { id } = await hub.begin();
    for (let step = 0; step < 2000; step++) hub.append(id, progress(step));
    let read = 0;
    const events = hub.events.bind(hub);
    const records = hub.records.bind(hub);
    hub.events = (...args) => ((read += args[1].limit ?? 0), events(...args));
    hub.records = (...args) => ((read += args[2]), records(...args));
    const stream = await openStream(harness, `/runs/${id}/events`);
    await stream.nextEvent();
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    expect(read).toBeLessThan(200);
    await stream.cancel();
  });
});

it("a failing store ends the stream and is logged once, so that the reader comes back", async () => {
  const harness = createHarness();
  const { hub, logs } = harness;
  const { id } = await hub.begin();
  hub.events = () => Promise.reject(new Error("disk gone"));
  const stream = await openStream(harness, `/runs/${id}/events`);
  expect(await stream.nextEvent()).toBeUndefined();
  expect(logs.at(-1)).toMatchObject({ level: "error", run_id: id, message: "a response was cut off" });
});

it("the server encodes an event once for all who follow a run, replayed or live", async () => {
  let encoded = 0;
  let hub: HubDouble | undefined;
  let looks = 0;
  const harness = createHarness({
    recordsOf: async (id, after, limit) => {
      looks++;
      const records = (await hub?.records(id, after, limit)) ?? [];
      // Whoever reads more than one event makes a page of them.
      if (limit > 1) encoded += records.length;
      return records;
    },
    until: async (id, look, signal) => hub?.until(id, look, signal) ?? Promise.reject(new Error("no hub")),
  });
  hub = harness.hub;
  const { id } = await hub.begin();
  for (let step = 0; step < 97; step++) hub.append(id, progress(step));
  const readers = await Promise.all(
    Array.from({ length: 10 }, () => openStream(harness, `/runs/${id}/events`)),
  );
  const replayed = await Promise.all(readers.map(async (reader) => take(reader, 100)));
  expect(replayed.every((frames) => frames.at(-1)?.id === 99)).toBe(true);
  looks = 0;
  for (let step = 0; step < 20; step++) {
    hub.append(id, progress(step));
    const live = await Promise.all(readers.map((reader) => reader.nextEvent()));
    expect(new Set(live.map((frame) => frame?.id))).toEqual(new Set([100 + step]));
  }
  hub.end(id);
  const ends = await Promise.all(readers.map((reader) => reader.nextEvent()));
  expect(new Set(ends.map((frame) => frame?.type))).toEqual(new Set(["run.ended"]));
  expect(encoded).toBe(121);
  // For each commit one page, and one look whether something was missed.
  expect(looks).toBeLessThanOrEqual(3 * 21);
});

async function take(
  reader: { nextEvent: () => Promise<Frame | undefined> },
  count: number,
): Promise<(Frame | undefined)[]> {
  const frames: (Frame | undefined)[] = [];
  for (let index = 0; index < count; index++) frames.push(await reader.nextEvent());
  return frames;
}

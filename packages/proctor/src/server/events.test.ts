import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  openFeed,
  openFeedServer,
  sourceOf,
  type FeedServer,
} from "../../test/support/server/feed-server.ts";
import { createHarness } from "../../test/support/server/app-harness.ts";
import type { FeedSource } from "./feed-pages.ts";
import { asked, ended, logged, newRun, readLog, started } from "../../test/support/stores/fixtures.ts";

let server: FeedServer;

beforeEach(async () => {
  server = await openFeedServer();
});

afterEach(() => server.close());

const labels = (frames: readonly { event: string | undefined }[]) => frames.map(({ event }) => event);

/** Two runs with different everything, and a live one at the end. */
async function fill(): Promise<void> {
  const { store } = server;
  await store.createRun(newRun({ id: "a" }));
  await store.append("a", [started(), logged("x")]);
  await store.createRun(newRun({ id: "b", agent: "fizz", conversation: "c" }));
  await store.append("b", [started(), asked("q"), ended("failed")]);
  await store.createRun(newRun({ id: "z" }));
}

describe("the stream over all runs", () => {
  it("begins now when nothing is asked for, and says where that is", async () => {
    await fill();
    const stream = await openFeed(server);
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect((await stream.next())?.text).toBe("retry: 1000");
    const place = await stream.next();
    expect(place).toMatchObject({ event: undefined });
    await server.store.append("z", [started()]);
    expect(labels(await stream.events(1))).toEqual(["z run.started 2"]);
    await stream.leave();
    // Whoever left before the first event comes back to the place where the stream began.
    const again = await openFeed(server, "", { "last-event-id": place?.id ?? "" });
    expect(labels(await again.events(1))).toEqual(["z run.started 2"]);
    await again.leave();
  });

  it("replays everything after a position, then goes on live", async () => {
    await fill();
    const stream = await openFeed(server, "?after=0");
    const replayed = await stream.events(11);
    expect(labels(replayed).slice(0, 6)).toEqual([
      "a run.created 0",
      "a run.queued 1",
      "a run.started 2",
      "a log 3",
      "b run.created 0",
      "b run.queued 1",
    ]);
    await server.store.append("z", [started(), ended()]);
    expect(labels(await stream.events(2))).toEqual(["z run.started 2", "z run.ended 3"]);
    await stream.leave();
    const middle = await openFeed(server, `?after=${replayed[1]?.id}`);
    expect(labels(await middle.events(9))).toEqual(labels(replayed).slice(2));
    await middle.leave();
  });

  it("loses and doubles nothing for a reader that leaves again and again while runs are written, also over a restart", async () => {
    const ids = ["r0", "r1", "r2"];
    for (const id of ids) await server.store.createRun(newRun({ id }));
    const seen: (string | undefined)[] = [];
    let last = "0";
    for (let round = 0; round < 12; round++) {
      const stream = await openFeed(server, "", { "last-event-id": last });
      const writing = Promise.all(
        ids.map((id, index) =>
          server.store.append(
            id,
            Array.from({ length: 1 + ((round * 5 + index) % 30) }, () => logged("x")),
          ),
        ),
      );
      for (const { id = "", event } of await stream.events(1 + (round % 9))) {
        seen.push(event);
        last = id;
      }
      await stream.leave();
      await writing;
      if (round === 6) await server.restart();
    }
    const logs = (await Promise.all(ids.map((id) => readLog(server.store, id)))).flat();
    const rest = await openFeed(server, "?after=0", { "last-event-id": last });
    seen.push(...labels(await rest.events(logs.length - seen.length)));
    await rest.leave();
    const all = logs.map((event) => `${event.run_id} ${event.type} ${event.sequence}`);
    expect(seen.map(String).toSorted()).toEqual(all.toSorted());
    for (const id of ids) {
      const own = seen.filter((label) => label?.startsWith(`${id} `));
      expect(own).toEqual(all.filter((label) => label.startsWith(`${id} `)));
    }
  });

  it("shows only what the filters let through", async () => {
    await fill();
    const end = "z run.queued 1";
    const filtered = async (query: string, count: number) => {
      const stream = await openFeed(server, `?after=0&${query}`);
      const found = labels(await stream.events(count));
      await stream.leave();
      return found;
    };
    expect(await filtered("type=log", 1)).toEqual(["a log 3"]);
    expect(await filtered("type=log,run.queued&type=run.ended", 5)).toEqual([
      "a run.queued 1",
      "a log 3",
      "b run.queued 1",
      "b run.ended 4",
      end,
    ]);
    expect(await filtered("type=question.*", 1)).toEqual(["b question.asked 3"]);
    expect(await filtered("type=run.*&agent=fizz", 4)).toEqual([
      "b run.created 0",
      "b run.queued 1",
      "b run.started 2",
      "b run.ended 4",
    ]);
    expect(await filtered("conversation=c&type=run.ended", 1)).toEqual(["b run.ended 4"]);
    expect(await filtered("conversation=a&type=log", 1)).toEqual(["a log 3"]);
    expect(await filtered("run=z", 2)).toEqual(["z run.created 0", end]);
    expect(await filtered("run=a&status_changes=true", 3)).toEqual([
      "a run.created 0",
      "a run.queued 1",
      "a run.started 2",
    ]);
    expect(await filtered("run=b&status_changes=true", 5)).toContain("b question.asked 3");
    expect(await filtered("type=run.ended&also_run=a", 5)).toEqual([
      "a run.created 0",
      "a run.queued 1",
      "a run.started 2",
      "a log 3",
      "b run.ended 4",
    ]);
  });

  it("tells a reader whose filter lets nothing through how far it has read", async () => {
    await server.store.createRun(newRun({ id: "a" }));
    await server.store.append(
      "a",
      Array.from({ length: 300 }, () => logged("x")),
    );
    const stream = await openFeed(server, "?after=0&type=run.ended");
    const places: number[] = [];
    while ((places.at(-1) ?? 0) < 200) {
      const frame = await stream.next();
      expect(frame?.event).toBeUndefined();
      if (frame?.id !== undefined) places.push(Number(frame.id));
    }
    await server.store.append("a", [ended("cancelled")]);
    expect(labels(await stream.events(1))).toEqual(["a run.ended 302"]);
    await stream.leave();
  });

  it("leaves out removed runs", async () => {
    await fill();
    await server.store.deleteRun("b");
    const stream = await openFeed(server, "?after=0");
    expect(labels(await stream.events(6)).at(-2)).toBe("z run.created 0");
    await stream.leave();
  });

  it("reads no further than a slow reader takes", async () => {
    await server.store.createRun(newRun({ id: "a" }));
    const large = "x".repeat(50_000);
    for (let round = 0; round < 10; round++) {
      await server.store.append(
        "a",
        Array.from({ length: 20 }, () => logged(large)),
      );
    }
    const source = sourceOf(server.store);
    let reads = 0;
    const harness = createHarness({
      feed: { ...source, read: (after, limit) => (reads++, source.read(after, limit)) },
    });
    const stream = await openFeed({ ...server, harness }, "?after=0");
    await stream.events(1);
    const before = reads;
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    // Two pages at most wait for the reader, and the beginning of the stream asked where the end is.
    expect(before).toBeLessThanOrEqual(4);
    expect(reads).toBeLessThanOrEqual(before + 1);
    expect(labels(await stream.events(201)).at(-1)).toBe("a log 201");
    await stream.leave();
  });

  it("sends comments while nothing happens, and stops listening when its reader leaves", async () => {
    await server.close();
    server = await openFeedServer({ keepAliveMs: 5 });
    let watching = 0;
    const watch: FeedSource["watch"] = (listener) => {
      const stop = server.store.watch(listener);
      watching++;
      return () => (stop(), void watching--);
    };
    const harness = createHarness({ keepAliveMs: 5, feed: sourceOf(server.store, watch) });
    const stream = await openFeed({ ...server, harness });
    const frames = [await stream.next(), await stream.next(), await stream.next()];
    expect(frames.at(-1)?.text).toBe(": keep-alive");
    expect(watching).toBe(1);
    await stream.leave();
    await expect.poll(() => watching).toBe(0);
  });

  it("ends when the server stops", async () => {
    const stream = await openFeed(server);
    await stream.next();
    server.harness.app.endStreams();
    const rest = [await stream.next(), await stream.next()];
    expect(rest.at(-1)).toBeUndefined();
  });

  it("wants a token, in the query too", async () => {
    await server.close();
    server = await openFeedServer({ tokens: ["secret-token"] });
    expect((await openFeed(server)).response.status).toBe(401);
    expect((await openFeed(server, "?access_token=wrong")).response.status).toBe(401);
    for (const stream of [
      await openFeed(server, "?access_token=secret-token"),
      await openFeed(server, "", { authorization: "Bearer secret-token" }),
    ]) {
      expect(stream.response.status).toBe(200);
      await stream.leave();
    }
  });

  it("refuses a wrong filter, and a place that does not exist", async () => {
    await fill();
    const refused = async (query: string, id = "") => {
      const headers = { accept: "text/event-stream", ...(id !== "" && { "last-event-id": id }) };
      const { status, body } = await server.harness.send("GET", `/events${query}`, { headers });
      return [status, (body as { code: string }).code];
    };
    for (const query of [
      "?typ=log",
      "?type=RUN",
      "?type=*",
      "?after=-1",
      "?after=x",
      "?status_changes=yes",
    ]) {
      expect(await refused(query)).toEqual([400, "INVALID_REQUEST"]);
    }
    expect(await refused("?after=12")).toEqual([400, "INVALID_REQUEST"]);
    for (const id of ["12", "-1", "x", "1e3", "9".repeat(30)]) {
      expect(await refused("", id)).toEqual([400, "INVALID_REQUEST"]);
    }
  });

  it("is not there where no order of commits is kept", async () => {
    const { status, body } = await createHarness().send("GET", "/events");
    expect([status, (body as { code: string }).code]).toEqual([409, "NOT_SUPPORTED"]);
  });
});

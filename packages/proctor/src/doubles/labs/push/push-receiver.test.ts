// The push receiver over a real socket: what it reads out of deliveries, how it answers, what it tells apart.
import { once } from "node:events";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { describe, expect, it } from "vitest";
import { startPush, task03, webhook } from "../../../../test/support/doubles/push-receiver.ts";

describe("The push receiver reads", () => {
  it("tasks and updates of both versions of A2A, and webhooks of Proctor", async () => {
    const push = await startPush();
    await push.send(task03("working"));
    await push.send({ task: { id: "t1", status: { state: "TASK_STATE_INPUT_REQUIRED" } } });
    await push.send({ statusUpdate: { taskId: "t1", status: { state: "TASK_STATE_COMPLETED" } } });
    await push.send({ artifactUpdate: { taskId: "t1", artifact: { artifactId: "a", parts: [] } } });
    await push.send({ message: { messageId: "m", taskId: "t1", parts: [] } });
    await push.send(webhook(4), { "x-proctor-delivery": "run:4" });
    await push.send({ other: 1 });
    await push.send("no JSON");
    expect(
      push.deliveries().map(({ kind, version, task_id, state }) => [kind, version, task_id, state]),
    ).toEqual([
      ["task", "0.3", "t", "working"],
      ["task", "1.0", "t1", "input-required"],
      ["status_update", "1.0", "t1", "completed"],
      ["artifact_update", "1.0", "t1", undefined],
      ["message", "1.0", "t1", undefined],
      ["webhook", undefined, "run", undefined],
      ["unknown", undefined, undefined, undefined],
      ["unknown", undefined, undefined, undefined],
    ]);
    expect(push.deliveries()[5]).toMatchObject({ event_id: "run:4", sequence: 4, status: 200 });
    expect(push.deliveries()[7]?.body).toBe("no JSON");
  });

  it("deliveries at any path and by any method", async () => {
    const push = await startPush({ status: 202 });
    const put = await fetch(`${push.url}/a/b%20c?x=1`, { method: "PUT", body: "{}" });
    expect(put.status).toBe(202);
    expect((await fetch(`${push.url}/`)).status).toBe(202);
    expect(push.deliveries()).toMatchObject([
      { method: "PUT", path: "/a/b c", number: 1 },
      { method: "GET", path: "/", number: 2, body: null },
    ]);
  });
});

describe("The push receiver answers", () => {
  it("as its script says, by path and in turn, and then well", async () => {
    const push = await startPush({
      answers: [
        { path: "/a", status: 503, retry_after: 3, times: 2 },
        { path: "/b", after: 1, times: 1, redirect: "http://127.0.0.1:9/else" },
      ],
    });
    const statuses = async (path: string): Promise<number[]> => {
      const seen = [];
      for (const id of ["1", "2", "3"]) seen.push((await push.send(task03("working", id), {}, path)).status);
      return seen;
    };
    expect(await statuses("/a")).toEqual([503, 503, 200]);
    expect(await statuses("/b")).toEqual([200, 307, 200]);
    expect(push.deliveries()[0]).toMatchObject({ status: 503, faults: ["status 503"] });
    expect(push.deliveries()[4]).toMatchObject({ status: 307, faults: ["redirect"] });
  });

  it("late, by its clock, after it has written the delivery down", async () => {
    const push = await startPush({ answers: [{ delay_ms: 30_000 }] });
    const answer = push.send(task03("working"));
    await push.waitFor(1, AbortSignal.timeout(60_000));
    await expect.poll(() => push.clock.waiting).toBe(1);
    push.clock.advance(30_000);
    expect((await answer).status).toBe(200);
  });

  it("with a connection that is cut", async () => {
    const push = await startPush({ answers: [{ cut: true, times: 1 }] });
    await expect(push.send(task03("working"))).rejects.toThrow("fetch failed");
    expect(push.deliveries()).toMatchObject([{ status: 0, faults: ["cut"] }]);
    expect((await push.send(task03("working"))).status).toBe(200);
  });

  it("never, until the sender leaves or the receiver stops", async () => {
    const push = await startPush({ answers: [{ never: true }] });
    const leaving = new AbortController();
    const left = fetch(push.url, { method: "POST", body: "{}", signal: leaving.signal });
    await push.waitFor(1, AbortSignal.timeout(60_000));
    leaving.abort();
    await expect(left).rejects.toThrow("aborted");
    const kept = push.send(task03("working")).catch((error: Error) => error.message);
    await push.waitFor(2, AbortSignal.timeout(60_000));
    await push.close();
    expect(await kept).toBe("fetch failed");
    expect(push.deliveries()).toMatchObject([{ status: 0, faults: ["never"] }, { status: 0 }]);
  });

  it("nobody who begins with TLS", async () => {
    const push = await startPush();
    const socket = connectTls({ port: Number(new URL(push.url).port), host: "127.0.0.1" });
    const [error] = (await once(socket, "error")) as [Error];
    expect(error.message).toMatch(/wrong version number|packet length too long|socket/i);
    expect(push.deliveries()).toEqual([]);
  });

  it("what it is told while it runs, and says what is wrong with it", async () => {
    const push = await startPush();
    push.setAnswers([{ status: 410 }]);
    expect((await push.send(task03("working"))).status).toBe(410);
    expect(() => push.setAnswers([{ path: "hook", status: 500 }])).toThrow("0.path  a path begins with /");
    expect(() => push.setAnswers([{ times: 2 }])).toThrow("this answer does nothing");
    const told = await fetch(`${push.url}/__control/answers`, { method: "PUT", body: '[{"status": 500}]' });
    expect(told.status).toBe(204);
    expect((await push.send(task03("working"))).status).toBe(500);
  });
});

describe("The push receiver tells apart", () => {
  it("another attempt from a duplicate", async () => {
    const push = await startPush({ answers: [{ status: 500, times: 1 }] });
    for (const _ of [1, 2, 3, 4]) await push.send(task03("working"));
    const standings = push.deliveries().map(({ retry_of, duplicate_of }) => [retry_of, duplicate_of]);
    expect(standings).toEqual([
      [undefined, undefined],
      [1, undefined],
      [undefined, 2],
      [undefined, 2],
    ]);
  });

  it("events by their ids, whatever else their bodies say", async () => {
    const push = await startPush();
    await push.send(webhook(1, "a"));
    await push.send({ ...(webhook(1, "a") as object), timestamp: "later" });
    expect(push.deliveries()[1]).toMatchObject({ duplicate_of: 1, event_id: "a" });
  });

  it("what comes too late, and how many are missing", async () => {
    const push = await startPush();
    for (const sequence of [1, 2, 5, 4, 6]) await push.send(webhook(sequence));
    expect(push.deliveries().map(({ gap, out_of_order }) => [gap, out_of_order])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      [2, undefined],
      [undefined, "event 4 after event 5"],
      [undefined, undefined],
    ]);
  });

  it("states after the end, and older ones after newer", async () => {
    const push = await startPush();
    const update = (state: string, timestamp: string): Promise<Response> =>
      push.send({ statusUpdate: { taskId: "t", status: { state: `TASK_STATE_${state}`, timestamp } } });
    await update("WORKING", "2026-01-01T00:00:02Z");
    await update("WORKING", "2026-01-01T00:00:01Z");
    await update("COMPLETED", "2026-01-01T00:00:03Z");
    await update("WORKING", "2026-01-01T00:00:04Z");
    expect(push.deliveries().map(({ out_of_order }) => out_of_order)).toEqual([
      undefined,
      "a status of 2026-01-01T00:00:01.000Z after one of 2026-01-01T00:00:02.000Z",
      undefined,
      "working after completed",
    ]);
  });

  it("one task from another, and one path from another", async () => {
    const push = await startPush();
    await push.send(task03("completed", "a"));
    await push.send(task03("working", "b"));
    await push.send(task03("completed", "a"), {}, "/elsewhere");
    expect(push.deliveries().map(({ out_of_order, duplicate_of }) => out_of_order ?? duplicate_of)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("The push receiver survives", () => {
  it("a body that is too large", async () => {
    const push = await startPush();
    const response = await push.send("x".repeat(5 * 1024 * 1024)).catch(() => undefined);
    expect([413, undefined]).toContain(response?.status);
    expect(push.deliveries()).toEqual([]);
    expect((await push.send(task03("working"))).status).toBe(200);
  });

  it("bytes that are no text", async () => {
    const push = await startPush();
    await fetch(push.url, { method: "POST", body: new Uint8Array([0xff, 0xfe]) });
    expect(push.deliveries()).toMatchObject([{ kind: "unknown", status: 200 }]);
  });

  it("a request that is none", async () => {
    const push = await startPush();
    const socket = connect(Number(new URL(push.url).port), "127.0.0.1");
    socket.end("garbage\r\n\r\n");
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
    expect((await push.send(task03("working"))).status).toBe(200);
  });

  it("web pages that would read its log", async () => {
    const push = await startPush();
    const page = await fetch(`${push.url}/__control/deliveries`, {
      headers: { origin: "https://evil.example" },
    });
    expect(page.status).toBe(403);
    const listed = await fetch(`${push.url}/__control/deliveries`);
    expect(await listed.json()).toEqual({ items: [], next_cursor: null });
  });

  it("a log that cannot be written, by accepting nothing", async () => {
    const push = await startPush({}, { onDelivery: () => Promise.reject(new Error("disk full")) });
    expect((await push.send(task03("working"))).status).toBe(503);
  });
});

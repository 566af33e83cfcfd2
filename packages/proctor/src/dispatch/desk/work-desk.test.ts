// What the desk refuses to workers that err or lie, asked over HTTP.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually, HANG_MS } from "../../../test/support/eventually.ts";
import { appendOf, holdRun, type HeldTestRun } from "../../../test/support/held-run.ts";
import { createDatabase, lacksPostgres } from "../../../test/support/postgres.ts";
import {
  answered,
  artifactAdded,
  asked,
  ended,
  logged,
  newEvent,
  newRun,
} from "../../../test/support/stores/fixtures.ts";
import { FACTS, openWorkHub, type WorkHub } from "../../../test/support/work-hub.ts";
import { OPERATOR } from "../../core/caller.ts";
import { uuidV7 } from "../../core/id.ts";
import { createSealer } from "../../stores/sealer.ts";

const receiptOf = (text: string): string => (JSON.parse(text) as { receipt: string }).receipt;
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

describe.skipIf(await lacksPostgres("the desk of a hub"))("the desk of a hub", { timeout: HANG_MS }, () => {
  const sealer = createSealer(Buffer.alloc(32, 3));
  let hub: WorkHub;
  let held: HeldTestRun;

  const send = async (
    path: string,
    init: { body?: unknown; raw?: string; method?: string; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; code?: string; text: string }> => {
    const response = await fetch(`${hub.url}/work/runs/${held.id}${path}`, {
      method: init.method ?? "POST",
      headers: { "content-type": "application/json", ...held.headers, ...init.headers },
      ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
      ...(init.raw !== undefined && { body: init.raw }),
    });
    const text = await response.text();
    const code = text.startsWith("{") ? (JSON.parse(text) as { code?: string }).code : undefined;
    return { status: response.status, text, ...(code !== undefined && { code }) };
  };
  const put = (content: string, sha256 = hashOf(content)) =>
    send(`/blobs/${sha256}`, { method: "PUT", raw: content });
  const get = (sha256: string) => send(`/blobs/${sha256}`, { method: "GET" });
  const last = (): Promise<{ last: number; types: string[] }> =>
    hub.store.readEvents(held.id, -1, 1000).then((all) => ({
      last: all.at(-1)?.sequence ?? -1,
      types: all.map(({ type }) => type),
    }));

  beforeAll(async () => {
    hub = await openWorkHub(await createDatabase(), { sealer });
    held = await holdRun(hub, { run: { sealed: sealer.seal("the secret") } });
  }, HANG_MS);
  // All tests together may take longer than a worker may be silent, and some claim what such a worker had.
  beforeEach(async () => expect(await held.dispatcher.beat([held.delivery])).toEqual([]), HANG_MS);
  afterAll(() => hub.close(), HANG_MS);

  it("opens what is sealed for the worker that gets the run", () => {
    expect(held.delivery.claimed.sealed).toBe("the secret");
  });

  it("refuses tickets that are forged, of another worker, of another run, or missing", async () => {
    const forged = held.headers["x-proctor-ticket"]?.replace(/\..*/, ".AAAA") ?? "";
    const body = appendOf(0, [logged("x")]);
    const refused = { status: 403, code: "FORBIDDEN" };
    for (const headers of [{ "x-proctor-ticket": forged }, { "x-proctor-worker": "other:1" }])
      for (const path of ["/events", "/read", "/log", "/release", "/settle"])
        expect(
          await send(path, {
            body: path === "/events" ? body : path === "/log" ? { after: -1, limit: 1 } : {},
            headers,
          }),
          path,
        ).toMatchObject(refused);
    const other = await fetch(`${hub.url}/work/runs/${uuidV7()}/budget`, { headers: held.headers });
    expect(other.status).toBe(403);
    expect(await send("/read", { body: {}, headers: { "x-proctor-ticket": "" } })).toMatchObject({
      status: 400,
    });
    expect(await send("/read", { body: {}, headers: { "x-proctor-worker": "no process" } })).toMatchObject({
      status: 400,
    });
  });

  it("takes no events that a worker does not write, and none that no log can hold", async () => {
    const before = await last();
    const wrong = [
      newEvent({ type: "run.cancel_requested", payload: { reason: "x" } }),
      newEvent({ type: "run.ended", payload: { status: "splendid" as "completed" } }),
      newEvent({ type: "artifact.added", payload: {} as { artifact: never } }),
      newEvent({ type: "run.ended", payload: { status: "failed", retried_as: uuidV7() } }),
    ];
    for (const event of wrong)
      expect(await send("/events", { body: appendOf(before.last, [event]) }), event.payload).toMatchObject({
        status: 400,
        code: "INVALID_REQUEST",
      });
    const broken = { ...appendOf(before.last, [logged("x")]), successor: { id: uuidV7(), not_before: 0 } };
    expect(await send("/events", { body: broken })).toMatchObject({ status: 400 });
    const text = { timestamp: 1, type: "log", payload: "{", origin: null };
    expect(await send("/events", { body: { after: before.last, events: [text] } })).toMatchObject({
      status: 400,
    });
    expect(
      await send("/events", { body: { after: before.last, events: [{ ...text, type: "no.such" }] } }),
    ).toMatchObject({
      status: 400,
    });
    expect(await last()).toEqual(before);
  });

  it("writes what two requests bring at the same time once", async () => {
    const before = await last();
    const body = appendOf(before.last, [logged("twice"), logged("sent")]);
    const answers = await Promise.all([send("/events", { body }), send("/events", { body })]);
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(JSON.parse(text)).toEqual({ last_sequence: before.last + 2 });
    }
    expect((await last()).last).toBe(before.last + 2);
  });

  it("takes questions that the run asks, and answers that its options give", async () => {
    const body = appendOf((await last()).last, [asked("q1"), answered("q1", "a1")]);
    expect(await send("/events", { body })).toMatchObject({ status: 200 });
    expect((await last()).types.slice(-2)).toEqual(["question.asked", "question.answered"]);
  });

  it("seals the way to go on with the key of the hub", async () => {
    const body = { ...appendOf((await last()).last, [logged("way")]), continuation: "turn left" };
    expect(await send("/events", { body })).toMatchObject({ status: 200 });
    const { continuation } = (await hub.store.readSecrets(held.id)) ?? {};
    expect(continuation).not.toContain("turn left");
    expect(sealer.open(continuation ?? "")).toBe("turn left");
    expect(JSON.parse((await send("/read", { body: {} })).text)).toMatchObject({
      sealed: { text: "the secret" },
      continuation: { text: "turn left" },
    });
  });

  it("keeps bytes that have their hash and fit, and gives only those that the run refers to", async () => {
    const stored = await put("some bytes");
    expect(stored).toMatchObject({ status: 200 });
    const receipts = { [hashOf("some bytes")]: receiptOf(stored.text) };
    expect(await get(hashOf("some bytes"))).toMatchObject({ status: 404, code: "ARTIFACT_NOT_FOUND" });
    expect(await put("other bytes", hashOf("some bytes"))).toMatchObject({
      status: 400,
      code: "INVALID_REQUEST",
    });
    expect(await put("x".repeat(2001))).toMatchObject({ status: 413, code: "PAYLOAD_TOO_LARGE" });
    expect(await put("x", "no-hash")).toMatchObject({ status: 400 });
    const added = artifactAdded(uuidV7(), hashOf("some bytes"));
    const body = { ...appendOf((await last()).last, [added]), receipts };
    expect(await send("/events", { body })).toMatchObject({ status: 200 });
    expect(await get(hashOf("some bytes"))).toMatchObject({ status: 200, text: "some bytes" });
    expect(await put("never recorded")).toMatchObject({ status: 200 });
    expect(await send("/settle", { body: {} })).toMatchObject({ status: 204 });
  });

  it("counts bytes that were brought and not recorded among those that a run may store", async () => {
    const first = "y".repeat(1500);
    expect(await put(first)).toMatchObject({ status: 200 });
    // Once more, as after a lost answer.
    expect(await put(first)).toMatchObject({ status: 200 });
    expect(await put("z".repeat(1000))).toMatchObject({ status: 413, code: "PAYLOAD_TOO_LARGE" });
    expect(await send("/settle", { body: {} })).toMatchObject({ status: 204 });
    expect(await put("z".repeat(1000))).toMatchObject({ status: 200 });
    expect(await send("/settle", { body: {} })).toMatchObject({ status: 204 });
  });

  it("takes no record of bytes that the worker knows by their hash alone", async () => {
    const stranger = await holdRun(hub, { worker: "stranger" });
    const secret = "what only the stranger has";
    const path = `${hub.url}/work/runs/${stranger.id}/blobs/${hashOf(secret)}`;
    const theirs = await fetch(path, { method: "PUT", body: secret, headers: stranger.headers });
    const receipt = receiptOf(await theirs.text());
    const before = await last();
    const inside = { type: "structured", name: "n", id: uuidV7(), data: 1 } as const;
    const records = [
      artifactAdded(uuidV7(), hashOf(secret)),
      newEvent({
        type: "artifact.added",
        payload: { artifact: { ...inside, content_hash: `sha256:${hashOf(secret)}` } },
      }),
    ];
    for (const event of records)
      for (const receipts of [undefined, { [hashOf(secret)]: receipt }, { [hashOf(secret)]: "AAAA" }])
        expect(
          await send("/events", { body: { ...appendOf(before.last, [logged("x"), event]), receipts } }),
        ).toMatchObject({ status: 403, code: "FORBIDDEN" });
    expect(await last()).toEqual(before);
    expect(await get(hashOf(secret))).toMatchObject({ status: 404 });
    // What is in the record itself, and what the run refers to already, needs none.
    const known = [
      newEvent({
        type: "artifact.added",
        payload: { artifact: { ...inside, content_hash: `sha256:${hashOf("1")}` } },
      }),
      artifactAdded(uuidV7(), hashOf("some bytes")),
    ];
    expect(await send("/events", { body: appendOf(before.last, known) })).toMatchObject({ status: 200 });
  });

  it("refuses a body that is larger than any batch", async () => {
    const events = Array.from({ length: 20_001 }, () => ({
      timestamp: 1,
      type: "log",
      payload: "{}",
      origin: null,
    }));
    expect(await send("/events", { body: { after: 0, events } })).toMatchObject({ status: 400 });
    const giant = " ".repeat(65 * 1024);
    expect(await send("/read", { raw: giant })).toMatchObject({ status: 413, code: "PAYLOAD_TOO_LARGE" });
  });

  it("shows no run that the worker's own does not go on from", async () => {
    const stranger = await holdRun(hub, { worker: "else" });
    for (const path of ["/read", "/log"])
      expect(
        await send(path, { body: { of: stranger.id, ...(path === "/log" && { after: -1, limit: 1 }) } }),
      ).toMatchObject({ status: 404, code: "RUN_NOT_FOUND" });
  });

  it("leaves a run that needs the database to a process that has it", async () => {
    const now = Date.now();
    const row = { ...FACTS, id: "hub", host: "here", pid: 1, over: "database" as const };
    await hub.store.workers.beat(row, now, now + HANG_MS);
    const { run } = await hub.store.createRun(newRun({ protocol: "goal" }));
    const [mine, theirs]: [string[], string[]] = [[], []];
    await eventually(async () => {
      const { items } = await hub.desk.claim(
        { caller: OPERATOR, worker: "box:1" },
        { limit: 10, labels: [] },
      );
      mine.push(...items.map((item) => item.run.id));
      const { deliveries } = await hub.dispatcher.claim({ limit: 10, inFlight: {} });
      theirs.push(...deliveries.map(({ claimed }) => claimed.run.id));
      expect(theirs).toContain(run.id);
    });
    expect(mine).not.toContain(run.id);
  });

  it("makes the next attempt itself, of the run that it has, and only where the policy allows one", async () => {
    const who = { caller: OPERATOR, worker: "box:1", ticket: held.holding.ticket };
    const id = uuidV7();
    const last_ = await last();
    const failed = newEvent({ type: "run.ended", payload: { status: "failed", retried_as: id } });
    await expect(
      hub.desk.append(who, held.id, { ...appendOf(last_.last, [failed]), successor: { id, not_before: 0 } }),
    ).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });

  it("takes the end of a run, and nothing after it", async () => {
    const { last: after } = await last();
    const body = appendOf(after, [ended()]);
    expect(await send("/events", { body })).toMatchObject({ status: 200 });
    // The same request again, as after a lost answer.
    expect(await send("/events", { body })).toMatchObject({ status: 200 });
    const more = appendOf(after + 1, [logged("more")]);
    expect(await send("/events", { body: more })).toMatchObject({ status: 409, code: "ILLEGAL_TRANSITION" });
    expect((await last()).types.at(-1)).toBe("run.ended");
  });
});

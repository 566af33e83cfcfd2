// Every promise of the Messages port, for any implementation: in this process, or elsewhere over HTTP.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HANG_MS } from "../../../test/support/eventually.ts";
import type { ScriptedDriver } from "../../../test/support/scripted-driver.ts";
import type { Envelope, EnvelopeDraft } from "../envelope.ts";
import type { Hub } from "./hub.ts";
import type { InboxEntry, Messages } from "./messages.ts";

export interface OpenedMessages {
  messages: Messages;
  hub: Hub;
  /** Plays the agents that the hub runs. */
  driver: ScriptedDriver;
  close(): Promise<void>;
}

const ADA = "user:ada";

/** `open` makes new, empty inboxes each time, at most 20 envelopes in each, of at most 10,000 bytes. */
export function messagesCases(name: string, open: () => Promise<OpenedMessages>): void {
  let opened: OpenedMessages;
  let messages: Messages;

  const note = (change: Partial<EnvelopeDraft> = {}): EnvelopeDraft => ({
    from: ADA,
    to: "box",
    type: "request",
    action: "look",
    payload: { n: 1 },
    ...change,
  });
  const receive = (receiver: string, after = 0, waitMs = 0): Promise<InboxEntry[]> =>
    messages.receive(receiver, { after, limit: 100, waitMs }, AbortSignal.timeout(HANG_MS));
  const ids = (entries: readonly InboxEntry[]): string[] => entries.map(({ envelope }) => envelope.id);

  /** Envelopes to somebody, until one satisfies the test. */
  async function until(receiver: string, satisfied: (envelope: Envelope) => boolean): Promise<Envelope[]> {
    const seen: Envelope[] = [];
    for await (const page of messages.follow(receiver, 0, AbortSignal.timeout(HANG_MS))) {
      for (const { envelope } of page) {
        seen.push(envelope);
        if (satisfied(envelope)) return seen;
      }
    }
    throw new Error("the awaited envelope never came");
  }

  describe(`inboxes ${name}`, () => {
    beforeEach(async () => {
      opened = await open();
      messages = opened.messages;
      const { hub } = opened;
      await hub.addAgent({ name: "box", protocol: "envelope", transport: "inbox", url: "inbox:box" });
      await hub.addAgent({ name: "worker", protocol: "atp", transport: "stdio", command: ["worker"] });
    });
    afterEach(() => opened.close());

    it("deliver envelopes in order, until they are acknowledged", async () => {
      for (const id of ["a", "b", "c"])
        expect(await messages.send(note({ id }))).toMatchObject({ receiver: "box", created: true });
      const first = await receive("box");
      expect(ids(first)).toEqual(["a", "b", "c"]);
      expect(first[0]).toMatchObject({ deliveries: 1, envelope: note({ id: "a" }) });
      expect((await receive("box"))[0]).toMatchObject({ deliveries: 2 });
      expect(ids(await receive("box", first[1]?.position))).toEqual(["c"]);
      await messages.acknowledge("box", first[2]?.position ?? 0);
      expect(await receive("box")).toEqual([]);
    });

    it("fill in what a sender leaves out", async () => {
      const { from: _, payload: __, ...bare } = note();
      const { envelope: sent } = await messages.send(bare);
      expect(sent.from).toBe("user:operator");
      const [entry] = await receive("box");
      expect(entry?.envelope).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        from: "user:operator",
        payload: null,
        timestamp: expect.any(Number) as number,
        trace: {
          traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
          spanId: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
        },
      });
    });

    it("keep fields that nobody knows", async () => {
      await messages.send(note({ priority: "high", nested: { a: [1, null] } }));
      expect((await receive("box"))[0]?.envelope).toMatchObject({
        priority: "high",
        nested: { a: [1, null] },
      });
    });

    it("take an envelope once, and refuse another one with its id", async () => {
      await messages.send(note({ id: "x" }));
      expect(await messages.send(note({ id: "x" }))).toMatchObject({ created: false, receiver: "box" });
      expect(await receive("box")).toHaveLength(1);
      await expect(messages.send(note({ id: "x", payload: 2 }))).rejects.toMatchObject({
        code: "IDEMPOTENCY_CONFLICT",
      });
      expect(await messages.send(note({ id: "x", from: "user:bob" }))).toMatchObject({ created: true });
    });

    it("wake a receiver that waits", async () => {
      const waiting = receive("box", 0, 60_000);
      await messages.send(note({ id: "a" }));
      expect(ids(await waiting)).toEqual(["a"]);
      expect(await receive(ADA)).toEqual([]);
    });

    it("stream what waits and what comes, each once, and again to whoever comes back", async () => {
      await messages.send(note({ id: "a" }));
      const stop = new AbortController();
      const seen: string[] = [];
      for await (const page of messages.follow("box", 0, stop.signal)) {
        seen.push(...ids(page));
        if (seen.length === 1) await messages.send(note({ id: "b" }));
        else stop.abort();
      }
      expect(seen).toEqual(["a", "b"]);
      const again = await until("box", ({ id }) => id === "b");
      expect(again.map(({ id }) => id)).toEqual(["a", "b"]);
    });

    it("refuse what cannot be delivered, and say why", async () => {
      const refused = async (change: Partial<EnvelopeDraft>): Promise<unknown> =>
        messages.send(note(change)).then(
          () => undefined,
          (error: { code: string }) => error.code,
        );
      expect(await refused({ to: "nobody" })).toBe("AGENT_NOT_FOUND");
      expect(await refused({ to: "capability:fly" })).toBe("CAPABILITY_NOT_FOUND");
      expect(await refused({ to: "a b" })).toBe("INVALID_REQUEST");
      expect(await refused({ from: "hub" })).toBe("FORBIDDEN");
      expect(await refused({ timestamp: 1_600_000_000_000 })).toBe("MESSAGE_TOO_OLD");
      expect(await refused({ hops: 17 })).toBe("LOOP_DETECTED");
      expect(await refused({ payload: "x".repeat(20_000) })).toBe("PAYLOAD_TOO_LARGE");
      expect(await refused({ to: "worker", action: "dance" })).toBe("NOT_SUPPORTED");
      expect(await receive("box")).toEqual([]);
    });

    it("refuse what does not fit any more, and show how much waits", async () => {
      for (let index = 0; index < 20; index++) await messages.send(note());
      await expect(messages.send(note())).rejects.toMatchObject({ code: "INBOX_FULL" });
      const { items } = await messages.inboxes({});
      expect(items).toMatchObject([{ receiver: "box", waiting: 20 }]);
    });

    it("carry out a task on an agent that knows no envelopes, and tell its sender", async () => {
      const sent = await messages.send(
        note({ id: "q", to: "worker", action: "execute", payload: { task: "sum" } }),
      );
      expect(sent).toMatchObject({ receiver: "hub", created: true, run_id: expect.any(String) as string });
      const session = await opened.driver.session(0);
      expect(session.job.task).toMatchObject({ description: "sum" });
      session.event("progress", { percentage: 50 });
      session.push({
        kind: "artifact",
        artifact: { type: "structured", name: "result", data: { output: 42 } },
      });
      session.end();
      const told = await until(ADA, ({ type }) => type === "response");
      expect(told.map(({ type, action, from, inReplyTo }) => [type, action, from, inReplyTo])).toEqual([
        ["notification", "status_update", "worker", "q"],
        ["notification", "status_update", "worker", "q"],
        ["response", "execute", "worker", "q"],
      ]);
      expect(told[1]?.payload).toMatchObject({ status: "running", progress: { percentage: 50 } });
      expect(told[2]?.payload).toMatchObject({ run_id: sent.run_id, status: "completed", result: 42 });
      const run = await opened.hub.run(sent.run_id ?? "");
      expect(told[2]?.trace).toMatchObject({ traceId: run.trace_id });
      const again = await messages.send(
        note({ id: "q", to: "worker", action: "execute", payload: { task: "sum" } }),
      );
      expect(again).toMatchObject({ created: false, receiver: "hub", run_id: sent.run_id });
    });

    it("answer what the hub is asked", async () => {
      await messages.send(
        note({ id: "n", to: "hub", action: "negotiate", payload: { versions: ["1", "2"] } }),
      );
      const [version] = await until(ADA, ({ inReplyTo }) => inReplyTo === "n");
      expect(version).toMatchObject({ type: "response", from: "hub", payload: { version: "2" } });
      await messages.send(note({ id: "o", to: "hub", action: "sing" }));
      const refused = (await until(ADA, ({ inReplyTo }) => inReplyTo === "o")).at(-1);
      expect(refused).toMatchObject({ type: "error", payload: { code: "NOT_SUPPORTED" } });
    });

    it("show dead letters, deliver them again and discard them", async () => {
      await messages.send(note({ id: "late", to: "hub", type: "response", inReplyTo: "nothing" }));
      const { items } = await messages.deadLetters({});
      expect(items).toMatchObject([{ receiver: "hub", reason: "undeliverable", envelope: { id: "late" } }]);
      expect((await messages.deadLetters({ receiver: "box" })).items).toEqual([]);
      const position = items[0]?.position ?? 0;
      await messages.redeliver(position);
      expect((await messages.deadLetters({})).items).toEqual([]);
      await expect(messages.discard(position)).rejects.toMatchObject({ code: "MESSAGE_NOT_FOUND" });
      await expect(messages.redeliver(position)).rejects.toMatchObject({ code: "MESSAGE_NOT_FOUND" });
    });
  });
}

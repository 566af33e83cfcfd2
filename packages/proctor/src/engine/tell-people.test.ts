// People are told of what they may answer: once, whatever happens in between.
import { afterEach, describe, expect, it } from "vitest";
import { eventually, HANG_MS } from "../../test/support/eventually.ts";
import { createManualClock } from "../../test/support/manual-clock.ts";
import {
  openTestMessages,
  type TestMessages,
  type TestMessagesOptions,
} from "../../test/support/messages/open-test-messages.ts";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Envelope } from "../core/envelope.ts";
import type { RunOptions } from "../core/run-options.ts";

const ADA = "user:ada";
const TALKS = { asks: ["approval", "input"] as const, parks: true };
const NOTIFY = { conversation: { policy: { approval: "ask_human" as const }, notify: [ADA, "user:bob"] } };
const open: TestMessages[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(options: TestMessagesOptions = {}) {
  const driver = createScriptedDriver({ talks: TALKS });
  const test = await openTestMessages({ driver, ...options });
  open.push(test);
  return { ...test, driver, stop: () => open.splice(open.indexOf(test), 1)[0]?.close() };
}

async function inboxOf({ messages }: TestMessages, receiver: string): Promise<Envelope[]> {
  const options = { after: 0, limit: 100, waitMs: 0 };
  return (await messages.receive(receiver, options, AbortSignal.timeout(HANG_MS))).map(
    ({ envelope }) => envelope,
  );
}

async function ask(test: Awaited<ReturnType<typeof start>>, options: RunOptions = NOTIFY, question = {}) {
  const index = test.driver.sessions.length;
  const { run } = await test.hub.submit({ agent: "x+stdio:x", task: { description: "d" }, options });
  const session = await test.driver.session(index);
  session.ask({ id: "q", kind: "approval", subject: { plan: ["a"] }, ...question });
  await test.until(run.id, ({ type }) => type === "question.asked");
  return { id: run.id, session };
}

const isNotified = ({ type }: { type: string }): boolean => type === "question.notified";

describe("People whom a run's options name", { timeout: HANG_MS }, () => {
  it("get an envelope with what they need to decide, and the log says so", async () => {
    const test = await start();
    const { id } = await ask(test);
    expect((await test.until(id, isNotified)).payload).toEqual({ id: "q", to: [ADA, "user:bob"] });
    const { trace_id: traceId, questions } = await test.hub.run(id);
    const [notice, ...others] = await inboxOf(test, ADA);
    expect(others).toEqual([]);
    expect(notice).toMatchObject({
      from: "hub",
      to: ADA,
      type: "request",
      action: "approve",
      trace: { traceId },
      payload: {
        run_id: id,
        question_id: "q",
        agent: "x+stdio:x",
        goal: null,
        subject: { plan: ["a"] },
        options: [{ id: "allow" }, { id: "deny" }],
        expires_at: questions[0]?.expires_at,
        question: { id: "q", kind: "approval", audience: "human" },
      },
    });
    expect(await inboxOf(test, "user:bob")).toHaveLength(1);
    expect((await test.hub.questions({})).items[0]?.question.notified).toEqual([ADA, "user:bob"]);
  });

  it("of a goal are those of its approvals", async () => {
    const test = await start();
    const { conversation } = NOTIFY;
    const { id } = await ask(test, {
      conversation: { policy: conversation.policy },
      goal: { approvals: { notify: [ADA] } },
    });
    await test.until(id, isNotified);
    expect(await inboxOf(test, ADA)).toMatchObject([{ payload: { goal: { id, title: "d" } } }]);
  });

  it("are told by the next hub, once, where a hub is killed between the question and the envelope", async () => {
    const folder = temporaryFolder("tell-people");
    const first = await start({ folder, diesFirst: true });
    const { id, session } = await ask(first);
    session.push({ kind: "parked" });
    await first.until(id, ({ type }) => type === "session.parked");
    expect(await inboxOf(first, ADA)).toEqual([]);
    await first.stop();
    for (let starts = 0; starts < 3; starts++) {
      const next = await start({ folder });
      await next.until(id, isNotified);
      expect(await inboxOf(next, ADA)).toHaveLength(1);
      await next.stop();
    }
  });

  it("are not told again long after they have read it, though the inbox has forgotten", async () => {
    const folder = temporaryFolder("tell-people");
    const clock = createManualClock(Date.now());
    const first = await start({ folder, clock });
    const expires = new Date(clock.now() + 20 * 86_400_000).toISOString();
    const { id, session } = await ask(first, NOTIFY, { expires_at: expires });
    await first.until(id, isNotified);
    session.push({ kind: "parked" });
    await first.until(id, ({ type }) => type === "session.parked");
    await first.messages.acknowledge(ADA, 1_000_000);
    await first.stop();
    clock.advance(3 * 86_400_000);
    const next = await start({ folder, clock });
    await eventually(async () => expect((await next.hub.run(id)).questions).toHaveLength(1));
    expect(await inboxOf(next, ADA)).toEqual([]);
    expect((await next.log(id)).filter(isNotified)).toHaveLength(1);
  });

  it("are not told of what a policy has answered, of what a simulated user answers, or where none are named", async () => {
    const test = await start();
    const allowed = await ask(test, { conversation: { policy: { approval: "allow" }, notify: [ADA] } });
    const simulated = await ask(test, { conversation: { policy: { approval: "simulate" }, notify: [ADA] } });
    const nobody = await ask(test, { conversation: {} });
    for (const { id, session } of [allowed, simulated, nobody]) {
      session.end();
      await test.ended(id);
      expect((await test.log(id)).some(isNotified)).toBe(false);
    }
    expect(await inboxOf(test, ADA)).toEqual([]);
  });

  it("are told that there is a question that is too large for an envelope", async () => {
    const test = await start({ limits: { envelopeBytes: 5000 } });
    const { id } = await ask(test, NOTIFY, { subject: { plan: "x".repeat(20_000) } });
    await test.until(id, isNotified);
    expect(await inboxOf(test, ADA)).toMatchObject([
      { payload: { run_id: id, question_id: "q", omitted: expect.stringContaining("too large") as string } },
    ]);
  });

  it("whose inbox is full are told at the next start, and the run goes on waiting", async () => {
    const folder = temporaryFolder("tell-people");
    const first = await start({ folder, limits: { count: 1 } });
    await first.messages.send({ to: ADA, type: "notification", action: "hello" });
    const { id, session } = await ask(first);
    await eventually(() => expect(first.problems).toMatchObject([{ code: "INBOX_FULL" }]));
    expect((await first.hub.run(id)).status).toBe("waiting");
    session.push({ kind: "parked" });
    await first.until(id, ({ type }) => type === "session.parked");
    await first.messages.acknowledge(ADA, 1_000_000);
    await first.stop();
    const next = await start({ folder });
    await next.until(id, isNotified);
    expect(await inboxOf(next, ADA)).toMatchObject([{ action: "approve" }]);
  });
});

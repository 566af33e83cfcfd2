// Promises of the Hub port about runs that talk: messages, conversations, trees, and control through the log. For any implementation,
// like hub.case.ts. The agents are puppets of the test, because they have to speak at the right moment.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually, HANG_MS } from "../../../test/support/eventually.ts";
import { expectError } from "../../../test/support/expect-error.ts";
import { SERIAL, type TalkingPuppets } from "../../../test/support/talking-puppets.ts";
import { talkingRuns, type TalkingRuns } from "../../../test/support/talking-runs.ts";
import { shellFixture } from "../../../test/support/test-hub.ts";
import { MAX_MESSAGE_CHARS, textPart } from "../message.ts";
import type { Hub } from "./hub.ts";

const NOBODY = "01890000-0000-7000-8000-000000000000";

/** `open` makes a new, empty hub each time, with the puppets at their addresses. */
export function talkHubCases(
  open: () => Promise<{ hub: Hub; puppets: TalkingPuppets; close(): Promise<void> }>,
): void {
  let opened: Awaited<ReturnType<typeof open>>;
  let hub: Hub;
  let puppets: TalkingPuppets;
  let runs: TalkingRuns;

  beforeEach(async () => {
    opened = await open();
    ({ hub, puppets } = opened);
    runs = talkingRuns(hub, puppets);
  });
  afterEach(() => opened.close());

  describe("a message", { timeout: HANG_MS }, () => {
    it("reaches an agent at work once, however often it is sent, and stays in the run", async () => {
      const id = await runs.submit();
      const session = await puppets.puppet.session(0);
      const message = {
        id: "m1",
        parts: [textPart("hello"), { kind: "data" as const, data: { n: [1, null] }, name: "numbers" }],
        references: [id],
        extensions: { mood: "good" },
      };
      expect(await hub.say(id, message)).toEqual({ role: "user", ...message });
      expect(await hub.say(id, message)).toEqual({ role: "user", ...message });
      await eventually(() => expect(session.heard).toEqual([{ role: "user", ...message }]));
      expect((await hub.say(id, { parts: [textPart("more")] })).id).toMatch(/\w{8}/);
      await eventually(() => expect(session.heard).toHaveLength(2));
      session.push({ kind: "message", message: { id: "r1", role: "agent", parts: [textPart("hi")] } });
      await runs.finish(id, session);
      const messages = await hub.messages(id);
      expect(messages.map(({ message: { role, parts } }) => [role, parts[0]])).toEqual([
        ["user", textPart("talk")],
        ["user", textPart("hello")],
        ["user", textPart("more")],
        ["agent", textPart("hi")],
      ]);
      expect(messages[0]).toMatchObject({ run_id: id, sequence: null });
      await expectError(hub.say(id, { parts: [textPart("late")] }), "RUN_ENDED", /follows/);
    });

    it("is refused where nobody hears it, and where it is too large or empty", async () => {
      const deaf = await runs.submit({ agent: shellFixture("sleeps") });
      await runs.until(deaf, ({ type }) => type === "progress");
      await expectError(hub.say(deaf, { parts: [textPart("hello")] }), "NOT_SUPPORTED");
      await hub.cancel(deaf);
      await runs.ended(deaf);
      const id = await runs.submit();
      const session = await puppets.puppet.session(0);
      await expectError(hub.say(id, { parts: [] }), "INVALID_REQUEST", /parts/);
      const large = textPart("x".repeat(MAX_MESSAGE_CHARS));
      await expectError(hub.say(id, { parts: [large] }), "PAYLOAD_TOO_LARGE");
      await expectError(hub.say(NOBODY, { parts: [textPart("hello")] }), "RUN_NOT_FOUND");
      await expectError(hub.messages(NOBODY), "RUN_NOT_FOUND");
      await runs.finish(id, session);
      expect(session.heard).toEqual([]);
    });

    it("may come with the run, as its first", async () => {
      const message = {
        id: "first",
        parts: [textPart("look"), { kind: "url" as const, url: "https://a.example/x" }],
      };
      const id = await runs.submit({ message });
      await runs.finish(id, await puppets.puppet.session(0));
      expect(await hub.messages(id)).toMatchObject([{ run_id: id, message: { role: "user", ...message } }]);
    });
  });

  describe("a conversation", { timeout: HANG_MS }, () => {
    it("goes on in a run that follows another, with what was said before", async () => {
      const first = await runs.submit();
      const one = await puppets.puppet.session(0);
      await expectError(runs.submit({ follows: first }), "ILLEGAL_TRANSITION", /only an ended run/);
      one.push({ kind: "session", continuation: { thread: 7 } });
      one.push({ kind: "message", message: { id: "m1", role: "agent", parts: [textPart("hello")] } });
      await runs.finish(first, one);
      const second = await runs.submit({ follows: first, task: { description: "and then?" } });
      const two = await puppets.puppet.session(1);
      expect(two.job.conversation).toMatchObject({ id: first, continuation: { thread: 7 } });
      expect(await runs.finish(second, two)).toMatchObject({
        conversation_id: first,
        follows: first,
        parent_id: null,
        root_id: second,
      });
      const { runs: both, messages, cut } = await hub.conversation(first);
      expect(both).toEqual([await hub.run(first), await hub.run(second)]);
      expect(messages.map(({ run_id, message }) => [run_id, message.parts[0]])).toEqual([
        [first, textPart("talk")],
        [first, textPart("hello")],
        [second, textPart("and then?")],
      ]);
      expect(cut).toBe(false);
      const listed = (await hub.runs({ conversation: first, order: "oldest" })).items.map(({ id }) => id);
      expect(listed).toEqual([first, second]);
      await expectError(hub.conversation(NOBODY), "CONVERSATION_NOT_FOUND");
      await expectError(runs.submit({ follows: NOBODY }), "RUN_NOT_FOUND");
      await expectError(runs.submit({ follows: first, conversation_id: "another" }), "INVALID_REQUEST");
      const deaf = { protocol: "term", transport: "stdio", command: ["true"] };
      await expectError(runs.submit({ follows: first, agent: deaf }), "NOT_SUPPORTED");
    });

    it("has a name of the client's choice, and one run at a time where its agent wants that", async () => {
      const conversation_id = "ticket 4711/ä?";
      const first = await runs.submit({ agent: SERIAL, conversation_id });
      await expectError(runs.submit({ agent: SERIAL, conversation_id }), "CONVERSATION_BUSY");
      await runs.finish(first, await puppets.serial.session(0));
      const second = await runs.submit({ agent: SERIAL, conversation_id });
      expect(await runs.finish(second, await puppets.serial.session(1))).toMatchObject({
        conversation_id,
        follows: first,
      });
      expect((await hub.conversation(conversation_id)).runs.map(({ id }) => id)).toEqual([first, second]);
    });
  });

  describe("a tree of runs", { timeout: HANG_MS }, () => {
    it("is listed by its parent and its root, and counted together", async () => {
      const top = await runs.submit({ constraints: { timeout_seconds: 100 } });
      const middle = await runs.submit({ parent_id: top, constraints: { timeout_seconds: 5000 } });
      const leaf = await runs.submit({ parent_id: middle });
      const sessions = await Promise.all([0, 1, 2].map((index) => puppets.puppet.session(index)));
      for (const session of sessions) {
        session.event("llm_request", { input_tokens: 3, output_tokens: 4, cost_usd: 0.5 });
      }
      expect(await hub.run(leaf)).toMatchObject({ parent_id: middle, root_id: top });
      expect((await hub.run(middle)).constraints.timeout_seconds).toBeLessThanOrEqual(100);
      const ids = async (query: Parameters<Hub["runs"]>[0]) =>
        (await hub.runs({ order: "oldest", ...query })).items.map(({ id }) => id);
      expect(await ids({ parent: top })).toEqual([middle]);
      expect(await ids({ root: top })).toEqual([top, middle, leaf]);
      expect(await hub.tally(top)).toMatchObject({ runs: 3, live: 3 });
      for (const session of sessions) session.end();
      await Promise.all([top, middle, leaf].map((id) => runs.ended(id)));
      expect(await hub.tally(top)).toEqual({
        runs: 3,
        live: 0,
        total_tokens: 21,
        cost_usd: 1.5,
        total_steps: 3,
      });
      await expectError(runs.submit({ parent_id: top }), "RUN_ENDED");
      await expectError(runs.submit({ parent_id: NOBODY }), "RUN_NOT_FOUND");
      await expectError(hub.tally(NOBODY), "RUN_NOT_FOUND");
    });
  });

  describe("a waiting run", { timeout: HANG_MS }, () => {
    it("is paused and resumed through its log; what is answered meanwhile is delivered later", async () => {
      const { id, session } = await runs.waiting();
      expect((await hub.pause(id)).status).toBe("paused");
      expect((await hub.answer(id, { question_id: "q1", parts: [textPart("42")] })).status).toBe("paused");
      expect(session.heard).toEqual([]);
      expect((await hub.resume(id)).status).toBe("running");
      await eventually(() => expect(session.heard).toHaveLength(1));
      await runs.finish(id, session);
      expect((await runs.types(id)).slice(3)).toEqual([
        "question.asked",
        "run.pause_requested",
        "run.paused",
        "question.answered",
        "run.resume_requested",
        "run.resumed",
        "question.delivered",
        "run.ended",
      ]);
    });

    it("is cancelled with a reason, and asks no more", async () => {
      const { id, session } = await runs.waiting();
      await hub.cancel(id, "no longer needed");
      await eventually(() => expect(session.signals.cancel.aborted).toBe(true));
      session.end("cancelled");
      expect(await runs.ended(id)).toMatchObject({
        status: "cancelled",
        failure: { message: "no longer needed" },
        questions: [],
      });
      expect((await runs.types(id)).slice(4)).toEqual([
        "run.cancel_requested",
        "question.withdrawn",
        "run.ended",
      ]);
      expect((await hub.questions({})).items).toEqual([]);
    });

    it("needs no process while its session is parked, and goes on with the answer", async () => {
      const id = await runs.submit();
      const first = await puppets.puppet.session(0);
      first.push({ kind: "session", continuation: { thread: "t-1" } });
      first.ask({ id: "q1" });
      first.push({ kind: "parked" });
      await runs.until(id, ({ type }) => type === "session.parked");
      expect((await hub.questions({})).items).toMatchObject([{ run_id: id }]);
      await hub.answer(id, { question_id: "q1", parts: [textPart("go on")] });
      const second = await puppets.puppet.session(1);
      expect(second.job.conversation).toMatchObject({ continuation: { thread: "t-1" } });
      await eventually(() => expect(second.heard).toMatchObject([{ questionId: "q1" }]));
      expect((await runs.finish(id, second)).status).toBe("completed");
    });
  });
}

// Promises of the Hub port about questions of agents at work, each kind of them. For any implementation, like hub.case.ts. The agents are
// puppets of the test, because they have to ask at the right moment.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually, HANG_MS } from "../../../test/support/eventually.ts";
import { expectError } from "../../../test/support/expect-error.ts";
import { PUPPET, type TalkingPuppets } from "../../../test/support/talking-puppets.ts";
import { talkingRuns, type TalkingRuns } from "../../../test/support/talking-runs.ts";
import type { RunEvent } from "../event.ts";
import { textPart } from "../message.ts";
import type { NewAnswer, NewQuestion } from "../question.ts";
import type { Hub } from "./hub.ts";

const NOBODY = "01890000-0000-7000-8000-000000000000";
const SECRET = "tok-very-secret-4711";
const FORM = { type: "object", properties: { age: { type: "integer" } }, required: ["age"] };

/** One of each kind: what is asked, what is answered, and what the agent gets. */
const KINDS: [NewQuestion["kind"], Partial<NewQuestion>, Partial<NewAnswer>, object][] = [
  ["input", {}, { parts: [textPart("42")] }, { parts: [{ kind: "text", text: "42" }] }],
  ["form", { schema: FORM }, { data: { age: 7 } }, { data: { age: 7 } }],
  ["permission", { subject: { tool: "rm" } }, { option: "allow" }, { option: "allow" }],
  ["approval", { subject: { plan: ["a"] } }, { parts: [textPart("Allow")] }, { option: "allow" }],
  ["auth", {}, { data: { token: SECRET } }, { data: { token: SECRET } }],
];

/** `open` makes a new, empty hub each time, with the puppets at their addresses. */
export function questionHubCases(
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

  describe("a question", { timeout: HANG_MS }, () => {
    it.each(KINDS)("of the kind %s is found and answered, and the agent goes on", async (...row) => {
      const [kind, extra, given, heard] = row;
      const { id, session } = await runs.waiting({ kind, ...extra });
      const run = await hub.run(id);
      expect(run).toMatchObject({
        status: "waiting",
        questions: [{ id: "q1", kind, blocking: true, audience: "client" }],
      });
      const { items } = await hub.questions({ kind, agent: PUPPET, audience: "client", conversation: id });
      const [question] = run.questions;
      expect(items).toEqual([{ run_id: id, agent: PUPPET, conversation_id: id, goal: null, question }]);
      for (const other of [
        { kind: kind === "input" ? ("form" as const) : ("input" as const) },
        { audience: "human" as const },
        { agent: "nobody" },
        { conversation: NOBODY },
      ]) {
        expect((await hub.questions(other)).items).toEqual([]);
      }
      const answered = await hub.answer(id, { question_id: "q1", id: "a1", ...given });
      expect(answered).toMatchObject({ status: "running", questions: [] });
      await eventually(() =>
        expect(session.heard).toMatchObject([
          { questionId: "q1", answer: { id: "a1", by: { kind: "client" }, outcome: "given", ...heard } },
        ]),
      );
      expect(await hub.questions({})).toEqual({ items: [], next_cursor: null });
      expect((await runs.finish(id, session)).status).toBe("completed");
      expect((await runs.types(id)).slice(3)).toEqual([
        "question.asked",
        "question.answered",
        "question.delivered",
        "run.ended",
      ]);
    });

    it("is answered once: others are too late, and a repeated answer gets the first reply", async () => {
      const { id, session } = await runs.waiting();
      const answer = (answerId: string) =>
        hub.answer(id, { question_id: "q1", id: answerId, parts: [textPart(answerId)] });
      const answers = await Promise.allSettled(["a", "b", "c"].map(answer));
      const first = ["a", "b", "c"].filter((_, index) => answers[index]?.status === "fulfilled");
      expect(first).toHaveLength(1);
      const late = answers.find(({ status }) => status === "rejected");
      expect(late).toMatchObject({
        reason: { code: "ANSWERED_ALREADY", details: { question_id: "q1", how: "answered" } },
      });
      expect((await answer(first[0] ?? "")).id).toBe(id);
      await eventually(() => expect(session.heard).toMatchObject([{ answer: { id: first[0] } }]));
      await runs.finish(id, session);
      await expectError(answer("d"), "ANSWERED_ALREADY");
      expect((await answer(first[0] ?? "")).status).toBe("completed");
      expect(session.heard).toHaveLength(1);
    });

    it("takes only what is an answer to it, from whoever may answer", async () => {
      const conversation = { policy: { permission: "ask_human" as const } };
      const { id, session } = await runs.waiting({ kind: "permission" }, { options: { conversation } });
      const answer = (given: Partial<NewAnswer>) =>
        hub.answer(id, { question_id: "q1", by: { kind: "human", name: "Ada" }, ...given });
      expect((await hub.questions({ audience: "human" })).items).toHaveLength(1);
      await expectError(answer({ by: { kind: "client" }, option: "allow" }), "FORBIDDEN", /a person/);
      await expectError(answer({ by: { kind: "simulator" }, option: "allow" }), "FORBIDDEN");
      await expectError(answer({ option: "maybe" }), "INVALID_REQUEST", /allow \(Allow\), deny \(Deny\)/);
      await expectError(answer({ parts: [textPart("yes, sure")] }), "INVALID_REQUEST");
      await expectError(answer({}), "INVALID_REQUEST");
      await expectError(answer({ question_id: "q2", option: "allow" }), "QUESTION_NOT_FOUND");
      await expectError(hub.answer(NOBODY, { question_id: "q1", option: "allow" }), "RUN_NOT_FOUND");
      expect((await hub.run(id)).status).toBe("waiting");
      expect((await answer({ option: "Deny" })).status).toBe("running");
      await eventually(() =>
        expect(session.heard).toMatchObject([
          { answer: { outcome: "declined", option: "deny", by: { kind: "human", name: "Ada" } } },
        ]),
      );
      await runs.finish(id, session);
      await expectError(answer({ question_id: "never", option: "allow" }), "RUN_ENDED", /follows/);
    });

    it("of a form says where the data departs from its schema", async () => {
      const { id, session } = await runs.waiting({ kind: "form", schema: FORM });
      const answer = (data: NewAnswer["data"]) =>
        hub.answer(id, { question_id: "q1", ...(data !== undefined && { data }) });
      await expectError(answer({ age: "seven" }), "INVALID_REQUEST", /^data: \/age: must be integer$/);
      await expectError(answer(undefined), "INVALID_REQUEST", /data/);
      await expect(answer({ age: "seven" })).rejects.toMatchObject({
        details: [{ path: "data", message: "/age: must be integer" }],
      });
      expect((await answer({ age: 7 })).status).toBe("running");
      await runs.finish(id, session);
    });

    it("is listed with those of other runs, in pages", async () => {
      const all = [await runs.waiting(), await runs.waiting(), await runs.waiting()];
      const first = await hub.questions({ limit: 2 });
      const rest = await hub.questions({ limit: 2, cursor: first.next_cursor ?? "" });
      expect([...first.items, ...rest.items].map(({ run_id }) => run_id)).toEqual(all.map(({ id }) => id));
      expect(rest.next_cursor).toBeNull();
      await expectError(hub.questions({ kind: "form", cursor: first.next_cursor ?? "" }), "INVALID_CURSOR");
      for (const { id, session } of all) await runs.finish(id, session);
      expect((await hub.questions({})).items).toEqual([]);
    });

    it("is answered at once where the run's options say how", async () => {
      const rules = [
        { kind: "permission" as const, tool: "read*", policy: "allow" as const },
        { text: "your name", policy: { answer: "Ada" } },
      ];
      const policy = { permission: "deny" as const };
      const id = await runs.submit({ options: { conversation: { rules, policy, expires_seconds: 60 } } });
      const session = await puppets.puppet.session(0);
      session.ask({ id: "1", kind: "permission", subject: { tool: "read_file" } });
      session.ask({ id: "2", kind: "permission", subject: { tool: "rm" } });
      session.ask({ id: "3", parts: [textPart("What is your name?")] });
      await eventually(() => expect(session.heard).toHaveLength(3));
      expect(session.heard).toMatchObject([
        { answer: { outcome: "given", option: "allow", by: { kind: "policy" } } },
        { answer: { outcome: "declined", option: "deny" } },
        { answer: { parts: [{ text: "Ada" }] } },
      ]);
      expect((await runs.finish(id, session)).options.conversation).toEqual({
        rules,
        policy,
        expires_seconds: 60,
      });
    });

    it("is for nobody to answer where the run's options say nothing of questions", async () => {
      const { run } = await hub.submit({ agent: PUPPET, task: { description: "ask" } });
      const session = await puppets.puppet.session(0);
      session.ask({ id: "p", kind: "permission" });
      await eventually(() => expect(session.heard).toMatchObject([{ answer: { outcome: "declined" } }]));
      expect((await runs.finish(run.id, session)).options).toEqual({});
    });

    it("for credentials leaves none of them anywhere, whatever the agent does with them", async () => {
      const { id, session } = await runs.waiting({ kind: "auth" });
      const answered = await hub.answer(id, { question_id: "q1", parts: [textPart(SECRET)] });
      await eventually(() =>
        expect(session.heard).toMatchObject([{ answer: { parts: [{ text: SECRET }] } }]),
      );
      session.push({ kind: "message", message: { id: "m", role: "agent", parts: [textPart(SECRET)] } });
      for (const letter of `I use ${SECRET} now.`) {
        session.push({ kind: "text", messageId: "s", part: 0, text: letter, last: false });
      }
      session.push({ kind: "text", messageId: "s", part: 0, text: "", last: true });
      session.event("progress", { message: `with ${SECRET}` });
      session.ask({ id: "q2", parts: [textPart(`Is ${SECRET} right?`)] });
      await runs.asked(id, "q2");
      await hub.say(id, { parts: [textPart(`yes, ${SECRET}`)] });
      const open = await hub.questions({});
      await hub.answer(id, { question_id: "q2", parts: [textPart(SECRET)] });
      session.end("failed", { failure: { code: "AGENT_FAILED", message: `${SECRET} was refused` } });
      const followed: RunEvent[] = [];
      for await (const event of hub.follow(id, -1, AbortSignal.timeout(HANG_MS))) followed.push(event);
      const shown = [
        answered,
        open,
        followed,
        await hub.run(id),
        await hub.runs({}),
        await hub.events(id, { limit: 1000 }),
        await hub.messages(id),
        await hub.conversation(id),
        await hub.steps(id),
      ];
      expect(JSON.stringify(shown)).not.toContain(SECRET);
      expect(open.items[0]?.question.parts).toMatchObject([{ text: expect.stringContaining("[redacted:") }]);
    });
  });
}

// Promises of the Hub port about forks: where a run can be gone on from, what the fork knows, and what is refused. For any implementation.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HANG_MS } from "../../../test/support/eventually.ts";
import { expectError } from "../../../test/support/expect-error.ts";
import { SERIAL, type TalkingPuppets } from "../../../test/support/talking-puppets.ts";
import { talkingRuns, type TalkingRuns } from "../../../test/support/talking-runs.ts";
import { shellFixture } from "../../../test/support/test-hub.ts";
import { textPart } from "../message.ts";
import type { Hub } from "./hub.ts";

const NOBODY = "01890000-0000-7000-8000-000000000000";

/** `open` makes a new, empty hub each time; the serial puppet is told all that was said. */
export function forkHubCases(
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

  /** A run in which the serial puppet says two things; resolves with its id and the events of both. */
  async function saidTwice(): Promise<{ id: string; points: number[] }> {
    const id = await runs.submit({ agent: SERIAL, metadata: { team: "blue" } });
    const session = await puppets.serial.session(0);
    for (const [key, text] of Object.entries({ m1: "It is a bird.", m2: "It is a plane." })) {
      session.push({ kind: "message", message: { id: key, role: "agent", parts: [textPart(text)] } });
    }
    await runs.finish(id, session);
    const said = await hub.messages(id);
    return { id, points: said.flatMap(({ sequence }) => (sequence === null ? [] : [sequence])) };
  }

  describe("a fork", { timeout: HANG_MS }, () => {
    it("knows what was said up to its point and nothing later, says something else, and tells where it came from", async () => {
      const { id, points } = await saidTwice();
      expect(await hub.forkPoints(id)).toEqual([
        ...points.map((sequence) => ({ kind: "message", sequence })),
        { kind: "end" },
      ]);
      const [first = 0] = points;
      const { run, created } = await hub.fork(id, { after: first, message: "Look again." });
      expect(created).toBe(true);
      expect(run).toMatchObject({
        agent: SERIAL,
        task: { description: "Look again." },
        follows: id,
        conversation_id: id,
        metadata: { team: "blue", forked_from: { run_id: id, sequence: first } },
      });
      const session = await puppets.serial.session(1);
      const history = (await session.job.conversation?.history()) ?? [];
      expect(history.map(({ role, parts }) => [role, parts[0]])).toEqual([
        ["user", textPart("talk")],
        ["agent", textPart("It is a bird.")],
      ]);
      await runs.finish(run.id, session);
      // What follows the fork knows the same of the first run, and all of the fork.
      const { run: next } = await hub.submit({
        agent: SERIAL,
        task: { description: "And now?" },
        follows: run.id,
      });
      const later = await puppets.serial.session(2);
      const known = (await later.job.conversation?.history()) ?? [];
      expect(known.map(({ parts }) => parts[0])).toEqual([
        textPart("talk"),
        textPart("It is a bird."),
        textPart("Look again."),
      ]);
      await runs.finish(next.id, later);
    });

    it("of a run's end knows everything, and may be another agent's with other limits", async () => {
      const { id } = await saidTwice();
      const { run } = await hub.fork(id, {
        message: "Go on.",
        agent: "puppet+stdio:x",
        constraints: { max_steps: 7 },
      });
      const session = await puppets.puppet.session(0);
      expect(run).toMatchObject({ agent: "puppet+stdio:x", constraints: { max_steps: 7 } });
      expect(run.metadata["forked_from"]).toEqual({ run_id: id });
      expect(await session.job.conversation?.history()).toHaveLength(3);
      await runs.finish(run.id, session);
    });

    it("is made once for one idempotency key", async () => {
      const { id } = await saidTwice();
      const key = { idempotencyKey: "fork-1" };
      const first = await hub.fork(id, { message: "Go on." }, key);
      await runs.finish(first.run.id, await puppets.serial.session(1));
      const again = await hub.fork(id, { message: "Go on." }, key);
      expect([again.created, again.run.id]).toEqual([false, first.run.id]);
    });

    it("is refused where its agent would not know what came before, with what can be done instead", async () => {
      const { id, points } = await saidTwice();
      const after = points[0] ?? 0;
      await expectError(hub.fork(id, { after: after + 500, message: "x" }), "NOT_SUPPORTED", /at its end/);
      await expectError(hub.fork(id, { step: 1, message: "x" }), "NOT_SUPPORTED", /after event/);
      const other = { after, message: "x", agent: "puppet+stdio:x" };
      await expectError(hub.fork(id, other), "NOT_SUPPORTED", /the middle of a run/);
      await expectError(hub.fork(id, { after }), "INVALID_REQUEST", /message/);
      await expectError(hub.fork(id, { after, step: 1, message: "x" }), "INVALID_REQUEST", /step/);
      await expectError(hub.fork(NOBODY, { message: "x" }), "RUN_NOT_FOUND");
      await expectError(hub.forkPoints(NOBODY), "RUN_NOT_FOUND");
    });

    it("of a run at work is refused until that has ended", async () => {
      const id = await runs.submit({ agent: shellFixture("sleeps") });
      await runs.until(id, ({ type }) => type === "progress");
      expect(await hub.forkPoints(id)).toEqual([]);
      await expectError(hub.fork(id, { message: "x" }), "NOT_SUPPORTED", /wait for its end/);
      await hub.cancel(id);
      await runs.ended(id);
    });
  });
}

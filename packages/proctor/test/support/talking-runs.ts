// Runs on agents that a test plays, through any Hub: submitted, followed, asked for and ended.
import type { RunEvent } from "../../src/core/event.ts";
import type { Hub, RunRequest } from "../../src/core/ports/hub.ts";
import type { NewQuestion } from "../../src/core/question.ts";
import type { Run } from "../../src/core/run.ts";
import { HANG_MS } from "./eventually.ts";
import type { ScriptedSession } from "./scripted-driver.ts";
import { PUPPET, type TalkingPuppets } from "./talking-puppets.ts";

export interface TalkingRuns {
  /** Submits a run whose questions wait for answers; resolves with its id. */
  submit(request?: Partial<RunRequest>): Promise<string>;
  until(id: string, satisfied: (event: RunEvent) => boolean): Promise<RunEvent>;
  /** Resolves when the run has asked the question. */
  asked(id: string, questionId: string): Promise<void>;
  ended(id: string): Promise<Run>;
  /** The types of the run's events. */
  types(id: string): Promise<string[]>;
  /** Submits a run whose agent then asks the question `q1`. */
  waiting(
    question?: Partial<NewQuestion>,
    request?: Partial<RunRequest>,
  ): Promise<{ id: string; session: ScriptedSession }>;
  /** Lets the agent end and waits for the run's end. */
  finish(id: string, session: ScriptedSession): Promise<Run>;
}

export function talkingRuns(hub: Hub, { puppet }: TalkingPuppets): TalkingRuns {
  async function submit(request: Partial<RunRequest> = {}): Promise<string> {
    const task = { description: "talk" };
    const whole = { agent: PUPPET, task, options: { conversation: {} }, ...request };
    return (await hub.submit(whole)).run.id;
  }

  async function until(id: string, satisfied: (event: RunEvent) => boolean): Promise<RunEvent> {
    for await (const event of hub.follow(id, -1, AbortSignal.timeout(HANG_MS))) {
      if (satisfied(event)) return event;
    }
    throw new Error(`run ${id} ended before the awaited event, or it never came`);
  }

  async function asked(id: string, questionId: string): Promise<void> {
    await until(id, (event) => event.type === "question.asked" && event.payload.question.id === questionId);
  }

  async function ended(id: string): Promise<Run> {
    await until(id, ({ type }) => type === "run.ended");
    return hub.run(id);
  }

  return {
    submit,
    until,
    asked,
    ended,
    types: async (id) => (await hub.events(id, { limit: 1000 })).map(({ type }) => type),
    async waiting(question = {}, request = {}) {
      const index = puppet.sessions.length;
      const id = await submit(request);
      const session = await puppet.session(index);
      session.ask({ id: "q1", ...question });
      await asked(id, "q1");
      return { id, session };
    },
    finish(id, session) {
      session.end();
      return ended(id);
    },
  };
}

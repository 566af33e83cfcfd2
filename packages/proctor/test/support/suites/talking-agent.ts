// A real hub whose agent is a function of the test, and suites that talk with it.
import { messageOf } from "../../../src/core/message-of.ts";
import { textOf } from "../../../src/core/message.ts";
import type { Talks } from "../../../src/core/ports/driver.ts";
import type { AskLlm } from "../../../src/core/ports/llm.ts";
import type { Answer } from "../../../src/core/question.ts";
import { loadDefinition } from "../../../src/suites/load.ts";
import { createPlan, type Plan } from "../../../src/suites/plan.ts";
import type { Reporter } from "../../../src/suites/reporter.ts";
import type { CaseResult } from "../../../src/suites/result.ts";
import { keyCases } from "../../../src/suites/run/case-key.ts";
import { runSuite, type RunSuiteOptions } from "../../../src/suites/run/run-suite.ts";
import { eventually } from "../eventually.ts";
import { createScriptedDriver, type ScriptedSession } from "../scripted-driver.ts";
import { openTestHub, type TestHub } from "../test-hub.ts";

export const TALKS: Talks = {
  says: true,
  asks: ["input", "form", "permission", "approval", "auth"],
  follows: true,
};

export interface TalkingSession extends ScriptedSession {
  /** What the user's side said in this turn. */
  said: string;
  /** Says something and completes the run. */
  reply(text: string, extra?: object): void;
  /** Asks, and resolves with what the user's side answered. */
  inquire(question: Parameters<ScriptedSession["ask"]>[0]): Promise<Answer>;
}

/** Plays one turn; `turn` counts from 0 over all runs of the hub. */
export type Play = (session: TalkingSession, turn: number) => Promise<void> | void;

export interface TalkingHub extends TestHub {
  sessions: readonly ScriptedSession[];
}

export async function openTalkingHub(play: Play, talks: Talks = TALKS): Promise<TalkingHub> {
  const driver = createScriptedDriver({ talks });
  const hub = await openTestHub({ driver });
  // It waits for the next session until the test is over, and is then forgotten.
  void (async () => {
    for (let turn = 0; ; turn++) {
      const session = talking(await driver.session(turn));
      void Promise.resolve(play(session, turn)).catch((error: unknown) => {
        session.end("failed", { failure: { code: "AGENT_FAILED", message: messageOf(error) } });
      });
    }
  })();
  return { ...hub, sessions: driver.sessions };
}

function talking(session: ScriptedSession): TalkingSession {
  let asked = 0;
  return Object.assign(session, {
    said: session.job.task.description,
    reply(text: string, extra: object = {}) {
      session.push({
        kind: "message",
        message: { id: `m${session.taken}-${text.length}`, role: "agent", parts: [{ kind: "text", text }] },
      });
      session.push({
        kind: "artifact",
        artifact: { type: "structured", name: "result", data: { output: text } },
      });
      session.end("completed", extra);
    },
    async inquire(question: Parameters<ScriptedSession["ask"]>[0]) {
      session.ask(question);
      asked += 1;
      await eventually(() => {
        if (session.heard.length < asked) throw new Error("not answered yet");
      });
      const heard = session.heard[asked - 1];
      // Nothing is said in these runs: whatever is heard is an answer.
      return (heard as { answer: Answer }).answer;
    },
  });
}

/** What an answer says, as the agent reads it. */
export function answerText({ outcome, option, parts, data }: Answer): string {
  if (outcome === "declined") return "declined";
  return option ?? (parts ? textOf(parts) : JSON.stringify(data));
}

/** The plan of one test on the puppet, with keys. */
export async function planTalk(test: object): Promise<Plan> {
  const definition = {
    test_suite: "talk",
    agents: [{ name: "puppet", protocol: "puppet", transport: "stdio", command: ["x"] }],
    tests: [{ id: "t", name: "T", ...test }],
  };
  const suite = await loadDefinition(definition, {
    file: "talk.yaml",
    folder: process.cwd(),
    variables: null,
  });
  return keyCases(createPlan([suite]), (name) => Promise.resolve(name));
}

/** Runs the plan and returns its only case. */
export async function runTalk(
  plan: Plan,
  { hub }: Pick<TestHub, "hub">,
  options: Partial<RunSuiteOptions> & { ask?: AskLlm; scripted?: AskLlm } = {},
): Promise<CaseResult> {
  const results: CaseResult[] = [];
  const keep: Reporter = {
    start: () => undefined,
    caseEnded: (result) => void results.push(result),
    end: () => undefined,
  };
  const { ask, scripted, ...rest } = options;
  await runSuite(plan, hub, {
    services: {
      runCommand: () => Promise.reject(new Error("this test runs no commands")),
      ...(ask && { judge: { ask, model: "small" } }),
      ...(scripted && { scriptedModel: () => scripted }),
    },
    retries: 0,
    ...rest,
    reporters: [keep, ...(rest.reporters ?? [])],
  });
  const [result] = results;
  if (!result) throw new Error("there is no result");
  return result;
}

// A driver whose agent is the test: it reports what the test pushes, and tells the test how it is being stopped.
import type { JsonObject } from "../../src/core/json.ts";
import type {
  AgentDriver,
  AgentEventDraft,
  AgentReport,
  Job,
  StopSignals,
  Talks,
} from "../../src/core/ports/driver.ts";
import type { Message } from "../../src/core/message.ts";
import type { Answer, NewQuestion } from "../../src/core/question.ts";

export interface ScriptedSession {
  job: Job;
  signals: StopSignals;
  paused: boolean;
  /** How many reports the engine has taken. */
  taken: number;
  /** What the engine brought to the agent: messages and answers, in order. */
  heard: (Message | { questionId: string; answer: Answer })[];
  push(...reports: AgentReport[]): void;
  ask(question: Partial<NewQuestion> & { id: string }): void;
  event(type: "progress" | "tool_call" | "llm_request" | "error" | "violation", payload: JsonObject): void;
  end(status?: "completed" | "failed" | "cancelled" | "partial", extra?: object): void;
}

export interface ScriptedDriver extends AgentDriver {
  sessions: ScriptedSession[];
  /** Resolves with the n-th session, once it is open. */
  session(index: number): Promise<ScriptedSession>;
}

/** `stubborn` ignores both signals. Otherwise `kill` ends a session that has not ended. */
export function createScriptedDriver(options: { stubborn?: boolean; talks?: Talks } = {}): ScriptedDriver {
  const sessions: ScriptedSession[] = [];
  let waiting: (() => void)[] = [];
  return {
    ...(options.talks && { talks: options.talks }),
    sessions,
    async session(index) {
      while (sessions.length <= index) await new Promise<void>((resolve) => waiting.push(resolve));
      return sessions[index]!;
    },
    open(job, signals) {
      const queue: AgentReport[] = [];
      let wake = (): void => undefined;
      let open = true;
      const session: ScriptedSession = {
        job,
        signals,
        paused: false,
        taken: 0,
        heard: [],
        ask: (question) =>
          session.push({
            kind: "question",
            question: { kind: "input", parts: [{ kind: "text", text: "what?" }], ...question },
          }),
        push(...reports) {
          queue.push(...reports);
          wake();
        },
        event: (type, payload) =>
          // Tests write payloads that fit their type.
          session.push({ kind: "event", event: { type, payload } as AgentEventDraft }),
        end: (status = "completed", extra = {}) => session.push({ kind: "end", end: { status, ...extra } }),
      };
      if (!options.stubborn) {
        signals.kill.addEventListener("abort", () => {
          open = false;
          wake();
        });
      }
      sessions.push(session);
      for (const resolve of waiting) resolve();
      waiting = [];
      return {
        async say(message) {
          session.heard.push(message);
        },
        async answer(questionId, answer) {
          session.heard.push({ questionId, answer });
        },
        pause: () => (session.paused = true),
        resume: () => (session.paused = false),
        async *[Symbol.asyncIterator]() {
          for (;;) {
            const report = queue.shift();
            if (report) {
              session.taken++;
              yield report;
              if (report.kind === "end" || report.kind === "parked") return;
              continue;
            }
            if (!open) {
              yield { kind: "end", end: { status: "failed" } } as const;
              return;
            }
            await new Promise<void>((resolve) => (wake = resolve));
          }
        },
      };
    },
  };
}

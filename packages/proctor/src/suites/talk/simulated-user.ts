// A language model plays the user: it is told who it is and what it wants, hears what the agent says, and says what comes next.
import type { JsonObject } from "../../core/json.ts";
import { messageOf } from "../../core/message-of.ts";
import type { AskLlm, LlmMessage } from "../../core/ports/llm.ts";
import type { Question } from "../../core/question.ts";
import { findJson, withoutThoughts } from "../../core/find-json.ts";
import type { SimulatedUser } from "../talk.ts";
import type { Thread } from "../thread.ts";
import { decline, replyTo } from "./reply-to.ts";
import { faultOf, type Exchange } from "./simulator-faults.ts";
import {
  complaint,
  DECLINE,
  DONE,
  FIRST_WORD,
  heardText,
  questionPrompt,
  systemPrompt,
} from "./simulator-prompt.ts";
import { simulatorFailed, type Reply, type Stop, type UserSide } from "./user-side.ts";

export interface SimulatedUserOptions {
  user: SimulatedUser;
  /** The task, where the test says the first word. */
  task: string;
  ask: AskLlm;
  model: string;
}

/** Number of times that the model is asked for one utterance, including repetitions after faults. */
const ATTEMPTS = 2;
const MAX_TOKENS = 1000;

export function createSimulatedUser({ user, task, ask, model }: SimulatedUserOptions): UserSide {
  const messages: LlmMessage[] = [{ role: "system", content: systemPrompt(user) }];
  const exchanges: Exchange[] = [];
  const used: NonNullable<Thread["simulator"]> = { calls: 0, input_tokens: 0, output_tokens: 0 };
  const notes: string[] = [];
  let turns = 0;
  /** True once the user has reached its goal. */
  let done = false;

  async function consult(asked: readonly LlmMessage[], signal: AbortSignal): Promise<string> {
    used.calls += 1;
    const answer = await ask({ model, messages: asked, maxTokens: MAX_TOKENS }, signal);
    used.input_tokens += answer.inputTokens ?? 0;
    used.output_tokens += answer.outputTokens ?? 0;
    return withoutThoughts(answer.text).trim();
  }

  /** Resolves with what the model says; it is asked once more where `problemOf` finds something wrong. */
  async function speak(
    prompt: string,
    problemOf: (said: string) => string | undefined,
    signal: AbortSignal,
  ): Promise<string | Stop> {
    const asked: LlmMessage[] = [...messages, { role: "user", content: prompt }];
    let problem: string | undefined;
    for (let attempt = 1, more: LlmMessage[] = []; attempt <= ATTEMPTS; attempt++) {
      let said: string;
      try {
        said = await consult([...asked, ...more], signal);
      } catch (error) {
        signal.throwIfAborted();
        return simulatorFailed(`the model that plays the user failed: ${messageOf(error)}`);
      }
      problem = problemOf(said);
      if (problem === undefined) {
        messages.push({ role: "user", content: prompt }, { role: "assistant", content: said });
        return said;
      }
      more = complaint(said, problem);
    }
    return simulatorFailed(`the simulated user is no use: ${problem}`);
  }

  const isDone = (said: string): boolean => said.split("\n").some((line) => line.trim() === DONE);

  return {
    async next(heard, signal) {
      if (turns > 0 && user.stopText !== undefined && heard.includes(user.stopText))
        return { kind: "over", ended: "text" };
      if (done) return { kind: "over", ended: "goal_reached" };
      if (turns === 0 && !user.opens) {
        turns = 1;
        messages.push({ role: "user", content: FIRST_WORD }, { role: "assistant", content: task });
        return { kind: "say", say: task };
      }
      const isLast = turns >= user.maxTurns;
      // With no turn left there is nothing more to say, and the goal was not reached.
      if (isLast) {
        notes.push(`the user stopped after ${turns} turns without saying that its goal is reached`);
        return { kind: "over", ended: "max_turns" };
      }
      const prompt = turns === 0 ? FIRST_WORD : heardText(heard);
      const problemOf = (said: string): string | undefined => {
        if (!isDone(said)) return faultOf(said, user.goal, exchanges, heard);
        return turns === 0 ? "it had what it wants before it said anything" : undefined;
      };
      const said = await speak(prompt, problemOf, signal);
      if (typeof said !== "string") return said;
      if (isDone(said)) return { kind: "over", ended: "goal_reached" };
      exchanges.push({ heard, said });
      turns += 1;
      return { kind: "say", say: said };
    },
    async answer({ question, heard, refused }, signal) {
      if (refused !== undefined)
        return simulatorFailed(`the simulated user's answer was not taken: ${refused}`);
      const prompt = questionPrompt(question, heard);
      const said = await speak(prompt, (text) => answerProblem(text, question, prompt), signal);
      if (typeof said !== "string") return said;
      done ||= isDone(said);
      if (isDone(said) || said === DECLINE) return decline(question);
      if (isFree(question)) exchanges.push({ heard: prompt, said });
      return readReply(said, question);
    },
    notes: () => notes,
    used: () => used,
  };

  function answerProblem(said: string, question: Question, prompt: string): string | undefined {
    if (isDone(said) || said === DECLINE) return undefined;
    if (isFree(question)) return faultOf(said, user.goal, exchanges, prompt);
    if (said === "") return "it said nothing";
    if (question.kind === "form")
      return formOf(said) === undefined ? "it gave no JSON object for a form" : undefined;
    const { options = [] } = question;
    const names = options.map(({ name }) => name);
    return options.some(({ id, name }) => said === id || said === name)
      ? undefined
      : `it chose none of ${names.join(", ")}`;
  }
}

/** Whether any words answer it. */
function isFree({ kind }: Question): boolean {
  return kind === "input" || kind === "auth";
}

function readReply(said: string, question: Question): Reply {
  const form = question.kind === "form" ? formOf(said) : undefined;
  return form === undefined ? replyTo(question, said) : { kind: "answer", data: form };
}

/** The first object that it wrote. */
function formOf(said: string): JsonObject | undefined {
  return findJson(said)[0];
}

// Answers the open questions of a run that this command watches: with the answers it was given, or by asking the person at the
// terminal, one question after the other. The log decides: a question that is closed elsewhere is no longer asked.
import { ProctorError } from "../../../core/errors.ts";
import type { RunEvent } from "../../../core/event.ts";
import { uuidV7 } from "../../../core/id.ts";
import { textPart } from "../../../core/message.ts";
import { decide, deny } from "../../../core/policy.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import type { NewAnswer, Question } from "../../../core/question.ts";
import type { Run } from "../../../core/run.ts";
import type { CliIo } from "../../cli-io.ts";
import type { Paint } from "../../terminal/paint.ts";
import { createPrompt, type Prompt } from "../../terminal/prompt.ts";
import type { ConversationPlan } from "../run/conversation-plan.ts";
import { askPerson, isClosed, type Answered } from "./ask-person.ts";
import { person } from "./person.ts";

export interface Asker {
  /** Says to which run the questions belong from now on. */
  onRun(run: Run): void;
  /** Takes an event that has been shown. */
  onEvent(event: RunEvent): void;
  /** True for an answer that was typed here, and stands on the screen already. */
  wasTyped(answerId: string): boolean;
  /** Ends the question that is being asked. Throws what went wrong meanwhile. */
  close(): Promise<void>;
}

export interface AskerOptions {
  hub: Pick<Hub, "answer">;
  io: CliIo;
  paint: Paint;
  plan: ConversationPlan;
  /** Gives the bottom of the terminal to the prompt, and takes it back when absent. */
  lend: (to?: { print(text: string): void }) => void;
  /** Prints a line among the events. */
  tell: (text: string) => void;
  /** Prints a question that had to wait for its turn once more. */
  repeat: (question: Question) => void;
}

interface Waiting {
  question: Question;
  stop: AbortController;
  /** Whether other questions were asked first. */
  hadToWait: boolean;
}

export function createAsker(options: AskerOptions): Asker {
  const { hub, io, paint, plan, lend, tell } = options;
  const typed = new Set<string>();
  const waiting: Waiting[] = [];
  let run: Run | undefined;
  let answers: string[] = [];
  let failed: { error: unknown } | undefined;
  let asking: Promise<void> | undefined;
  const sending = new Set<Promise<void>>();

  async function send(runId: string, question: Question, answered: Answered, id = uuidV7()): Promise<void> {
    const answer: NewAnswer = { question_id: question.id, id, by: person(io), ...answered };
    try {
      await hub.answer(runId, answer);
    } catch (error) {
      // The log says how it was closed.
      if (!isClosed(error)) throw error;
    }
  }

  function ask(question: Question): void {
    waiting.push({ question, stop: new AbortController(), hadToWait: waiting.length > 0 });
    asking ??= askAll();
  }

  async function askAll(): Promise<void> {
    const prompt = createPrompt(io);
    try {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        await askOne(next, prompt);
        drop(next.question.id);
        if (failed !== undefined || io.signal.aborted) return;
      }
    } finally {
      // Set in the same turn as the last look at `waiting`, so that a question that comes later opens a new prompt.
      asking = undefined;
    }
  }

  async function askOne({ question, stop, hadToWait }: Waiting, prompt: Prompt): Promise<void> {
    const signal = AbortSignal.any([stop.signal, io.signal]);
    const runId = run?.id ?? "";
    const submit = (answered: Answered): Promise<void> => {
      const id = uuidV7();
      typed.add(id);
      return send(runId, question, answered, id);
    };
    if (hadToWait) options.repeat(question);
    lend(prompt);
    try {
      await askPerson(question, { prompt, paint, submit }, signal);
    } catch (error) {
      if (!signal.aborted) failed ??= { error };
    } finally {
      lend();
    }
  }

  function drop(questionId: string): void {
    const index = waiting.findIndex(({ question }) => question.id === questionId);
    if (index !== -1) waiting.splice(index, 1)[0]?.stop.abort();
  }

  function dropAll(): void {
    for (const { stop } of waiting.splice(0)) stop.abort();
  }

  function take(question: Question): void {
    const { kind, audience } = question;
    if (run === undefined || io.signal.aborted) return;
    if (decide(question, run.options.conversation).kind !== "ask" || audience === "simulator") return;
    const given = kind === "input" && plan.answers.length > 0 ? nextAnswer(question) : undefined;
    if (given !== undefined) answerAtOnce(run.id, question, given);
    else askOrLeave(question);
  }

  function askOrLeave(question: Question): void {
    if (plan.asksHere) ask(question);
    else tell(paint.dim(`answer it: proctor runs answer ${run?.id ?? ""}`));
  }

  /** Returns undefined when the answers are used up and the person is to be asked. */
  function nextAnswer(question: Question): Answered | undefined {
    const text = answers.shift();
    if (text !== undefined) return textAnswer(question, text);
    const { afterAnswers: policy } = plan;
    if (policy === "deny") return deny(question);
    if (typeof policy !== "object") return undefined;
    return typeof policy.answer === "string" ? textAnswer(question, policy.answer) : { data: policy.answer };
  }

  function answerAtOnce(runId: string, question: Question, answered: Answered): void {
    const sent: Promise<void> = send(runId, question, answered)
      .catch((error: unknown) => {
        if (!ProctorError.is(error)) failed ??= { error };
        else refused(runId, question, error);
      })
      .finally(() => sending.delete(sent));
    sending.add(sent);
  }

  function refused(runId: string, question: Question, { message }: ProctorError): void {
    tell(paint.yellow(`the answer was refused: ${message}`));
    if (plan.asksHere) ask(question);
    else if (plan.afterAnswers === "deny") void send(runId, question, deny(question)).catch(() => undefined);
  }

  return {
    onRun(next) {
      run = next;
      // Another attempt asks again.
      answers = [...plan.answers];
    },
    onEvent(event) {
      switch (event.type) {
        case "question.asked":
          return take(event.payload.question);
        case "question.answered":
        case "question.withdrawn":
        case "question.expired":
          return drop(event.payload.id);
        case "run.ended":
          return dropAll();
        default:
      }
    },
    wasTyped: (answerId) => typed.has(answerId),
    async close() {
      dropAll();
      await asking;
      await Promise.all(sending);
      if (failed !== undefined) throw failed.error;
    },
  };
}

/** Returns a text as an answer; a text that names an option chooses it. */
function textAnswer({ options = [] }: Question, text: string): Answered {
  const option = options.find(({ id, name }) => text === id || text === name);
  return option === undefined ? { parts: [textPart(text)] } : { option: option.id };
}

// The dialogs that rules look at: each is made once, when first needed, with a program of its own. The terminal is scripted: whatever
// the agent asks for, it is told what the rule wants it told.
import type { AgentSpec } from "../../../core/agent.ts";
import type { JsonObject } from "../../../core/json.ts";
import { openDialog, type Dialog, type SaidLine, type Transcript } from "./dialog.ts";

export interface TrialOptions {
  command: readonly string[];
  spec: AgentSpec;
  timeoutMs: number;
  signal: AbortSignal;
  /** The instruction of every request. */
  task: string;
  environment: Readonly<Record<string, string>>;
}

export interface Trial {
  readonly graceMs: number;
  open(): Dialog;
  request(fields?: JsonObject): JsonObject;
  /** Resolves with an agent's whole work, from the first request to its exit; every command succeeds and prints nothing. */
  whole(): Promise<WholeWork>;
  /** Asks for the first step with these fields. */
  first(fields: JsonObject): Promise<Asked>;
  /** Asks for the second step with these fields, after a plain first one. */
  second(fields: JsonObject): Promise<Asked>;
}

export interface WholeWork {
  transcript: Transcript;
  answers: SaidLine[];
  /** True when the agent said that it is done. */
  done: boolean;
  /** True when the agent then exited by itself, in time. */
  left: boolean;
  /** True when the agent exited or fell silent before the end. */
  lost: boolean;
}

export interface Asked {
  transcript: Transcript;
  answer: SaidLine | undefined;
  /** True when the agent was done, or gone, before it could be asked. */
  never: boolean;
}

/** Longest grace in milliseconds, like a hub's: a machine may be busy. */
const MAX_GRACE_MS = 5000;
/** Milliseconds of rest after which a program has nothing more to say. */
const LISTEN_MS = 150;
/** Steps that are looked at. */
const MAX_STEPS = 12;

export function createTrial(options: TrialOptions): Trial {
  const { command, spec, timeoutMs, signal, task, environment } = options;
  const graceMs = Math.min(MAX_GRACE_MS, timeoutMs);
  let wholeDone: Promise<WholeWork> | undefined;

  const open = (): Dialog => openDialog({ command, spec, environment, timeoutMs, signal });

  const request = (fields: JsonObject = {}): JsonObject => ({
    instruction: task,
    step: 1,
    last_command: null,
    output: null,
    exit_code: null,
    cwd: "/app",
    ...fields,
  });

  async function playWhole(): Promise<WholeWork> {
    const dialog = open();
    const answers: SaidLine[] = [];
    let done = false;
    let left = false;
    try {
      await dialog.rest(LISTEN_MS);
      let last: JsonObject = {};
      for (let step = 1; step <= MAX_STEPS && !done; step++) {
        dialog.skip();
        dialog.send(request({ ...last, step }));
        const answer = await answerOf(dialog);
        if (answer === undefined) break;
        answers.push(answer);
        done = isDone(answer);
        if (step === 1 && !done) await dialog.rest(LISTEN_MS);
        last = { last_command: commandOf(answer), output: "", exit_code: 0 };
      }
      if (done) left = await dialog.exits(graceMs);
    } finally {
      await dialog.close();
    }
    return { transcript: dialog.transcript, answers, done, left, lost: !done && answers.length < MAX_STEPS };
  }

  async function ask(dialog: Dialog, message: JsonObject): Promise<Asked> {
    dialog.send(message);
    const answer = await dialog.answer();
    return { transcript: await dialog.close(), answer, never: false };
  }

  return {
    graceMs,
    open,
    request,
    whole: () => (wholeDone ??= playWhole()),
    first: (fields) => ask(open(), request(fields)),
    async second(fields) {
      const dialog = open();
      dialog.send(request());
      const answer = await dialog.answer();
      if (answer === undefined || isDone(answer)) {
        return { transcript: await dialog.close(), answer: undefined, never: true };
      }
      const plain = { step: 2, last_command: commandOf(answer), output: "", exit_code: 0 };
      return ask(dialog, request({ ...plain, ...fields }));
    },
  };
}

/** Skips other text before the answer, which is another rule's business. */
async function answerOf(dialog: Dialog): Promise<SaidLine | undefined> {
  const first = await dialog.answer();
  let line = first;
  while (line && line.json === undefined) line = await dialog.answer(LISTEN_MS);
  return line ?? first;
}

export function isDone({ json }: SaidLine): boolean {
  return (
    json?.["task_complete"] === true || (json?.["is_task_complete"] === true && !("task_complete" in json))
  );
}

function commandOf({ json }: SaidLine): string {
  const command = json?.["command"];
  return typeof command === "string" ? command : "";
}

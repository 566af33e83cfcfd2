// How each rule is tried. The compiler holds this table and the list of rules to each other.
import { isJsonObject } from "../../../core/json.ts";
import type { SaidLine } from "./dialog.ts";
import { fail, judge, pass, showValue, unevaluated } from "../../../conformance/finding.ts";
import { describeSilence, type Check, type TermFinding } from "./finding.ts";
import type { RuleId } from "./rules.ts";
import { isDone, type Asked, type Trial } from "./trial.ts";

const LARGE = `${"0123456789abcdef".repeat(64)}\n`.repeat(1024);
const UNICODE = 'naïve café · Ελληνικά · 日本語 · العربية · 😀 \u2028 \u0000 \\ " \t end';
const NOT_A_REQUEST = "this is no request {";

export const CHECKS: Record<RuleId, Check> = {
  "term.answer.given": async (trial) => {
    const { transcript, answers } = await trial.whole();
    return answers.length > 0 ? pass(transcript) : fail(describeSilence(transcript), transcript);
  },
  "term.answer.flushed": async (trial) => {
    const dialog = trial.open();
    dialog.send(trial.request());
    const answer = await dialog.answer();
    if (answer) return pass(await dialog.close());
    dialog.endInput();
    const late = await dialog.answer();
    const transcript = await dialog.close();
    if (late) return fail("its answer came only when its input had ended", transcript);
    return unevaluated("it did not answer: see term.answer.given", transcript);
  },
  "term.answer.json": async (trial) => {
    const { transcript, answers } = await trial.whole();
    return judge(
      transcript,
      answers.map(({ json, text }) => (json ? undefined : `this is no JSON object: ${showValue(text)}`)),
    );
  },
  "term.answer.types": async (trial) => {
    const { transcript, answers } = await trial.whole();
    return judge(
      transcript,
      answers.flatMap((answer) => [...typeProblems(answer), legacyProblem(answer)]),
    );
  },
  "term.answer.single": async (trial) => {
    const { transcript } = await trial.whole();
    for (let request = 1; request <= transcript.sent.length; request++) {
      const lines = transcript.stdout.filter(({ after, json }) => after === request && json !== undefined);
      if (lines.length > 1) return fail(`request ${request} got ${lines.length} answers`, transcript);
    }
    return pass(transcript);
  },
  "term.answer.line": async (trial) => {
    const { transcript } = await trial.whole();
    const cut = transcript.stdout.find(({ terminated }) => !terminated);
    return cut ? fail(`the last line has no end: ${showValue(cut.text)}`, transcript) : pass(transcript);
  },
  "term.answer.useful": async (trial) => {
    const { transcript, answers } = await trial.whole();
    const idle = answers.findIndex((answer) => !isDone(answer) && asksForNothing(answer));
    return idle === -1 ? pass(transcript) : fail(`answer ${idle + 1} asks for nothing`, transcript);
  },
  "term.stdout.unasked": async (trial) => {
    const { transcript } = await trial.whole();
    const early = transcript.stdout.find(({ after }) => after === 0);
    return early
      ? fail(`it said ${showValue(early.text)} before it was asked`, transcript)
      : pass(transcript);
  },
  "term.stdout.clean": async (trial) => {
    const { transcript, answers } = await trial.whole();
    const other = transcript.stdout.find((line) => line.json === undefined && !answers.includes(line));
    return other
      ? fail(`there is other text on stdout: ${showValue(other.text)}`, transcript)
      : pass(transcript);
  },
  "term.alive": async (trial) => {
    const { transcript, answers, done, lost } = await trial.whole();
    if (answers.length === 0) return unevaluated("it did not answer: see term.answer.given", transcript);
    if (!lost || done) return pass(transcript);
    return fail(`after answer ${answers.length}: ${describeSilence(transcript)}`, transcript);
  },
  "term.request.nulls": async (trial) =>
    answered(trial, await trial.second({ output: "the screen", exit_code: null })),
  "term.request.absent": async (trial) => answered(trial, await trial.first({ last_command: undefined })),
  "term.request.unknown_fields": async (trial) =>
    answered(trial, await trial.first({ truncated: false, output_bytes: 0, x_novelty: { deep: [1, null] } })),
  "term.request.unicode": async (trial) =>
    answered(trial, await trial.second({ output: UNICODE, cwd: "/tmp/日本語" })),
  "term.request.large": async (trial) => answered(trial, await trial.second({ output: LARGE })),
  "term.request.failure": async (trial) =>
    answered(trial, await trial.second({ output: "bash: line 1: nope: command not found", exit_code: 127 })),
  "term.request.again": async (trial) =>
    answered(
      trial,
      await trial.second({
        step: 1,
        last_command: null,
        output: null,
        exit_code: null,
        error: "the line is not JSON",
      }),
    ),
  "term.invalid.complete": async (trial) => {
    const { transcript, answer } = await nonsense(trial);
    return answer && isDone(answer)
      ? fail(`it answered ${showValue(answer.text)}`, transcript)
      : pass(transcript);
  },
  "term.invalid.exit": async (trial) => {
    const { transcript, answer } = await nonsense(trial);
    const { exit } = transcript;
    if (answer || transcript.overtime) return pass(transcript);
    return exit?.code === 0 ? fail("it gave up and exited with code 0", transcript) : pass(transcript);
  },
  "term.end.exits": async (trial) => {
    const { transcript, done, left } = await trial.whole();
    if (!done) return unevaluated("it was not done within the steps that are looked at", transcript);
    if (!left) return fail(`it was still there ${trial.graceMs / 1000} s after task_complete`, transcript);
    const { code = null, signal = null } = transcript.exit ?? {};
    if (signal !== null) return fail(`it was ended by ${signal}`, transcript);
    return code === 0 ? pass(transcript) : fail(`its exit code is ${code}`, transcript);
  },
  "term.end.eof": async (trial) => {
    const dialog = trial.open();
    dialog.send(trial.request());
    await dialog.answer();
    dialog.endInput();
    const left = await dialog.exits(trial.graceMs);
    const transcript = await dialog.close();
    return left
      ? pass(transcript)
      : fail(`it was still there ${trial.graceMs / 1000} s after its input ended`, transcript);
  },
  "term.end.sigterm": async (trial) => {
    const dialog = trial.open();
    dialog.send(trial.request());
    const answer = await dialog.answer();
    if (answer === undefined || isDone(answer)) {
      return unevaluated("it was done, or gone, before it could be terminated", await dialog.close());
    }
    dialog.signal("SIGTERM");
    const left = await dialog.exits(trial.graceMs);
    const transcript = await dialog.close();
    return left
      ? pass(transcript)
      : fail(`it was still there ${trial.graceMs / 1000} s after SIGTERM`, transcript);
  },
  "term.end.leftover": async (trial) => {
    const { transcript, done, left } = await trial.whole();
    if (!done || !left) return unevaluated("it did not end by itself", transcript);
    const { leftover = 0 } = transcript.exit ?? {};
    return leftover === 0 ? pass(transcript) : fail(`it left ${leftover} processes behind`, transcript);
  },
};

/** Judges a valid request: a usable answer has to come. */
async function answered(trial: Trial, { transcript, answer, never }: Asked): Promise<TermFinding> {
  if (never) {
    const { answers } = await trial.whole();
    const why =
      answers.length === 0 ? "it did not answer: see term.answer.given" : "it was done at the first step";
    return unevaluated(`${why}; give it a task that takes several (--task)`, transcript);
  }
  if (answer === undefined) return fail(describeSilence(transcript), transcript);
  if (answer.json === undefined) return fail(`this is no JSON object: ${showValue(answer.text)}`, transcript);
  return judge(transcript, typeProblems(answer));
}

async function nonsense(trial: Trial): Promise<Asked> {
  const dialog = trial.open();
  dialog.send(NOT_A_REQUEST);
  // An agent that waits for a better line is right too, and its exit need not be awaited.
  const exited = await dialog.exits(trial.graceMs);
  const answer = dialog.transcript.stdout[0];
  if (!exited && answer === undefined) dialog.transcript.overtime = true;
  return { transcript: await dialog.close(), answer, never: false };
}

function typeProblems({ json = {} }: SaidLine): (string | undefined)[] {
  const { command, task_complete: complete, text } = json;
  return [
    command == null || typeof command === "string" ? undefined : `command is ${showValue(command)}`,
    complete === undefined || typeof complete === "boolean"
      ? undefined
      : `task_complete is ${showValue(complete)}`,
    text == null || typeof text === "string" ? undefined : `text is ${showValue(text)}`,
  ];
}

function legacyProblem({ json = {} }: SaidLine): string | undefined {
  const { commands } = json;
  if (commands === undefined) return undefined;
  if (!Array.isArray(commands)) return `commands is ${showValue(commands)}`;
  for (const entry of commands) {
    if (!isJsonObject(entry) || typeof entry["keystrokes"] !== "string")
      return `an entry of commands is ${showValue(entry)}`;
    const { duration } = entry;
    if (duration !== undefined && typeof duration !== "number") return `duration is ${showValue(duration)}`;
  }
  return undefined;
}

function asksForNothing({ json = {} }: SaidLine): boolean {
  const { command, commands } = json;
  const typed = Array.isArray(commands) && commands.length > 0;
  return (typeof command !== "string" || command.trim() === "") && !typed;
}

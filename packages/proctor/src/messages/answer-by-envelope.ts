// The action `answer`: people who were told of a question answer it by an envelope, and so does whoever asked for the run by an envelope, or
// may steer runs or goals.
import { createHash } from "node:crypto";
import { isBound, may, mayUseAgent, type Caller } from "../core/caller.ts";
import type { Envelope } from "../core/envelope.ts";
import { ProctorError } from "../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { textPart } from "../core/message.ts";
import { peopleOf } from "../core/people.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { Answerer, NewAnswer, Question } from "../core/question.ts";
import type { Run } from "../core/run.ts";

/** The action of such an envelope. */
export const ANSWER = "answer";
const USER = "user:";

type AnsweringHub = Pick<Hub, "run" | "answer">;

/** Throws FORBIDDEN, INVALID_REQUEST, and what `Hub.answer` throws. The caller is undefined after a restart. */
export type AnswerByEnvelope = (envelope: Envelope, caller: Caller | undefined) => Promise<Json>;

/** `meant` finds the run that an envelope speaks of: by its id, or by the envelope that asked for it. */
export function createAnswerByEnvelope(
  hub: AnsweringHub,
  meant: (envelope: Envelope) => Promise<string | undefined>,
): AnswerByEnvelope {
  /** Throws the same error for a run that does not exist, so as not to reveal whether it does. */
  async function runFor(id: string, { from }: Envelope, caller: Caller | undefined): Promise<Run> {
    const run = await hub.run(id).catch((error: unknown) => {
      if (ProctorError.is(error) && error.code === "RUN_NOT_FOUND") return undefined;
      throw error;
    });
    const isAllowed =
      run !== undefined &&
      (isStartedBy(run, from) || peopleOf(run).includes(from) || (await maySteer(run, caller)));
    if (isAllowed) return run;
    throw new ProctorError(
      "FORBIDDEN",
      `"${from}" may not answer for run ${id}\nonly those who were told of its questions may, and tokens with the scope runs:write`,
      { details: { run_id: id } },
    );
  }

  async function maySteer(run: Run, caller: Caller | undefined): Promise<boolean> {
    if (caller === undefined || (isBound(caller) && !mayUseAgent(caller, run.agent))) return false;
    return may(caller, "runs:write") || (may(caller, "goals:write") && (await isOfGoal(run)));
  }

  async function isOfGoal({ id, options, root_id: root }: Run): Promise<boolean> {
    if (options.goal !== undefined) return true;
    return root !== null && root !== id && (await hub.run(root)).options.goal !== undefined;
  }

  return async (envelope, caller) => {
    const { payload } = envelope;
    const said: JsonObject = isJsonObject(payload) ? payload : { text: payload };
    const runId = (await meant(envelope)) ?? textOf(said, "run_id");
    const { questions } = await runFor(runId, envelope, caller);
    const given = readAnswer(said, questions);
    const id = createHash("sha256")
      .update(JSON.stringify([envelope.from, envelope.id]))
      .digest("hex");
    const run = await hub.answer(runId, { ...given, id: `envelope:${id}`, by: answererOf(envelope.from) });
    return { run_id: runId, question_id: given.question_id, status: run.status };
  };
}

/** Only users are people. */
function answererOf(from: string): Answerer {
  return from.startsWith(USER)
    ? { kind: "human", name: from.slice(USER.length) }
    : { kind: "client", name: from };
}

function isStartedBy({ metadata }: Run, from: string): boolean {
  const mark = metadata["envelope"];
  return isJsonObject(mark) && mark["from"] === from;
}

function readAnswer(said: JsonObject, open: readonly Question[]): NewAnswer {
  const { option, outcome, text, data } = said;
  if (option !== undefined && typeof option !== "string") throw wrong("option", "must be a text");
  if (text !== undefined && typeof text !== "string") throw wrong("text", "must be a text");
  if (outcome !== undefined && outcome !== "given" && outcome !== "declined")
    throw wrong("outcome", `must be "given" or "declined"`);
  return {
    question_id: questionOf(said, open),
    ...(option !== undefined && { option }),
    ...(outcome !== undefined && { outcome }),
    ...(text !== undefined && { parts: [textPart(text)] }),
    ...(data !== undefined && { data }),
  };
}

/** Returns the question that is named, or the only one that is open. */
function questionOf(said: JsonObject, open: readonly Question[]): string {
  const [only, ...others] = open;
  const isOnly = said["question_id"] === undefined && only !== undefined && others.length === 0;
  const id = isOnly ? only.id : textOf(said, "question_id");
  if (open.some((question) => question.id === id && question.kind === "auth"))
    throw new ProctorError(
      "NOT_SUPPORTED",
      "credentials do not belong into an envelope, which is kept as it came\nanswer with: proctor runs answer",
    );
  return id;
}

function textOf(said: JsonObject, name: string): string {
  const value = said[name];
  if (typeof value === "string" && value !== "") return value;
  throw wrong(name, "is required");
}

function wrong(name: string, message: string): ProctorError {
  const path = `payload.${name}`;
  return new ProctorError("INVALID_REQUEST", `${path}: ${message}`, { details: [{ path, message }] });
}

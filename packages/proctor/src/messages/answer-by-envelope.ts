// The action `answer`: people who were told of a question answer it by an envelope, and so does whoever may steer runs or goals.
import { createHash } from "node:crypto";
import { isBound, may, mayUseAgent, type Caller } from "../core/caller.ts";
import type { Envelope } from "../core/envelope.ts";
import { ProctorError } from "../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { textPart } from "../core/message.ts";
import { peopleOf } from "../core/people.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { Answerer, NewAnswer } from "../core/question.ts";
import type { Run } from "../core/run.ts";

/** The action of such an envelope. */
export const ANSWER = "answer";
const USER = "user:";

type AnsweringHub = Pick<Hub, "run" | "answer">;

/** Throws FORBIDDEN, INVALID_REQUEST, and what `Hub.answer` throws. The caller is undefined after a restart. */
export type AnswerByEnvelope = (envelope: Envelope, caller: Caller | undefined) => Promise<Json>;

export function createAnswerByEnvelope(hub: AnsweringHub): AnswerByEnvelope {
  /** Throws the same for a run that does not exist: whether it does is not for everybody to know. */
  async function runFor(id: string, { from }: Envelope, caller: Caller | undefined): Promise<Run> {
    const run = await hub.run(id).catch((error: unknown) => {
      if (ProctorError.is(error) && error.code === "RUN_NOT_FOUND") return undefined;
      throw error;
    });
    const isAllowed = run !== undefined && (peopleOf(run).includes(from) || (await maySteer(run, caller)));
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
    const said = isJsonObject(envelope.payload) ? envelope.payload : {};
    const runId = textOf(said, "run_id");
    const given = readAnswer(said);
    await runFor(runId, envelope, caller);
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

function readAnswer(said: JsonObject): NewAnswer {
  const { option, outcome, text, data } = said;
  if (option !== undefined && typeof option !== "string") throw wrong("option", "must be a text");
  if (text !== undefined && typeof text !== "string") throw wrong("text", "must be a text");
  if (outcome !== undefined && outcome !== "given" && outcome !== "declined")
    throw wrong("outcome", `must be "given" or "declined"`);
  return {
    question_id: textOf(said, "question_id"),
    ...(option !== undefined && { option }),
    ...(outcome !== undefined && { outcome }),
    ...(text !== undefined && { parts: [textPart(text)] }),
    ...(data !== undefined && { data }),
  };
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

// The messages of ours: a task, an answer, something said to a task at work. The ids of clients stay, so that a message that is sent twice
// can be recognised.
import { feedbackIn } from "../../../core/feedback.ts";
import { failure, type Failure } from "../../../core/failure.ts";
import { messageOf } from "../../../core/message-of.ts";
import { mediaTypeOf, UNKNOWN_TYPE } from "../../../core/media-type.ts";
import type { Message, Part } from "../../../core/message.ts";
import type { Job } from "../../../core/ports/driver.ts";
import type { Answer } from "../../../core/question.ts";
import { findInputs } from "../../run-inputs.ts";
import type { A2aMessage, A2aPart, SendRequest } from "../model.ts";
import type { Continuation } from "./continuation.ts";
import { encodePart } from "./parts.ts";
import type { A2aSettings } from "./settings.ts";
import type { Letter } from "./letters.ts";

/** Bytes of all files that go with a task, which are all in one message. */
const MAX_INPUT_BYTES = 32 * 1024 * 1024;

type Names = Pick<A2aSettings, "accepted_output_modes" | "metadata" | "extensions">;

/** Resolves with the first message of a run. What it follows is named, and not sent again. */
export async function encodeTask(
  job: Job,
  settings: Names,
  followed: Continuation | undefined,
): Promise<{ request: SendRequest } | { refused: Failure }> {
  const inputs = await readInputs(job);
  if ("refused" in inputs) return inputs;
  const said = job.message?.parts ?? taskParts(job);
  const references = [
    ...(followed?.taskId === undefined ? [] : [followed.taskId]),
    ...(job.message?.references ?? []),
  ];
  const message: A2aMessage = {
    messageId: job.message?.id ?? job.runId,
    role: "ROLE_USER",
    parts: [...encodeParts(said), ...inputs.parts],
    ...(followed?.contextId !== undefined && { contextId: followed.contextId }),
    ...(references.length > 0 && { referenceTaskIds: references }),
  };
  return { request: requestOf(message, settings) };
}

export function encodeLetter(
  letter: Letter,
  settings: Names,
  { taskId, contextId }: { taskId: string; contextId: string | undefined },
): SendRequest {
  const said =
    letter.kind === "say"
      ? { messageId: letter.message.id, parts: encodeParts(letter.message.parts) }
      : { messageId: letter.answer.id, parts: answerParts(letter.answer) };
  const message: A2aMessage = {
    ...said,
    role: "ROLE_USER",
    taskId,
    ...(contextId !== undefined && { contextId }),
    ...(letter.kind === "say" && references(letter.message)),
  };
  return requestOf(message, settings);
}

function references({ references: named }: Message): Pick<A2aMessage, "referenceTaskIds"> {
  return named === undefined || named.length === 0 ? {} : { referenceTaskIds: [...named] };
}

function requestOf(
  message: A2aMessage,
  { accepted_output_modes: modes, metadata, extensions }: Names,
): SendRequest {
  return {
    message: {
      ...message,
      ...(extensions.length > 0 && { extensions: [...extensions] }),
      ...(metadata && { metadata }),
    },
    ...(modes && { configuration: { acceptedOutputModes: [...modes] } }),
  };
}

function taskParts({ task, metadata }: Job): Part[] {
  const { description, input_data: data } = task;
  const feedback = feedbackIn(metadata);
  const text: Part = { kind: "text", text: description };
  return [
    text,
    ...(data === undefined ? [] : [{ kind: "data" as const, data }]),
    ...(feedback ? [{ kind: "data" as const, data: { feedback } }] : []),
  ];
}

/** Encodes the files of clients as paths: they are in the run's directory, and go along with it. */
function encodeParts(parts: readonly Part[]): A2aPart[] {
  return parts.map(encodePart).filter((part) => part !== undefined);
}

/** Text of an answer that declines without words. */
const DECLINED = "declined";

function answerParts({ outcome, option, parts, data }: Answer): A2aPart[] {
  const said = encodeParts(parts ?? []);
  if (data !== undefined) said.push({ data });
  if (said.length === 0 && option !== undefined) said.push({ text: option });
  if (said.length === 0) said.push({ text: outcome === "declined" ? DECLINED : "" });
  return said;
}

async function readInputs(job: Job): Promise<{ parts: A2aPart[] } | { refused: Failure }> {
  const found = await findInputs(job, { agent: "an A2A agent", maxFileBytes: MAX_INPUT_BYTES });
  if ("refused" in found) return found;
  const parts: A2aPart[] = [];
  let size = 0;
  for (const input of found) {
    const { path } = input;
    try {
      const content = await input.read();
      size += content.length;
      if (size > MAX_INPUT_BYTES)
        throw new Error(`its files have more than ${MAX_INPUT_BYTES} bytes together`);
      const mediaType = mediaTypeOf(path) ?? UNKNOWN_TYPE;
      parts.push({ raw: content.toString("base64"), filename: path, mediaType });
    } catch (problem) {
      const message = `an input file cannot be sent: ${messageOf(problem)}`;
      return { refused: failure("WORKSPACE_FAILED", message, { path }) };
    }
  }
  return { parts };
}

// A message that begins a task: the run that it becomes, its files, and what happens when it comes twice.
import { hash } from "node:crypto";
import { canonicalJson } from "../../../core/canonical-json.ts";
import { ProctorError } from "../../../core/errors.ts";
import { uuidV7 } from "../../../core/id.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { Hub, RunRequest, Submitted } from "../../../core/ports/hub.ts";
import type { Run } from "../../../core/run.ts";
import { originWithin } from "../../../core/trace.ts";
import type { SendRequest } from "../model.ts";
import type { A2aCall } from "../service.ts";
import { addFiles } from "./add-files.ts";
import { withAttempts, type FoundTask } from "./find-task.ts";
import { decodeMessage, wrong, type DecodedMessage } from "./messages.ts";
import { OWN_METADATA } from "./task-document.ts";

type Tasks = Pick<Hub, "run" | "runs" | "submit" | "prepare" | "start" | "addFile" | "remove">;

/** The description of a task whose message has no text, because every run needs one. */
const NO_TEXT = "(no text; see what is attached)";

/** Whether a repeated message means the task that it began, or a new one. */
export type Repeats = "same" | "new";

interface NewTaskOptions {
  call: A2aCall;
  repeats: Repeats;
}

/**
 * Resolves with the task that the message begins, or began when it came before: the same message in the same context, that is the same id and the
 * same words, is one task. Throws INVALID_PARAMS, or a ProctorError of the hub.
 */
export async function newTask(
  hub: Tasks,
  agent: string,
  request: SendRequest,
  { call, repeats }: NewTaskOptions,
): Promise<FoundTask> {
  const { message: sent } = request;
  const { contextId } = sent;
  const decoded = decodeMessage(sent);
  if (contextId !== undefined) await refuseForeign(hub, agent, contextId);
  const alias = aliasOf(agent, repeats === "same" ? [sent] : [sent, uuidV7()]);
  const { run, message: said } = await create();
  if (said) return { id: run.id, runs: [run], last: run, said };
  // A hub that died between the two writes left a run that waits for its files.
  if (run.status !== "created") return withAttempts(hub, run);
  await addFiles(hub, run, decoded.files);
  return withAttempts(hub, await hub.start(run.id));

  /** Creates the run first: nearly every message is new, and an earlier run is looked for only where the alias is taken. */
  async function create(): Promise<Pick<Submitted, "run" | "message">> {
    const asked = runRequest(agent, request, decoded, { alias, call });
    const options = { ...originWithin(call.traceId, call.headers["traceparent"]), idempotencyKey: alias };
    try {
      const made = decoded.files.length > 0 ? hub.prepare(asked, options) : hub.submit(asked, options);
      return await made;
    } catch (error) {
      // The same message came before, or twice at once: its context has gone on since, or it came by another way.
      const other = isCollision(error) ? await findEarlier(hub, alias) : undefined;
      if (other === undefined) throw error;
      return { run: other };
    }
  }
}

function isCollision(error: unknown): boolean {
  return (
    ProctorError.is(error) && (error.code === "IDEMPOTENCY_CONFLICT" || error.code === "CONVERSATION_BUSY")
  );
}

async function findEarlier(hub: Tasks, alias: string): Promise<Run | undefined> {
  const { items } = await hub.runs({ alias, order: "oldest", limit: 1 });
  return items[0];
}

/** Throws for a context of another agent: its messages must not show here. */
async function refuseForeign(hub: Tasks, agent: string, contextId: string): Promise<void> {
  const { items } = await hub.runs({ conversation: contextId, order: "oldest", limit: 1 });
  const [first] = items;
  if (first !== undefined && first.agent !== agent)
    throw wrong("message.contextId", "is not a context of this agent; leave it out to begin a new one");
}

interface Origin {
  alias: string;
  call: A2aCall;
}

function runRequest(
  agent: string,
  { message: sent, metadata, configuration }: SendRequest,
  { message }: DecodedMessage,
  { alias, call }: Origin,
): RunRequest {
  const texts = message.parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  const input = inputData(message);
  const modes = configuration?.acceptedOutputModes;
  return {
    agent,
    task: {
      description: texts.join("\n") || NO_TEXT,
      ...(input && { input_data: input }),
    },
    ...(sent.contextId !== undefined && { conversation_id: sent.contextId }),
    alias,
    message,
    metadata: {
      ...metadata,
      [OWN_METADATA]: {
        version: call.version,
        binding: call.binding,
        ...(modes && modes.length > 0 && { accepted_output_modes: modes }),
      },
    },
    // A question is a state of the task, so clients here can be asked.
    options: { conversation: {} },
  };
}

/** Returns data for agents whose protocol has no messages: one object as it is, anything else in a list. Addresses are named, never fetched. */
function inputData({ parts }: DecodedMessage["message"]): JsonObject | undefined {
  const data = parts.flatMap((part) => (part.kind === "data" ? [part.data] : []));
  const urls = parts.flatMap((part): Json[] => {
    if (part.kind !== "url") return [];
    const { url, name, media_type } = part;
    return [{ url, ...(name !== undefined && { name }), ...(media_type !== undefined && { media_type }) }];
  });
  const [only, ...others] = data;
  const given = only === undefined ? {} : others.length === 0 && isJsonObject(only) ? only : { data };
  const all = urls.length === 0 ? given : { ...given, attachments: urls };
  return Object.keys(all).length === 0 ? undefined : all;
}

/** Hashes the ids, because clients choose them, and an alias has a limited length. A message has its id and its context. */
function aliasOf(agent: string, named: Json[]): string {
  return `a2a/${agent}/${hash("sha256", canonicalJson(named))}`;
}

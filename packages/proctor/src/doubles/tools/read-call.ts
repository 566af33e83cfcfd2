// A call as it came over HTTP, read without trusting it: document 000, "Tool Protocol".
import { ProctorError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { readJson, requireObject } from "../../runtime/http/read-json.ts";

const MAX_CALL_BYTES = 10 * 1024 * 1024;
const FORM = 'send {"task_id": "…", "input": {…}}';

export interface ReceivedCall {
  input: Json;
  taskId?: string;
  /** Name of the tool, where the path does not contain it. */
  tool?: string;
  callId?: string;
}

/** Why a call was not understood, and the HTTP status that says so. */
export class BadCall extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** `signal` ends the reading; `onBytes` is called with the size of each piece that has to be kept, and may throw. Throws BadCall, or the signal's reason. */
export async function readCall(
  request: Request,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<ReceivedCall> {
  try {
    // The address is a secret, so no web page can post here, and agents often leave the type out.
    return shape(await readJson(request, { limitBytes: MAX_CALL_BYTES, signal, onBytes, anyType: true }));
  } catch (error) {
    throw ProctorError.is(error) ? new BadCall(error.status, `${error.message}; ${FORM}`) : error;
  }
}

function shape(sent: Json): ReceivedCall {
  const body = requireObject(sent);
  const taskId = textAt(body["task_id"], "task_id");
  const tool = textAt(body["tool"], "tool");
  const callId = textAt(body["call_id"], "call_id");
  return {
    input: body["input"] ?? (Object.hasOwn(body, "input") ? null : {}),
    ...(taskId !== undefined && { taskId }),
    ...(tool !== undefined && { tool }),
    ...(callId !== undefined && { callId }),
  };
}

function textAt(value: Json | undefined, key: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw new BadCall(400, `"${key}" must be text`);
}

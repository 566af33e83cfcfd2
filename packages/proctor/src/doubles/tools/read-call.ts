// A call as it came over HTTP, read without trusting it: document 000, "Tool Protocol".
import { isJsonObject, type Json } from "../../core/json.ts";
import { isTooDeep } from "../../core/json-depth.ts";
import { inexactProblem } from "../../core/json-numbers.ts";
import { readLimited, TooLarge } from "./read-limited.ts";

export const MAX_CALL_BYTES = 10 * 1024 * 1024;

export interface ReceivedCall {
  input: Json;
  taskId?: string;
  /** In the form that names the tool in the body. */
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

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Throws BadCall, or the signal's reason. `onBytes` is told what has to be kept in memory, and may throw. */
export async function readCall(
  request: Request,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<ReceivedCall> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_CALL_BYTES) throw tooLarge();
  let bytes: Uint8Array;
  try {
    bytes = await readLimited(request.body, MAX_CALL_BYTES, signal, onBytes);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BadCall) throw error;
    throw error instanceof TooLarge ? tooLarge() : new BadCall(400, "the body was cut off before its end");
  }
  return shape(parse(bytes));
}

function parse(bytes: Uint8Array): unknown {
  try {
    const text = UTF8.decode(bytes);
    if (!isTooDeep(text)) {
      const value = JSON.parse(text) as unknown;
      const inexact = inexactProblem(text);
      if (inexact !== undefined) throw new BadCall(400, inexact);
      return value;
    }
  } catch (error) {
    if (error instanceof BadCall) throw error;
    // The engine's message quotes the body, which may hold secrets.
    throw new BadCall(400, 'the body is not valid JSON in UTF-8; send {"task_id": "…", "input": {…}}');
  }
  throw new BadCall(400, "the body is nested too deeply");
}

function shape(body: unknown): ReceivedCall {
  if (!isJsonObject(body))
    throw new BadCall(400, 'the body must be an object: {"task_id": "…", "input": {…}}');
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

function tooLarge(): BadCall {
  return new BadCall(413, `the body is larger than ${MAX_CALL_BYTES} bytes`);
}

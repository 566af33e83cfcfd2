// One request of the harness: the instruction, and what the last command did.
import { describeThrown, RequestError } from "./errors.ts";
import { excerpt, isObject, type Json, type JsonObject } from "./json.ts";

export class Request {
  readonly instruction: string;
  readonly step: number;
  readonly lastCommand: string | null;
  readonly output: string | null;
  readonly exitCode: number | null;
  /** Working directory of the terminal; empty when the harness does not say. */
  readonly cwd: string;
  /** Fields that the protocol does not name, as they arrived. */
  readonly extra: JsonObject;

  private constructor(fields: JsonObject) {
    const { instruction, step, last_command, output, exit_code, cwd, ...extra } = fields;
    this.instruction = required("instruction", text("instruction", instruction));
    this.step = required("step", integer("step", step));
    this.lastCommand = text("last_command", last_command);
    this.output = text("output", output);
    this.exitCode = integer("exit_code", exit_code);
    this.cwd = text("cwd", cwd) ?? "";
    this.extra = extra;
  }

  /** Reads a request from a line or from its parsed JSON. An absent field is the same as null; unknown fields are kept. */
  static parse(data: string | JsonObject): Request {
    return new Request(typeof data === "string" ? read(data) : data);
  }

  get first(): boolean {
    return this.step === 1;
  }

  /** Whether the last command ended with exit code 0. */
  get ok(): boolean {
    return this.exitCode === 0;
  }

  /** Whether the last command ended with another exit code. Before the first command, both `ok` and `failed` are false. */
  get failed(): boolean {
    return this.exitCode !== null && this.exitCode !== 0;
  }

  /** Whether the output contains one of these texts, in upper or lower case. */
  has(...patterns: string[]): boolean {
    const output = this.output?.toLowerCase();
    return output !== undefined && patterns.some((pattern) => output.includes(pattern.toLowerCase()));
  }

  /** Returns the first match of a regular expression in the output. */
  match(pattern: RegExp | string): RegExpExecArray | null {
    if (this.output === null) return null;
    // A copy of the pattern, because a `global` one remembers where its last match ended.
    return new RegExp(pattern).exec(this.output);
  }
}

function read(line: string): JsonObject {
  let fields: unknown;
  try {
    fields = JSON.parse(line);
  } catch (error) {
    throw new RequestError(`the request is not JSON (${describeThrown(error)}): ${excerpt(line)}`);
  }
  if (!isObject(fields)) throw new RequestError(`the request is not a JSON object: ${excerpt(line)}`);
  return fields;
}

function text(name: string, value: Json | undefined): string | null {
  if (value == null || typeof value === "string") return value ?? null;
  throw new RequestError(`the request's ${name} is not a string`);
}

function integer(name: string, value: Json | undefined): number | null {
  if (value == null) return null;
  if (typeof value === "number" && Number.isInteger(value)) return value;
  throw new RequestError(`the request's ${name} is not an integer`);
}

function required<Value>(name: string, value: Value | null): Value {
  if (value === null) throw new RequestError(`the request has no ${name}`);
  return value;
}

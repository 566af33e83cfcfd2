// One answer to the harness: a command, a text, or that the task is done.
import { describeThrown, ResponseError } from "./errors.ts";
import { excerpt, type Json, type JsonObject } from "./json.ts";
import { findAnswer } from "./model-text.ts";

export class Response {
  command: string | null;
  text: string | null;
  taskComplete: boolean;
  /** Any JSON value, which the harness puts into its log. */
  data: Json;
  /** Further fields, sent as they are. `commands` here, without a `command`, makes the legacy form. */
  extra: JsonObject;

  constructor(
    command: string | null = null,
    text: string | null = null,
    taskComplete = false,
    data: Json = null,
    extra: JsonObject = {},
  ) {
    this.command = command;
    this.text = text;
    this.taskComplete = taskComplete;
    this.data = data;
    this.extra = extra;
  }

  /** Asks the harness to run a command. */
  static cmd(command: string, text?: string): Response {
    return new Response(command, text ?? null);
  }

  /** Runs nothing and continues with the next step. The harness accepts only a few of these in a row. */
  static say(text: string): Response {
    return new Response(null, text);
  }

  /** Says that the task is finished. */
  static done(text?: string): Response {
    return new Response(null, text ?? null, true);
  }

  /** Takes the first answer from a model's text: JSON, bare or in a fenced block, in new or legacy form. Throws a ResponseError without one. */
  static fromLLM(answer: string | { readonly text: string }): Response {
    const fields = findAnswer(typeof answer === "object" ? answer.text : answer);
    const { command = null, text = null, task_complete = null, data = null, ...extra } = fields;
    // A model may write anything; `toJSON` refuses a field of a wrong type.
    const response = new Response(
      command as string | null,
      text as string | null,
      (task_complete ?? false) as boolean,
      data,
      extra,
    );
    response.toJSON();
    return response;
  }

  withText(text: string): this {
    this.text = text;
    return this;
  }

  withData(data: Json): this {
    this.data = data;
    return this;
  }

  /** Marks the task as finished once the command, if there is one, has run. */
  complete(): this {
    this.taskComplete = true;
    return this;
  }

  /** Returns the fields as they are sent, so that `JSON.stringify(response)` is the line. */
  toJSON(): JsonObject {
    const { command, text, taskComplete, data, extra } = this;
    check("command", "string", command, true);
    check("text", "string", text, true);
    check("task_complete", "boolean", taskComplete, false);
    const isLegacy = command === null && "commands" in extra;
    return {
      ...extra,
      ...(isLegacy ? {} : { command }),
      task_complete: taskComplete,
      ...(text === null ? {} : { text }),
      ...(data === null ? {} : { data }),
    };
  }

  /** Returns the line to send, without its line break. */
  toLine(): string {
    try {
      return JSON.stringify(this);
    } catch (error) {
      if (error instanceof ResponseError) throw error;
      throw new ResponseError(`the response cannot be written as JSON: ${describeThrown(error)}`);
    }
  }
}

function check(name: string, type: "string" | "boolean", value: unknown, nullable: boolean): void {
  if (typeof value === type || (nullable && value === null)) return;
  throw new ResponseError(`the response's ${name} is not a ${type}: ${excerpt(String(value))}`);
}

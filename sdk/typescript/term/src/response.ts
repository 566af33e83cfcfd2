// One answer to the harness: a command, a word, or that the task is done.
import { describeThrown, ResponseError } from "./errors.ts";
import { excerpt, type Json, type JsonObject } from "./json.ts";
import { findAnswer } from "./model-text.ts";

export class Response {
  command: string | null;
  text: string | null;
  taskComplete: boolean;
  /** Anything that JSON can hold, for the log. */
  data: Json;
  /** Further fields, sent as they are. `commands` here, and no `command`, is the legacy form. */
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

  /** Run this. */
  static cmd(command: string, text?: string): Response {
    return new Response(command, text ?? null);
  }

  /** Run nothing, and go on. The harness takes only a few of these in a row. */
  static say(text: string): Response {
    return new Response(null, text);
  }

  /** The task is finished. */
  static done(text?: string): Response {
    return new Response(null, text ?? null, true);
  }

  /** The first answer in a model's text: JSON, bare or in a fenced block, new or legacy form. Throws a ResponseError without one. */
  static fromLLM(answer: string | { readonly text: string }): Response {
    const fields = findAnswer(typeof answer === "object" ? answer.text : answer);
    const { command = null, text = null, task_complete = null, data = null, ...extra } = fields;
    // A model may write anything; `toJSON` refuses what has a wrong type.
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

  /** The task is finished once the command, if there is one, has run. */
  complete(): this {
    this.taskComplete = true;
    return this;
  }

  /** As it is sent; `JSON.stringify(response)` is the line. */
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

  /** One line, without its end. */
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

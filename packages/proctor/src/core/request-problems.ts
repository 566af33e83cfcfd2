// What is wrong with a request for a run, whichever surface it came through. The limits are document 000's.
import { isJsonObject } from "./json.ts";
import { areLabels, MAX_LABELS, MAX_PRIORITY } from "./labels.ts";
import { MAX_MESSAGE_CHARS } from "./message.ts";
import type { ClientRunRequest, RunRequest } from "./ports/hub.ts";
import { MAX_DESCRIPTION_CHARS, MAX_STEPS, MAX_TIMEOUT_SECONDS, MAX_TOKENS } from "./task.ts";

/** Most characters of a client's own name for a run. */
export const MAX_ALIAS_CHARS = 400;

export interface RequestProblem {
  path: string;
  message: string;
}

const LABELS_EXPECTED = `must be at most ${MAX_LABELS} labels of 1 to 40 lower-case letters, digits, ".", "_" or "-"`;

/** Counts characters as JSON Schema does: in code points. */
function isShort(text: string): boolean {
  return text.length <= MAX_DESCRIPTION_CHARS || Array.from(text).length <= MAX_DESCRIPTION_CHARS;
}

export function requestProblems({
  task,
  constraints = {},
  context = {},
  alias,
  conversation_id: conversation,
  message,
  options = {},
}: RunRequest | ClientRunRequest): RequestProblem[] {
  const problems: RequestProblem[] = [];
  const expect = (holds: boolean, path: string, message: string): void => {
    if (!holds) problems.push({ path, message });
  };
  const wholeNumber = (value: unknown, path: string, max: number): void =>
    expect(
      value === undefined || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max),
      path,
      `must be a whole number from 1 to ${max}`,
    );
  const { description, input_data: input } = task;
  expect(
    typeof description === "string" && description !== "" && isShort(description),
    "task.description",
    `must be a text of 1 to ${MAX_DESCRIPTION_CHARS} characters`,
  );
  expect(input === undefined || isJsonObject(input), "task.input_data", "must be an object");
  wholeNumber(constraints.max_steps, "constraints.max_steps", MAX_STEPS);
  wholeNumber(constraints.max_tokens, "constraints.max_tokens", MAX_TOKENS);
  wholeNumber(constraints.timeout_seconds, "constraints.timeout_seconds", MAX_TIMEOUT_SECONDS);
  const budget = constraints.budget_usd;
  expect(budget === undefined || budget >= 0, "constraints.budget_usd", "must be 0 or more");
  const { priority, requires } = options;
  expect(
    priority === undefined || (Number.isInteger(priority) && Math.abs(priority) <= MAX_PRIORITY),
    "options.priority",
    `must be a whole number from -${MAX_PRIORITY} to ${MAX_PRIORITY}`,
  );
  expect(requires === undefined || areLabels(requires), "options.requires", LABELS_EXPECTED);
  const values = Object.values(context.environment ?? {});
  expect(
    values.every((value) => typeof value === "string"),
    "context.environment",
    "must hold only texts",
  );
  expect(
    alias === undefined || (alias.length >= 1 && alias.length <= MAX_ALIAS_CHARS),
    "alias",
    `must have 1 to ${MAX_ALIAS_CHARS} characters`,
  );
  expect(
    conversation === undefined || (conversation.length >= 1 && conversation.length <= MAX_ALIAS_CHARS),
    "conversation_id",
    `must have 1 to ${MAX_ALIAS_CHARS} characters`,
  );
  expect(
    message === undefined ||
      (message.parts.length > 0 && JSON.stringify(message).length <= MAX_MESSAGE_CHARS),
    "message",
    `must have a part, and at most ${MAX_MESSAGE_CHARS} characters`,
  );
  return problems;
}

/** Returns the problems of a run that its client carries out: whatever only an agent could use is refused. */
export function clientRequestProblems(request: ClientRunRequest): RequestProblem[] {
  const { context = {}, options = {} } = request;
  const useless = [
    ["context.environment", context.environment],
    ["options.tools", options.tools],
    ["options.labs", options.labs],
    ["options.canary", options.canary],
    ["options.priority", options.priority],
    ["options.requires", options.requires],
    ["follows", request.follows],
    ["parent_id", request.parent_id],
  ] as const;
  return [
    ...requestProblems(request),
    ...useless
      .filter(([, value]) => value !== undefined)
      .map(([path]) => ({ path, message: "is for agents, and a client does the work of this run" })),
  ];
}

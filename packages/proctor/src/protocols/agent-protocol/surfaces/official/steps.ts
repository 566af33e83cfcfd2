// Official steps: list, get, and "execute the next one".
import { ProctorError } from "../../../../core/errors.ts";
import { joinSignals } from "../../../../core/join-signals.ts";
import { isTerminal, type Run } from "../../../../core/run.ts";
import { isOver, type Step } from "../../../../core/step.ts";
import { jsonResponse } from "../../../../runtime/http/respond.ts";
import type { Route, RouteCall } from "../../../../runtime/http/route.ts";
import { readFields, wrongField } from "../shared/read-fields.ts";
import { readPage } from "../shared/read-page.ts";
import { idsOf, queryOf, refusals } from "../shared/schemas.ts";
import { TAG, TASKS, type Official } from "./context.ts";
import { officialStep } from "./documents.ts";
import type { Heard } from "./hear.ts";
import { lastStep, nextStep, type AskedStep } from "./next-step.ts";
import { mayBePending, pendingNumber, pendingStep } from "./pending-step.ts";
import {
  findClosedQuestionStep,
  findOpenQuestion,
  isQuestionStepId,
  openQuestionStep,
} from "./question-step.ts";
import { listPage, PAGE_NAMES } from "./respond.ts";
import { MAX_WAIT_SECONDS, NewStep, PageQuery, Step as StepSchema, StepPage, StepQuery } from "./schemas.ts";

/** Status that servers log for a client that did not wait; no client receives it. */
const CLIENT_LEFT = 499;

export function stepRoutes(official: Official): Route[] {
  const { hub } = official;
  const path = `${TASKS}/{task_id}/steps`;
  return [
    {
      id: "listAgentTaskSteps",
      method: "GET",
      scope: "runs:read",
      path,
      tag: TAG,
      summary: "List a task's steps",
      query: PageQuery,
      responses: { 200: { description: "One page, in order.", schema: StepPage }, ...refusals(404, 422) },
      async handle(call) {
        const page = readPage(queryOf(call), PAGE_NAMES);
        const { run, steps } = await hub.steps(idsOf(call).task);
        const [question] = run.questions;
        if (question) official.shown.add(run, question);
        const all = question ? [...steps, openQuestionStep(run, question, steps.length)] : steps;
        return listPage("steps", all, page, (step) => officialStep(run, steps, step));
      },
    },
    {
      id: "executeAgentTaskStep",
      method: "POST",
      scope: "runs:write",
      path,
      tag: TAG,
      summary: "Execute the next step",
      description:
        "Answers when the step is over, or as it is after `wait` seconds. An agent that asks is a step that is `created`; the next `input` answers it. On a task that has ended: its last step again.",
      query: StepQuery,
      body: { schema: NewStep, required: false, example: { input: "Washington" } },
      responses: {
        200: { description: "The step.", schema: StepSchema },
        403: { description: "The question is for somebody else to answer." },
        409: { description: "The task takes no step now, or the question is closed." },
        ...refusals(404, 413, 415, 422),
      },
      handle: (call) => executeStep(official, call),
    },
    {
      id: "getAgentTaskStep",
      method: "GET",
      path: `${path}/{step_id}`,
      scope: "runs:read",
      tag: TAG,
      summary: "Get a step",
      responses: { 200: { description: "The step.", schema: StepSchema }, ...refusals(404) },
      handle: (call) => getStep(official, call),
    },
  ];
}

async function getStep(official: Official, call: RouteCall): Promise<Response> {
  const { hub, counts } = official;
  const { task, step: id } = idsOf(call);
  const { run, steps } = await hub.steps(task);
  if (isQuestionStepId(task, id)) return getQuestion(official, run, steps, id);
  const number = pendingNumber(task, id);
  const step = number === undefined ? steps.find((each) => each.id === id) : steps[number];
  const turn = counts.get(task);
  if (step !== undefined) {
    // A client saw it before it was over, and sees it now that it is: this counts as giving it.
    if (turn?.early === true && step === steps[turn.given] && isOver(step.status))
      counts.give(task, turn.given);
    return jsonResponse(officialStep(run, steps, step));
  }
  const isEnd = number === 0 && steps.length === 0 && isTerminal(run.status);
  if (number === undefined || !(isEnd || mayBePending(run, steps.length, number, turn)))
    throw noSuchStep(task, id);
  const shown = isTerminal(run.status) ? lastStep(run, steps) : { steps, step: pendingStep(run, number) };
  return jsonResponse(officialStep(run, shown.steps, shown.step));
}

async function getQuestion(
  { hub, shown }: Official,
  run: Run,
  steps: readonly Step[],
  id: string,
): Promise<Response> {
  const open = findOpenQuestion(run, id);
  if (open) shown.add(run, open);
  const step = open ? openQuestionStep(run, open, 0) : await findClosedQuestionStep(hub, run, id);
  if (step === undefined) throw noSuchStep(run.id, id);
  return jsonResponse(officialStep(run, steps, step));
}

function noSuchStep(task: string, id: string): ProctorError {
  return new ProctorError("STEP_NOT_FOUND", `task ${task} has no step ${id}`);
}

async function executeStep(official: Official, call: RouteCall): Promise<Response> {
  const { request } = call;
  const waitMs = readWait(queryOf(call));
  const { input, name, additional_input: additionalInput } = await readFields(request, NewStep);
  const asked = {
    task: idsOf(call).task,
    waitMs,
    input: input == null || input === "" ? null : input,
    name: name == null || name === "" ? undefined : name,
    additionalInput: additionalInput ?? {},
  };
  const waiting = joinSignals([official.stopping, request.signal]);
  try {
    const { run, steps, step, heard } = await nextStep(official, asked, waiting.signal);
    const shown = officialStep(run, steps, step);
    const warnings = heard ? unheard(run, heard, asked) : unused(step, asked);
    if (warnings.length === 0) return jsonResponse(shown);
    return jsonResponse({ ...shown, additional_output: { ...shown.additional_output, warnings } });
  } catch (error) {
    if (official.stopping.aborted)
      throw new ProctorError("SHUTTING_DOWN", "the hub is stopping\nask again in a moment");
    // The work goes on, and its steps can be listed.
    if (request.signal.aborted) return new Response(null, { status: CLIENT_LEFT });
    throw error;
  } finally {
    waiting.release();
  }
}

/** Warns of fields of the request that an agent did not get. No agent gets a name for its step. */
function unheard(run: Run, heard: Heard, asked: AskedStep): string[] {
  const brought = heard.kind === "unused" ? broughtBy(asked) : asked.name === undefined ? [] : ["name"];
  const why = heard.kind === "unused" ? heard.why : `${run.agent} names its steps itself`;
  return notUsed(brought, why);
}

/** Warns of fields of the request that are not used in a step of the client's own. */
function unused(step: Step, asked: AskedStep): string[] {
  const isOurs = step.owner === "client" && (asked.input === null || step.input === asked.input);
  return isOurs ? [] : notUsed(broughtBy(asked), "the task has ended");
}

function broughtBy({ input, name, additionalInput }: AskedStep): string[] {
  return [
    ...(input === null ? [] : ["input"]),
    ...(name === undefined ? [] : ["name"]),
    ...(Object.keys(additionalInput).length === 0 ? [] : ["additional_input"]),
  ];
}

function notUsed(brought: readonly string[], why: string): string[] {
  return brought.length === 0 ? [] : [`${brought.join(" and ")} of the step is not used: ${why}`];
}

const DEFAULT_WAIT_SECONDS = 30;

/** Returns how long the client waits, in milliseconds. Throws INVALID_REQUEST. */
function readWait(query: URLSearchParams): number {
  const wait = query.get("wait") ?? "true";
  if (wait === "true") return DEFAULT_WAIT_SECONDS * 1000;
  if (wait === "false") return 0;
  const seconds = /^\d{1,6}(?:\.\d{1,6})?$/.test(wait) ? Number(wait) : NaN;
  if (seconds <= MAX_WAIT_SECONDS) return seconds * 1000;
  throw wrongField("wait", `must be true, false, or seconds from 0 to ${MAX_WAIT_SECONDS}`);
}

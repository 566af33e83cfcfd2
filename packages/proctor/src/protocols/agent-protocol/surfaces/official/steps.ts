// Official steps: list, get, and "execute the next one".
import { ProctorError } from "../../../../core/errors.ts";
import { isClientRun, isTerminal, type Run } from "../../../../core/run.ts";
import { isOver, type Step } from "../../../../core/step.ts";
import { readBody } from "../shared/read-body.ts";
import { readPage } from "../shared/read-page.ts";
import { officialStep } from "./documents.ts";
import { lastStep, nextStep, type AskedStep } from "./next-step.ts";
import { mayBePending, pendingNumber, pendingStep } from "./pending-step.ts";
import { json, listPage, PAGE_NAMES } from "./respond.ts";
import type { Handler, Official } from "./context.ts";
import { readAdditional, wrongField } from "./tasks.ts";

/** What servers log for a client that did not wait; nobody receives it. */
const CLIENT_LEFT = 499;

export const listSteps: Handler = async ({ hub }, { task, query }) => {
  const page = readPage(query, PAGE_NAMES);
  const { run, steps } = await hub.steps(task);
  return listPage("steps", steps, page, (step) => officialStep(run, steps, step));
};

export const getStep: Handler = async ({ hub, counts }, { task, part }) => {
  const { run, steps } = await hub.steps(task);
  const number = pendingNumber(task, part);
  const step = number === undefined ? steps.find(({ id }) => id === part) : steps[number];
  const turn = counts.get(task);
  if (step !== undefined) {
    // Shown to a client before it was over, and now that it is: it has been given.
    if (turn?.early === true && step === steps[turn.given] && isOver(step.status))
      counts.give(task, turn.given);
    return json(officialStep(run, steps, step));
  }
  const isEnd = number === 0 && steps.length === 0 && isTerminal(run.status);
  if (number === undefined || !(isEnd || mayBePending(run, steps.length, number, turn)))
    throw new ProctorError("STEP_NOT_FOUND", `task ${task} has no step ${part}`);
  const shown = isTerminal(run.status) ? lastStep(run, steps) : { steps, step: pendingStep(run, number) };
  return json(officialStep(run, shown.steps, shown.step));
};

export const executeStep: Handler = async (official, { task, request, query }) => {
  const waitMs = readWait(query);
  const body = await readBody(request);
  const { input = null, name = null } = body;
  if (input !== null && typeof input !== "string") throw wrongField("input", "must be a text or null");
  if (name !== null && typeof name !== "string") throw wrongField("name", "must be a text");
  const asked = {
    task,
    waitMs,
    input: input === "" ? null : input,
    name: name === null || name === "" ? undefined : name,
    additionalInput: readAdditional(body) ?? {},
  };
  const waiting = waitFor(official, request.signal);
  try {
    const { run, steps, step } = await nextStep(official, asked, waiting.signal);
    const shown = officialStep(run, steps, step);
    const warnings = unused(run, step, asked);
    if (warnings.length === 0) return json(shown);
    return json({ ...shown, additional_output: { ...shown.additional_output, warnings } });
  } catch (error) {
    if (official.stopping.aborted)
      throw new ProctorError("SHUTTING_DOWN", "the hub is stopping\nask again in a moment");
    // The work goes on, and its steps can be listed.
    if (request.signal.aborted) return new Response(null, { status: CLIENT_LEFT });
    throw error;
  } finally {
    waiting.release();
  }
};

/** What the request brought and nobody uses is said, instead of vanishing. */
function unused(run: Run, step: Step, { input, name, additionalInput }: AskedStep): string[] {
  const brought = [
    ...(input === null ? [] : ["input"]),
    ...(name === undefined ? [] : ["name"]),
    ...(Object.keys(additionalInput).length === 0 ? [] : ["additional_input"]),
  ];
  if (brought.length === 0) return [];
  const what = brought.join(" and ");
  if (!isClientRun(run))
    return [`${what} of the step is not used: ${run.agent} works by itself once it has its task`];
  const isOurs = step.owner === "client" && (input === null || step.input === input);
  return isOurs ? [] : [`${what} of the step is not used: the task has ended`];
}

const DEFAULT_WAIT_SECONDS = 30;
export const MAX_WAIT_SECONDS = 600;

/** Milliseconds. */
function readWait(query: URLSearchParams): number {
  const wait = query.get("wait") ?? "true";
  if (wait === "true") return DEFAULT_WAIT_SECONDS * 1000;
  if (wait === "false") return 0;
  const seconds = /^\d{1,6}(?:\.\d{1,6})?$/.test(wait) ? Number(wait) : NaN;
  if (seconds <= MAX_WAIT_SECONDS) return seconds * 1000;
  throw wrongField("wait", `must be true, false, or seconds from 0 to ${MAX_WAIT_SECONDS}`);
}

/** Aborted when the client leaves or the hub stops. */
function waitFor({ stopping }: Official, client: AbortSignal): { signal: AbortSignal; release: () => void } {
  const waiting = new AbortController();
  const stop = (): void => waiting.abort();
  for (const signal of [stopping, client]) {
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
  }
  return {
    signal: waiting.signal,
    release() {
      for (const signal of [stopping, client]) signal.removeEventListener("abort", stop);
    },
  };
}

// Official steps: list, get, and "execute the next one".
import { ProctorError } from "../../../core/errors.ts";
import { isTerminal } from "../../../core/run.ts";
import { readBody } from "../shared/read-body.ts";
import { readPage } from "../shared/read-page.ts";
import { officialStep } from "./documents.ts";
import { lastStep, nextStep } from "./next-step.ts";
import { pendingNumber, pendingStep } from "./pending-step.ts";
import { json, listPage, PAGE_NAMES } from "./respond.ts";
import type { Handler, Official } from "./setting.ts";
import { readAdditional, wrongField } from "./tasks.ts";

/** What servers log for a client that did not wait; nobody receives it. */
const CLIENT_LEFT = 499;

export const listSteps: Handler = async ({ hub }, { task, query }) => {
  const page = readPage(query, PAGE_NAMES);
  const { run, steps } = await hub.steps(task);
  return listPage("steps", steps, page, (step) => officialStep(run, steps, step));
};

export const getStep: Handler = async ({ hub }, { task, part }) => {
  const { run, steps } = await hub.steps(task);
  const number = pendingNumber(task, part);
  const step = number === undefined ? steps.find(({ id }) => id === part) : steps[number];
  if (step !== undefined) return json(officialStep(run, steps, step));
  if (number === undefined) throw new ProctorError("STEP_NOT_FOUND", `task ${task} has no step ${part}`);
  const shown = isTerminal(run.status) ? lastStep(run, steps) : { steps, step: pendingStep(run, number) };
  return json(officialStep(run, shown.steps, shown.step));
};

export const executeStep: Handler = async (official, { task, request, query }) => {
  const wait = readWait(query);
  const body = await readBody(request);
  const { input = null, name = null } = body;
  if (input !== null && typeof input !== "string") throw wrongField("input", "must be a text or null");
  if (name !== null && typeof name !== "string") throw wrongField("name", "must be a text");
  const asked = {
    task,
    wait,
    input: input === "" ? null : input,
    name: name === null || name === "" ? undefined : name,
    additionalInput: readAdditional(body) ?? {},
  };
  const waiting = waitFor(official, request.signal);
  try {
    const { run, steps, step } = await nextStep(official, asked, waiting.signal);
    return json(officialStep(run, steps, step));
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

function readWait(query: URLSearchParams): boolean {
  const wait = query.get("wait") ?? "true";
  if (wait === "true" || wait === "false") return wait === "true";
  throw wrongField("wait", "must be true or false");
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

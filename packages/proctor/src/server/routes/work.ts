// Where workers without the database ask for work and say that they are alive.
import type { WorkDesk } from "../../core/ports/work-desk.ts";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import { readBody } from "../read-body.ts";
import { routesOf, type Route } from "../route.ts";
import { BeatAnswer, BeatBody, ClaimBody, GivenRuns, ListenAnswer, ListenBody } from "../schemas/work.ts";
import { workCaller, WORKER_HEADER } from "../work-caller.ts";
import { BODY_REFUSALS } from "./refusals.ts";

/** Bytes of a request's body, in which thousands of tickets have room. */
const BODY_LIMIT_BYTES = 8 * 1024 * 1024;

/** What all routes of workers have in common. */
export const WORK = { scope: "workers", unbound: true, tag: "Work" } as const;
export const REFUSALS = {
  400: "The body or a header is malformed.",
  403: "A ticket is not of this hub, of this token or of this worker.",
  409: "This hub carries out its runs itself.",
  ...BODY_REFUSALS,
};

export function workRoutes(desk: WorkDesk): Route[] {
  return routesOf({ ...WORK, headers: WORKER_HEADER }, [
    {
      id: "beatAsWorker",
      at: "POST /work/beat",
      summary: "Say that a worker is alive",
      description:
        "Every `beat_every_ms`, also without runs. The answer says which runs the worker has lost.",
      body: { schema: BeatBody, required: true },
      responses: { 200: { description: "What the hub knows of it.", schema: BeatAnswer }, ...REFUSALS },
      async handle(call) {
        const body = await readBody(call.request, BeatBody, BODY_LIMIT_BYTES);
        const { held, ...facts } = body;
        return jsonResponse(await desk.beat(workCaller(call), facts, held));
      },
    },
    {
      id: "leaveAsWorker",
      at: "POST /work/leave",
      summary: "Say that a worker has ended",
      responses: { 204: "It is no longer shown.", 400: REFUSALS[400], 409: REFUSALS[409] },
      async handle(call) {
        await desk.leave(workCaller(call));
        return emptyResponse(204);
      },
    },
    {
      id: "claimWork",
      at: "POST /work/claim",
      summary: "Get runs to carry out",
      description:
        "Runs that are due and that a worker with these labels may carry out, with `run.started` in their logs and their secrets opened. " +
        "Runs that need the database (goals, script tools, inboxes, capabilities) are never among them.",
      body: { schema: ClaimBody, required: true, example: { limit: 4, labels: ["gpu"] } },
      responses: { 200: { description: "The runs; none where none waits.", schema: GivenRuns }, ...REFUSALS },
      async handle(call) {
        const wish = await readBody(call.request, ClaimBody, BODY_LIMIT_BYTES);
        return jsonResponse(await desk.claim(workCaller(call), wish));
      },
    },
    {
      id: "listenForWork",
      at: "POST /work/listen",
      summary: "Wait for work and for news",
      description:
        "Answers when something waits, when others have written to one of the runs, or when the time is over.",
      body: { schema: ListenBody, required: true },
      responses: { 200: { description: "What there is.", schema: ListenAnswer }, ...REFUSALS },
      async handle(call) {
        const body = await readBody(call.request, ListenBody, BODY_LIMIT_BYTES);
        const { wait_ms: waitMs, ...wish } = body;
        const gone = new AbortController();
        call.outgoing?.once?.("close", () => gone.abort());
        return jsonResponse(await desk.listen(workCaller(call), { ...wish, waitMs }, gone.signal));
      },
    },
  ]);
}

// What a worker without the database writes to the runs that it has, and reads of them.
import type { WorkDesk } from "../../core/ports/work-desk.ts";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import { runParam } from "../call.ts";
import { readBody } from "../read-body.ts";
import { routesOf, type Route } from "../route.ts";
import {
  AppendAnswer,
  AppendBody,
  EventsAnswer,
  EventsBody,
  ReadAnswer,
  ReadBody,
  UsedUpAnswer,
} from "../schemas/work.ts";
import { TICKET_HEADERS, ticketHolder } from "../work-caller.ts";
import { REFUSALS, WORK } from "./work.ts";

/** Bytes of one batch of events, in which the largest single event has room. */
const APPEND_LIMIT_BYTES = 64 * 1024 * 1024;
const BODY_LIMIT_BYTES = 64 * 1024;

const LOST = "The worker has lost the run: it stops it, and writes nothing more.";
const RUN_REFUSALS = { ...REFUSALS, 409: LOST };
/** Refusals of routes without a body. */
const PLAIN_REFUSALS = { 400: REFUSALS[400], 403: REFUSALS[403], 409: LOST };

export function workRunRoutes(desk: WorkDesk): Route[] {
  return routesOf({ ...WORK, headers: TICKET_HEADERS }, [
    {
      id: "appendAsWorker",
      at: "POST /work/runs/{id}/events",
      summary: "Write to the log of a run",
      description:
        "All events or none, and only once: a request whose answer was lost is sent again as it was. `run.ended` gives the run back.",
      body: { schema: AppendBody, required: true },
      responses: { 200: { description: "They are on disk.", schema: AppendAnswer }, ...RUN_REFUSALS },
      async handle(call) {
        const who = ticketHolder(call);
        const { continuation, successor, receipts, ...rest } = await readBody(
          call.request,
          AppendBody,
          APPEND_LIMIT_BYTES,
        );
        const append = {
          ...rest,
          ...(receipts && { receipts }),
          ...(continuation !== undefined && { continuation }),
          ...(successor && { successor }),
        };
        return jsonResponse(await desk.append(who, runParam(call), append));
      },
    },
    {
      id: "releaseAsWorker",
      at: "POST /work/runs/{id}/release",
      summary: "Give a run back before anything was done with it",
      responses: { 204: "It waits for a worker again.", ...PLAIN_REFUSALS },
      async handle(call) {
        await desk.release(ticketHolder(call), runParam(call));
        return emptyResponse(204);
      },
    },
    {
      id: "readAsWorker",
      at: "POST /work/runs/{id}/read",
      summary: "Read a run that the worker has, or one that it goes on from",
      body: { schema: ReadBody, required: true },
      responses: { 200: { description: "The run.", schema: ReadAnswer }, ...RUN_REFUSALS },
      async handle(call) {
        const who = ticketHolder(call);
        const { of } = await readBody(call.request, ReadBody, BODY_LIMIT_BYTES);
        return jsonResponse(await desk.read(who, runParam(call), of));
      },
    },
    {
      id: "readEventsAsWorker",
      at: "POST /work/runs/{id}/log",
      summary: "Read the log of a run that the worker has, or of one that it goes on from",
      body: { schema: EventsBody, required: true, example: { after: -1, limit: 500 } },
      responses: { 200: { description: "Events in order.", schema: EventsAnswer }, ...RUN_REFUSALS },
      async handle(call) {
        const who = ticketHolder(call);
        const { of, ...page } = await readBody(call.request, EventsBody, BODY_LIMIT_BYTES);
        return jsonResponse(
          await desk.events(who, runParam(call), { ...page, ...(of !== undefined && { of }) }),
        );
      },
    },
    {
      id: "readBudgetAsWorker",
      at: "GET /work/runs/{id}/budget",
      summary: "Ask whether a run may spend more",
      description:
        "A run is held to its own limits by its worker; this is what the runs of its tree have used together.",
      responses: { 200: { description: "Why not, if not.", schema: UsedUpAnswer }, ...PLAIN_REFUSALS },
      handle: async (call) => jsonResponse(await desk.usedUp(ticketHolder(call), runParam(call))),
    },
  ]);
}

// Which worker asks, and with which ticket: the headers of every request below /work.
import { ProctorError } from "../core/errors.ts";
import type { TicketHolder, WorkCaller } from "../core/ports/work-desk.ts";
import type { Call } from "./call.ts";

/** Header that names the worker, for descriptions of routes. */
export const WORKER_HEADER = {
  "X-Proctor-Worker": "The worker: the name of its machine, a colon, its process id.",
};
export const TICKET_HEADERS = {
  ...WORKER_HEADER,
  "X-Proctor-Ticket": "The ticket of the run, as the hub gave it.",
};

const WORKER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}:[0-9]{1,10}$/;
const MAX_TICKET_CHARS = 4096;

/** Throws INVALID_REQUEST. */
export function workCaller({ request, caller }: Call): WorkCaller {
  const worker = request.headers.get("x-proctor-worker") ?? "";
  if (WORKER.test(worker)) return { caller, worker };
  throw new ProctorError(
    "INVALID_REQUEST",
    "the header X-Proctor-Worker names no worker: expected host:process",
  );
}

/** Throws INVALID_REQUEST. The desk decides whether the ticket is good. */
export function ticketHolder(call: Call): TicketHolder {
  const ticket = call.request.headers.get("x-proctor-ticket") ?? "";
  if (ticket !== "" && ticket.length <= MAX_TICKET_CHARS) return { ...workCaller(call), ticket };
  throw new ProctorError("INVALID_REQUEST", "the header X-Proctor-Ticket is missing: the ticket of the run");
}

// The bytes that a worker without the database stores for its runs, and those that they refer to.
import { ProctorError } from "../../core/errors.ts";
import type { WorkDesk } from "../../core/ports/work-desk.ts";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import { pathParam, runParam, type Call } from "../call.ts";
import { requestBytes } from "../request-bytes.ts";
import { routesOf, type Route } from "../route.ts";
import { Sha256, StoredBlob } from "../schemas/work.ts";
import { sendFile, TAKES_RANGES } from "../send-file.ts";
import { TICKET_HEADERS, ticketHolder } from "../work-caller.ts";
import { REFUSALS, WORK } from "./work.ts";

const LOST = "The worker has lost the run.";
const BLOB = "/work/runs/{id}/blobs/{sha256}";

export function workBlobRoutes(desk: WorkDesk, onFailure: (call: Call, cause: unknown) => void): Route[] {
  return routesOf({ ...WORK, headers: TICKET_HEADERS }, [
    {
      id: "putBlobAsWorker",
      at: `PUT ${BLOB}`,
      params: { sha256: Sha256 },
      summary: "Store bytes of a run",
      description: "The body is what has this sha256, within the limits for artifacts of a run.",
      takesFile: true,
      responses: {
        200: { description: "They are on disk.", schema: StoredBlob },
        400: "The bytes have another hash, or were cut off; nothing of them is kept.",
        403: REFUSALS[403],
        409: LOST,
        413: "The run may not store so much; nothing of it is kept.",
      },
      async handle(call) {
        const sha256 = hashParam(call);
        const { sizeBytes, receipt } = await desk.putBlob(
          ticketHolder(call),
          runParam(call),
          sha256,
          requestBytes(call.request),
        );
        return jsonResponse({ sha256, size_bytes: sizeBytes, receipt });
      },
    },
    {
      id: "readBlobAsWorker",
      at: `GET ${BLOB}`,
      params: { sha256: Sha256 },
      summary: "Read bytes that a run refers to",
      headers: { ...TICKET_HEADERS, ...TAKES_RANGES },
      responses: {
        200: { description: "The bytes.", content: ["application/octet-stream"] },
        206: { description: "The range of bytes.", content: ["application/octet-stream"] },
        400: REFUSALS[400],
        403: REFUSALS[403],
        404: "The run does not refer to them.",
        409: LOST,
      },
      async handle(call) {
        const sha256 = hashParam(call);
        const { sizeBytes, open } = await desk.readBlob(ticketHolder(call), runParam(call), sha256);
        const file = { name: sha256, type: "application/octet-stream", sizeBytes, etag: `"${sha256}"` };
        return sendFile(call, file, open, onFailure);
      },
    },
    {
      id: "settleBlobsAsWorker",
      at: "POST /work/runs/{id}/settle",
      summary: "Say that all records of a run's bytes are written",
      description: "Bytes that the worker stored for the run and that no record refers to are removed.",
      responses: {
        204: "They are gone.",
        400: REFUSALS[400],
        403: REFUSALS[403],
        409: LOST,
      },
      async handle(call) {
        await desk.settle(ticketHolder(call), runParam(call));
        return emptyResponse(204);
      },
    },
  ]);
}

/** Throws INVALID_REQUEST. */
function hashParam(call: Call): string {
  const checked = Sha256.safeParse(pathParam(call, "sha256"));
  if (checked.success) return checked.data;
  throw new ProctorError("INVALID_REQUEST", "the path names no sha256 in lower-case hex");
}

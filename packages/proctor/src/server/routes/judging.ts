// What checks need of an ended run besides its log: the directory it worked in, a verifier over its terminal's files, and the release of both.
import { ProctorError } from "../../core/errors.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Verification } from "../../core/ports/verify.ts";
import { requireEnded } from "../../core/require-ended.ts";
import { bodyStream } from "../../runtime/http/body-stream.ts";
import { emptyResponse } from "../../runtime/http/respond.ts";
import { watchPromise } from "../../runtime/time/watch-promise.ts";
import { runParam, type Call } from "../call.ts";
import { readBody } from "../read-body.ts";
import { routesOf, type Route } from "../route.ts";
import { ErrorDocument } from "../schemas/common.ts";
import { VerifyAnswer, VerifyBody } from "../schemas/judging.ts";

/** Milliseconds between two pieces of white space: less than any client waits for the next byte. */
const KEEP_ALIVE_MS = 15_000;
const NOT_FOUND = { description: "There is no such run.", schema: ErrorDocument };
const NOT_ENDED = { description: "The run has not ended.", schema: ErrorDocument };

export function judgingRoutes(
  bodyLimitBytes: number,
  onFailure: (call: Call, cause: unknown) => void,
): Route[] {
  const cut = (call: Call) => (cause: unknown) => {
    onFailure(call, cause);
    call.outgoing?.destroy();
    return call.outgoing !== undefined;
  };
  return routesOf({ tag: "Runs" }, [
    {
      id: "downloadRunWorkspace",
      at: "GET /runs/{id}/workspace",
      scope: "runs:read",
      summary: "Download the directory that a run worked in",
      description: "Where the run was made with `workspace.keep` or `workspace.hold`, and has ended.",
      responses: {
        200: { description: "A tar archive.", content: ["application/octet-stream"] },
        404: { description: "There is no such run, or its directory is gone.", schema: ErrorDocument },
        409: NOT_ENDED,
        413: {
          description: "It is larger than 1 GiB or has more than 100,000 entries.",
          schema: ErrorDocument,
        },
      },
      async handle(call) {
        const id = runParam(call);
        const headers = {
          "content-type": "application/octet-stream",
          "content-disposition": `attachment; filename="workspace.tar"`,
          "x-content-type-options": "nosniff",
        };
        const archive = await call.hub.packWorkspace(id);
        return new Response(bodyStream(archive, { onFailure: cut(call) }), { headers });
      },
    },
    {
      id: "verifyRun",
      at: "POST /runs/{id}/verify",
      scope: "programs",
      summary: "Judge a terminal run with tests",
      description: "The tests run in an environment of their own, over the files that the run left.",
      body: { schema: VerifyBody, required: true },
      responses: {
        200: { description: "What the tests said, or why they could not run.", schema: VerifyAnswer },
        400: { description: "The body is malformed.", schema: ErrorDocument },
        404: NOT_FOUND,
        409: NOT_ENDED,
      },
      async handle(call) {
        const { request } = call;
        const runId = runParam(call);
        const body = await readBody(request, VerifyBody, bodyLimitBytes);
        const { timeout_ms: timeoutMs, ...rest } = body;
        // A run that cannot be judged is refused before the answer begins.
        requireEnded(await call.hub.run(runId));
        const gone = new AbortController();
        const done = call.hub.verify({ ...rest, runId, timeoutMs }, gone.signal);
        const stream = bodyStream(slowAnswer(done), {
          onClose: () => gone.abort(new Error("the client went away")),
          onFailure: cut(call),
        });
        return new Response(stream, { headers: { "content-type": "application/json" } });
      },
    },
    {
      id: "releaseRun",
      at: "POST /runs/{id}/release",
      scope: "runs:write",
      summary: "Remove what was held of a run for its checks",
      description:
        "Its directory, unless it is to be kept, and its terminal. Releasing a run again changes nothing.",
      responses: { 204: "Nothing is held any more.", 404: NOT_FOUND, 409: NOT_ENDED },
      async handle(call) {
        await call.hub.release(runParam(call));
        return emptyResponse(204);
      },
    },
  ]);
}

/** Yields white space while there is no answer yet, then the answer. */
async function* slowAnswer(done: Promise<Verification>): AsyncGenerator<Uint8Array> {
  const answer = done.then(encodeVerification, encodeProblem);
  const settlesWithin = watchPromise(answer);
  while (!(await settlesWithin(KEEP_ALIVE_MS))) yield Buffer.from("\n");
  yield Buffer.from(await answer);
}

function encodeVerification(done: Verification): string {
  const { rewards, timedOut, exitCode, setupMs, durationMs, files, ...rest } = done;
  const contents = Object.entries(files).map(([name, bytes]) => [
    name,
    Buffer.from(bytes).toString("base64"),
  ]);
  const verification = {
    ...rest,
    ...(rewards !== null && { rewards }),
    timed_out: timedOut,
    exit_code: exitCode,
    setup_ms: setupMs,
    duration_ms: durationMs,
    files: Object.fromEntries(contents),
  };
  return JSON.stringify({ verification });
}

function encodeProblem(error: unknown): string {
  const code = ProctorError.is(error) ? error.code : "INTERNAL_ERROR";
  return JSON.stringify({ problem: { code, message: messageOf(error) } });
}

// Judging at a hub elsewhere. It may take longer than any proxy or client waits in silence, so the hub sends white space until it
// has the answer; what went wrong is in the answer, too.
import { isErrorCode, ProctorError } from "../core/errors.ts";
import type { Verification, VerifyRequest } from "../core/ports/verify.ts";
import { unreachable, type HttpClient } from "./http-client.ts";

/** The hub's answer, as `server/schemas/judging.ts` describes it. */
interface Answer {
  verification?: Pick<Verification, "reason" | "output" | "notes" | "restored"> & {
    rewards?: Record<string, number>;
    timed_out: boolean;
    exit_code: number;
    setup_ms: number;
    duration_ms: number;
    /** Contents of files in base64, by name. */
    files: Record<string, string>;
  };
  problem?: { code: string; message: string };
}

export async function verifyOverHttp(
  client: HttpClient,
  path: string,
  { timeoutMs, ...request }: Omit<VerifyRequest, "runId">,
  signal: AbortSignal,
): Promise<Verification> {
  const body = { ...request, timeout_ms: timeoutMs };
  const { verification, problem } = await client.sendJson<Answer>(path, { method: "POST", body, signal });
  if (problem !== undefined) {
    const { code, message } = problem;
    throw isErrorCode(code) ? new ProctorError(code, message) : new Error(message);
  }
  if (verification?.files === undefined) throw unreachable(path, new Error("it sent no verification"));
  const { rewards = null, timed_out, exit_code, setup_ms, duration_ms, files, ...rest } = verification;
  const contents = Object.entries(files).map(([name, text]) => [name, Buffer.from(text, "base64")] as const);
  return {
    ...rest,
    rewards,
    timedOut: timed_out,
    exitCode: exit_code,
    setupMs: setup_ms,
    durationMs: duration_ms,
    files: Object.fromEntries(contents),
  };
}

// Judging at a hub elsewhere. It may take longer than any proxy or client waits in silence, so the hub sends white space until it
// has the answer; what went wrong is in the answer, too.
import { isErrorCode, ProctorError } from "../core/errors.ts";
import type { Verification, VerifyRequest } from "../core/ports/verify.ts";
import { unreachable, type HttpClient } from "./http-client.ts";

/** The hub's answer, as `server/schemas/judging.ts` describes it. */
type Answer =
  | { verification: Omit<Verification, "files"> & { files: Record<string, string> } }
  | { problem: { code: string; message: string } };

export async function verifyOverHttp(
  client: HttpClient,
  path: string,
  { timeoutMs, ...request }: Omit<VerifyRequest, "runId">,
  signal: AbortSignal,
): Promise<Verification> {
  const body = { ...request, timeout_ms: timeoutMs };
  const answer = await client.sendJson<Answer>(path, { method: "POST", body, signal });
  if ("problem" in answer) {
    const { code, message } = answer.problem;
    throw isErrorCode(code) ? new ProctorError(code, message) : new Error(message);
  }
  const { files, ...rest } = answer.verification ?? {};
  if (files === undefined) throw unreachable(path, new Error("it sent no verification"));
  const decoded = Object.entries(files).map(([name, text]) => [name, Buffer.from(text, "base64")] as const);
  return { ...rest, files: Object.fromEntries(decoded) };
}

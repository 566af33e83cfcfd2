// Performs one operation of ACTS over one interface, in the JSON of A2A 1.0, and changes nothing of what comes back.
import type { Json, JsonObject } from "../../../core/json.ts";
import { readHttpError } from "../error-form.ts";
import { A2aError } from "../errors.ts";
import { transportError } from "../client/transport-failure.ts";
import { failure } from "../../../core/failure.ts";
import { jsonOf } from "../conform/raw-request.ts";
import type { Transcript } from "../conform/transcript.ts";
import type { Trial } from "../conform/trial.ts";
import { answerOf, type Answer } from "./answer.ts";
import type { Request } from "./operations.ts";
import type { StepContext } from "./step-context.ts";

export async function askOperation({ operation, params }: Request, context: StepContext): Promise<Answer> {
  const { trial, endpoint } = context;
  if (operation === "card") return askCard(context);
  if (operation === "stream" || operation === "subscribe")
    throw new Error("a stream is not asked for as one answer");
  const sent = operation === "extendedCard" ? undefined : params;
  const attempt = await trial.exchange<Json>(endpoint, (wire, call) =>
    wire.ask(operation, withTenant(sent, context), call),
  );
  return answerOf(attempt, endpoint);
}

/** Every request echoes the tenant of its interface (A2A 1.0, section 8.3.2). */
export function withTenant(
  params: JsonObject | undefined,
  { endpoint }: StepContext,
): JsonObject | undefined {
  const { tenant } = endpoint.interface;
  return tenant === undefined ? params : { ...params, tenant };
}

/** The public card is not an operation of a binding: it has an address of its own. */
async function askCard({ trial }: StepContext): Promise<Answer> {
  const { discovery } = await trial.found();
  const url = discovery.ok ? discovery.url : trial.settings.url;
  const headers = { accept: "application/json", "a2a-version": "1.0" };
  return rawAnswer(await trial.raw({ url, headers, as: trial.identity }), trial);
}

/** Returns the answer to a request as it was written; an error where its status says so. */
export function rawAnswer(transcript: Transcript, { timeoutMs }: Pick<Trial, "timeoutMs">): Answer {
  const { status, trouble } = transcript;
  const body = jsonOf(transcript);
  if (status === undefined) {
    const lost = transportError(failure("CONNECTION_LOST", trouble ?? "no answer came"));
    // A timer may fire a little early.
    return { error: lost, transcript, timedOut: transcript.durationMs >= timeoutMs * 0.99 };
  }
  const error = status >= 400 ? readHttpError(status, body) : undefined;
  return {
    body: body ?? transcript.received,
    ...(error instanceof A2aError && { error }),
    transcript,
    timedOut: false,
  };
}

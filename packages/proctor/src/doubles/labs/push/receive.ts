// From a delivery to its answer: what it tells, what it proves, how it stands to those before it, what the script answers; and a record of all that
// before the first byte goes out.
import { isUtf8 } from "node:buffer";
import { getPath } from "hono/utils/url";
import { ProctorError } from "../../../core/errors.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { PushAnswer, PushDelivery, PushScript } from "../../../core/push-script.ts";
import { whenAborted } from "../../../core/when-aborted.ts";
import { readBody } from "../../../runtime/http/read-body.ts";
import { emptyResponse } from "../../../runtime/http/respond.ts";
import { pause } from "../../../runtime/time/pause.ts";
import { jsonOrText } from "../../json-or-text.ts";
import { shownHeaders } from "../hide-proofs.ts";
import type { LabConnection } from "../listen-as-lab.ts";
import type { Turns } from "../take-turns.ts";
import { answerNames } from "./choose-answers.ts";
import { createDeliveryOrder } from "./delivery-order.ts";
import { readDelivery } from "./read-delivery.ts";
import { createVerifyDelivery } from "./verify-delivery.ts";

interface ReceiveOptions {
  script: PushScript;
  plan: Turns<PushAnswer, string>;
  clock: Clock;
  /** Called with every delivery; the delivery is answered once the promise resolves. */
  onDelivery: (delivery: PushDelivery) => Promise<void>;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const SENT_ON = 307;
const UNAUTHORIZED = 401;
const FIRST_REFUSAL = 300;

export function createReceive({
  script,
  plan,
  clock,
  onDelivery,
}: ReceiveOptions): (request: Request, connection: LabConnection) => Promise<Response> {
  const order = createDeliveryOrder();
  const verify = createVerifyDelivery(script.verify ?? {}, clock);
  const { status: good = 200, refuse_unverified: refuses = true } = script;
  let count = 0;

  return async (request, { signal, destroy }) => {
    const number = ++count;
    const { method, headers } = request;
    const path = getPath(request);
    const time = new Date(clock.now()).toISOString();
    let bytes: Uint8Array;
    try {
      bytes = await readBody(request, { limitBytes: MAX_BODY_BYTES });
    } catch (error) {
      if (!ProctorError.is(error)) throw error;
      return emptyResponse(error.status);
    }
    const text = isUtf8(bytes) ? Buffer.from(bytes).toString() : "";
    const body = jsonOrText(text);
    const { atMs, ...told } = readDelivery(body, headers);
    const standing = order.place({
      number,
      path,
      body: text,
      told: { ...told, ...(atMs !== undefined && { atMs }) },
    });
    const checks = await verify(headers, bytes);
    const isProven = checks === undefined || Object.values(checks).every((found) => found === "ok");
    const answers = plan.next(path);
    const faults = answers.flatMap(answerNames);
    const isCut = answers.some(({ cut, never }) => cut === true || never === true);
    const chosen =
      isProven || !refuses ? answerOf(answers, good) : { status: UNAUTHORIZED, headers: CHALLENGE };
    const status = isCut ? 0 : chosen.status;
    // This comes before any await, because a second attempt may arrive meanwhile.
    order.settle(number, status > 0 && status < FIRST_REFUSAL);
    try {
      await onDelivery({
        number,
        time,
        method,
        path,
        headers: shownHeaders(headers),
        body,
        ...told,
        status,
        ...(faults.length > 0 && { faults }),
        ...(checks && { checks }),
        ...standing,
      });
    } catch {
      // A delivery that cannot be recorded must not be acknowledged.
      return emptyResponse(503);
    }
    for (const { delay_ms: delay } of answers) {
      if (delay !== undefined) await pause(clock, delay, signal).catch(() => undefined);
    }
    if (answers.some(({ never }) => never === true)) await whenAborted(signal);
    if (isCut) destroy();
    return emptyResponse(chosen.status, chosen.headers);
  };
}

const CHALLENGE = { "www-authenticate": 'Bearer realm="proctor"' };

function answerOf(
  answers: readonly PushAnswer[],
  good: number,
): { status: number; headers: Record<string, string> } {
  const redirect = answers.find((answer) => answer.redirect !== undefined)?.redirect;
  if (redirect !== undefined) return { status: SENT_ON, headers: { location: redirect } };
  const { status = good, retry_after: wait } = answers.find((answer) => answer.status !== undefined) ?? {};
  return { status, headers: wait === undefined ? {} : { "retry-after": String(wait) } };
}

// Tests of ACTS that ask for something else than A2A does. They are shown, and fail nothing. Where a test was corrected under the same id, only its older
// form is disputed.
import { isJsonObject } from "../../../core/json.ts";
import type { ActsTest } from "./schema.ts";
import type { StepOf } from "./step-schema.ts";

interface Dispute {
  reason: string;
  /** Matches the steps of the disputed form; any form when absent. */
  form?: RegExp;
}

const NOT_PUSH =
  "section 3.3.4 of A2A has PushNotificationNotSupportedError (-32003) for this, and not UnsupportedOperationError";
const PART_SHAPE = (field: string): string =>
  `a part of A2A 1.0 has no ${field}: section 4.1.6 has raw or url beside filename and mediaType`;
const NO_MESSAGE_ID = "section 4.1.4 of A2A requires a messageId, which the message of this test lacks";
const NO_RFC_7807 = "section 11.6 of A2A has google.rpc.Status for errors, and not problem details";

const DISPUTED: Readonly<Record<string, Dispute>> = {
  "CORE-CAP-001": { reason: NOT_PUSH, form: /"UnsupportedOperationError"/ },
  "PUSH-CFG-004": { reason: NOT_PUSH, form: /"UnsupportedOperationError"/ },
  "JSONRPC-ERR-003": { reason: "1.0.1 of A2A recommends the ErrorInfo (section 9.5); 1.0.0 required it" },
  "DM-ART-003": { reason: PART_SHAPE("file"), form: /"file":/ },
  "DM-ART-004": { reason: PART_SHAPE("fileUrl"), form: /"fileUrl":/ },
  "CARD-DISC-002": { reason: "section 5.8 of A2A calls the binding HTTP+JSON, and not REST", form: /"REST"/ },
  "CORE-SEND-004": {
    reason: "section 4.1.6 of A2A says the type of a part with mediaType; metadata says nothing to an agent",
    form: /"metadata":\{"contentType"/,
  },
  "CORE-HIST-005": {
    reason:
      "section 3.7 of A2A leaves it to the agent which messages a history keeps, so that the third may be its own",
    form: /"history\[2\]/,
  },
  "DM-FMT-003": {
    reason: "section 3.4.1 of A2A has an agent that makes a contextId put it into its answer",
    form: /"contextId":\{"absent"/,
  },
  "SEC-AUTH-006": {
    reason:
      "the test allows the status 200 for the card, and wants an error in its body, where section 4.4.1 of A2A has none",
    form: /agent-card\.json/,
  },
  "REST-PD-001": { reason: NO_RFC_7807, form: /"title":/ },
  "VER-NEG-002": {
    reason:
      "section 3.6.2 of A2A takes a request without A2A-Version for one of 0.3, which has no SendMessage",
    form: /"result":/,
  },
  "CORE-CTX-001": {
    reason: "section 3.4.1 of A2A leaves it to the agent whether it takes a context of the client's",
    form: /"expect_error":/,
  },
};

/** Returns why a test is disputed; undefined where it is not. */
export function disputeOf(test: ActsTest): string | undefined {
  const dispute = Object.hasOwn(DISPUTED, test.id) ? DISPUTED[test.id] : undefined;
  const isMeant = dispute?.form?.test(JSON.stringify(test.steps)) ?? true;
  return isMeant ? (dispute?.reason ?? withoutMessageId(test)) : undefined;
}

/** A message that is sent as it is written has to be a valid message, where the test expects a result of it. */
function withoutMessageId({ steps }: ActsTest): string | undefined {
  const lacks = steps.some((step) => {
    if (step.kind !== "raw" || !isAnswered(step)) return false;
    const body = isJsonObject(step.raw.body) ? step.raw.body : {};
    const { message } = isJsonObject(body["params"]) ? body["params"] : body;
    return isJsonObject(message) && message["messageId"] === undefined;
  });
  return lacks ? NO_MESSAGE_ID : undefined;
}

function isAnswered({ expect, expect_stream: stream }: StepOf<"raw">): boolean {
  return stream !== undefined || expect?.body?.["result"] !== undefined;
}

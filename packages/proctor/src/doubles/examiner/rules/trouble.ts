// Rules about agents that are in trouble: errors, wrong answers, and when to try again.
import { assume, demand } from "../../../conformance/demand.ts";
import type { CapturedRequest } from "../../scripted/captured-requests.ts";
import { assumeMessage, demandGivingUp, type ClientRule } from "../client-rule.ts";
import { completed, faultsOf, turnOf, working } from "../scenario.ts";
import { endOf, messageIn, messagesTo, operations, type Seen } from "../seen.ts";

const TEXT = "The heron is back.";
const turn = turnOf(working, completed(TEXT));
/** Milliseconds that are allowed for the clocks of two processes and the way in between. */
const CLOCK_MS = 50;
const MEGABYTES = 64;

export const TROUBLE_RULES: readonly ClientRule[] = [
  {
    id: "a2a.client.error.reported",
    section: "3.3.2",
    level: "must",
    title: "does not take an error for an answer",
    advice: "Tell the user what the agent's error says, and end with another exit code than 0.",
    scenario: { turn: { events: [], error: { reason: "INVALID_PARAMS", message: "the pond is closed" } } },
    judge(seen) {
      assumeMessage(seen);
      demandGivingUp(seen);
    },
  },
  {
    id: "a2a.client.error.repeated",
    level: "should",
    title: "does not repeat a request that the agent called wrong",
    advice: "Repeat only what failed on the way, or with a status that asks for it (429, 502, 503, 504).",
    scenario: { turn: { events: [], error: { reason: "INVALID_PARAMS", message: "the pond is closed" } } },
    judge(seen) {
      assumeMessage(seen);
      const count = messagesTo(seen.requests).length;
      demand(count === 1, `the message was sent ${count} times, though it was refused as wrong`);
    },
  },
  {
    id: "a2a.client.answer.corrupt",
    section: "9.3",
    level: "must",
    title: "gives up on an answer that is no JSON",
    advice: "Catch what the parser throws, say that the agent's answer is malformed, and end.",
    scenario: { turn, faults: faultsOf("corrupt:1") },
    judge(seen) {
      assumeMessage(seen);
      demandGivingUp(seen);
    },
  },
  {
    id: "a2a.client.answer.id",
    section: "9.3",
    level: "must",
    title: "does not take an answer to another request for its own",
    advice: "Compare the `id` of a JSON-RPC answer with that of the request.",
    scenario: { turn, faults: faultsOf("wrong-id:1", "wrong-id:2", "wrong-id:3") },
    judge(seen) {
      assumeMessage(seen);
      const isRpc = messagesTo(seen.requests).some(({ binding }) => binding === "JSONRPC");
      assume(isRpc, "the client does not speak JSON-RPC");
      const isTaken = seen.ended.code === 0 && seen.ended.stdout.includes(TEXT);
      demand(!isTaken, "the client took an answer with another id");
    },
  },
  {
    id: "a2a.client.retry.after",
    level: "should",
    title: "waits as long as the agent asks it to before it tries again",
    advice: "Wait for the seconds of `Retry-After` before the request is repeated.",
    scenario: { turn, faults: faultsOf("status:503:2*1") },
    judge(seen) {
      const [first, second] = repeated(seen);
      const waited = Date.parse(second.time) - Date.parse(first.time);
      const shown = { expected: "after 2 s", got: `after ${waited} ms` };
      demand(waited >= 2000 - CLOCK_MS, "the client tried again too early", shown);
    },
  },
  {
    id: "a2a.client.retry.same",
    level: "should",
    title: "repeats a message under its id",
    advice:
      "Keep the `messageId` when a message is sent again, so that the agent can tell that it has it already.",
    scenario: { turn, faults: faultsOf("status:503:0*1") },
    judge(seen) {
      const ids = repeated(seen).map(({ body }) => messageIn(body)?.["messageId"]);
      const isSame = new Set(ids).size === 1;
      demand(isSame, "the message has another id when it is repeated", { got: JSON.stringify(ids) });
    },
  },
  {
    id: "a2a.client.size",
    level: "should",
    title: "survives an answer that is far too large",
    advice: "Limit how many bytes of an answer are read, and say so when there are more.",
    scenario: { turn, faults: faultsOf(`giant:1:${MEGABYTES * 1024 * 1024}`) },
    judge(seen) {
      assumeMessage(seen);
      const { code, timedOut } = seen.ended;
      const what = timedOut ? endOf(seen) : `was ended by signal ${code - 128}`;
      demand(!timedOut && code < 128, `an answer had ${MEGABYTES} MB, and the client ${what}`);
    },
  },
  {
    id: "a2a.client.cancel",
    level: "should",
    title: "cancels its task when its user interrupts it",
    advice:
      "Send CancelTask for what is under way when the client is interrupted; otherwise the agent works for nobody.",
    scenario: { turn: { ...turnOf(working), staysOpen: true }, interrupt: true },
    judge(seen) {
      assumeMessage(seen);
      const isCancelled = operations(seen.requests).some(({ operation }) => operation === "cancelTask");
      demand(isCancelled, `the client was interrupted, ${endOf(seen)}, and its task goes on`);
    },
  },
];

/** Returns the first two messages. A client that does not try again gives no occasion for rules about it. */
function repeated(seen: Seen): [CapturedRequest, CapturedRequest, ...CapturedRequest[]] {
  const [first, second, ...more] = messagesTo(seen.requests);
  const isRepeated = first !== undefined && second !== undefined;
  assume(isRepeated, `the client ${endOf(seen)}, and did not try again`);
  return [first, second, ...more];
}

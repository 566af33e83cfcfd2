// Rules about what a client says, and what it makes of plain answers.
import { demand } from "../../../conformance/demand.ts";
import { isJsonObject } from "../../../core/json.ts";
import { assumeMessage, demandGivingUp, demandPrinted, type ClientRule } from "../client-rule.ts";
import { artifact, completed, ended, turnOf, working } from "../scenario.ts";
import { messageIn, messagesTo } from "../seen.ts";

const turn = turnOf(working, completed("Two herons."));
const QUESTION = "Which of the two ponds?";

export const MESSAGE_RULES: readonly ClientRule[] = [
  {
    id: "a2a.client.message.form",
    section: "4.1.4",
    level: "must",
    title: "sends messages with an id, the user's role and parts",
    advice: "A message needs `messageId`, `role` and at least one entry in `parts`.",
    scenario: { turn },
    judge(seen) {
      assumeMessage(seen);
      const [first] = messagesTo(seen.requests);
      const message = messageIn(first?.body ?? null) ?? {};
      const { messageId, role, parts } = message;
      const isWhole =
        typeof messageId === "string" &&
        messageId !== "" &&
        (role === "ROLE_USER" || role === "user") &&
        Array.isArray(parts) &&
        parts.some((part) => isJsonObject(part) && typeof part["text"] === "string");
      demand(isWhole, "the message is not whole", {
        expected: "messageId, role ROLE_USER, a text part",
        got: JSON.stringify(message).slice(0, 400),
      });
    },
  },
  {
    id: "a2a.client.message.id",
    section: "4.1.4",
    level: "must",
    title: "gives every message an id of its own",
    advice:
      "Make a new `messageId` for each message, a UUID for example; agents take a second message with the same id for a repetition.",
    scenario: { turn, times: 2 },
    judge(seen, all) {
      assumeMessage(seen);
      const ids = all.map(({ requests }) => messageIn(messagesTo(requests)[0]?.body ?? null)?.["messageId"]);
      const areApart = new Set(ids).size === ids.length;
      demand(areApart, "two messages have the same id", { got: JSON.stringify(ids[0] ?? null) });
    },
  },
  {
    id: "a2a.client.answer.task",
    section: "3.1.1",
    level: "must",
    title: "takes a task for an answer",
    advice: "Print what the status message and the artifacts of a completed task say.",
    scenario: { turn: turnOf(working, artifact("Two herons."), completed("Two herons.")) },
    judge(seen) {
      assumeMessage(seen);
      demandPrinted(seen, "Two herons.");
    },
  },
  {
    id: "a2a.client.answer.message",
    section: "3.1.1",
    level: "must",
    title: "takes a message alone for an answer",
    advice: "An agent may answer with a message and make no task: show it.",
    scenario: {
      turn: turnOf({
        message: { messageId: "examiner-1", role: "ROLE_AGENT", parts: [{ text: "A lone heron." }] },
      }),
    },
    judge(seen) {
      assumeMessage(seen);
      demandPrinted(seen, "A lone heron.");
    },
  },
  {
    id: "a2a.client.answer.input",
    section: "3.4.3",
    level: "must",
    title: "does not take a question for the end of the task",
    advice:
      "A task in TASK_STATE_INPUT_REQUIRED waits for its client: show the question, and end with another exit code than 0.",
    scenario: { turn: turnOf(working, ended("TASK_STATE_INPUT_REQUIRED", QUESTION)) },
    judge(seen) {
      assumeMessage(seen);
      const { code, stdout, stderr, timedOut } = seen.ended;
      demand(!timedOut, "the client was still running at the time limit, though the agent waits for it");
      const isShown = `${stdout}\n${stderr}`.includes(QUESTION);
      const reason = "the client ended with 0, and did not show the agent's question";
      demand(code !== 0 || isShown, reason, { expected: QUESTION });
    },
  },
  {
    id: "a2a.client.answer.failed",
    section: "4.1.3",
    level: "must",
    title: "does not take a failed task for a success",
    advice:
      "Look at the state of the task: TASK_STATE_FAILED, TASK_STATE_REJECTED and TASK_STATE_CANCELED are no success.",
    scenario: { turn: turnOf(working, ended("TASK_STATE_FAILED", "The pond is dry.")) },
    judge(seen) {
      assumeMessage(seen);
      demandGivingUp(seen);
    },
  },
];

// Rules about what a client makes of things that only a later version, or another agent, knows.
import { assumeMessage, demandPrinted, type ClientRule } from "../client-rule.ts";
import { completed, faultsOf, inVersion1, turnOf, working } from "../scenario.ts";
import type { Seen } from "../seen.ts";

const TEXT = "Herons do not mind.";

export const UNKNOWN_RULES: readonly ClientRule[] = [
  {
    id: "a2a.client.unknown.field",
    section: "5.7",
    level: "should",
    title: "passes over fields that it does not know",
    advice: "Do not refuse documents with fields that the client does not know.",
    scenario: {
      turn: turnOf(working, {
        statusUpdate: {
          mood: "calm",
          status: {
            state: "TASK_STATE_COMPLETED",
            weather: { wind: 3 },
            message: {
              messageId: "examiner-2",
              role: "ROLE_AGENT",
              tone: "low",
              parts: [{ text: TEXT, ink: "blue" }],
            },
          },
        },
      }),
      card: (card) => ({
        ...card,
        favouriteBird: "heron",
        capabilities: { ...card.capabilities, flying: true },
      }),
    },
    judge: (seen) => demandPrinted(seen, TEXT),
  },
  {
    id: "a2a.client.unknown.state",
    level: "should",
    title: "goes on when a task comes into a state that it does not know",
    advice: "Treat an unknown state as one in which the task is not over.",
    scenario: {
      turn: turnOf(working, { statusUpdate: { status: { state: "TASK_STATE_WADING" } } }, completed(TEXT)),
    },
    judge: demandText,
  },
  {
    id: "a2a.client.unknown.part",
    section: "5.7",
    level: "should",
    title: "shows the parts that it knows beside one that it does not",
    advice: "Skip a part of an unknown kind, and show the others.",
    scenario: {
      turn: turnOf(working, {
        statusUpdate: {
          status: {
            state: "TASK_STATE_COMPLETED",
            message: {
              messageId: "examiner-3",
              role: "ROLE_AGENT",
              parts: [{ scent: "reed" }, { text: TEXT }],
            },
          },
        },
      }),
    },
    judge: demandText,
  },
  {
    id: "a2a.client.unknown.event",
    section: "5.7",
    level: "should",
    title: "passes over events of a stream that it does not know",
    advice: "Skip frames without `task`, `message`, `statusUpdate` and `artifactUpdate`.",
    scenario: {
      turn: turnOf(working, completed(TEXT)),
      faults: faultsOf("unknown:2"),
      card: inVersion1,
    },
    judge: demandText,
  },
];

function demandText(seen: Seen): void {
  assumeMessage(seen);
  demandPrinted(seen, TEXT);
}

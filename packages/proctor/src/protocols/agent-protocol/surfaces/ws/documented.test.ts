// docs/reference/agent-protocol-ws.md names what the code has.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TASK_EVENT_TYPES } from "../shared/task-events.ts";
import { MAX_FRAME_CHARS } from "./client-frame.ts";
import { DEFAULT_LIMITS, TOO_SLOW } from "./serve-socket.ts";

const FILE = new URL("../../../../../../../docs/reference/agent-protocol-ws.md", import.meta.url);
const text = readFileSync(FILE, "utf8");

function firstCells(heading: string): string[] {
  const [, table = ""] = text.split(`| ${heading} |`);
  return [...(table.split("\n\n")[0] ?? "").matchAll(/^\| `?([\w.]+)`? \|/gm)].map(([, cell = ""]) => cell);
}

describe("agent-protocol-ws.md", () => {
  it("has every event, and no other", () => {
    expect(new Set(firstCells("Event"))).toEqual(new Set(TASK_EVENT_TYPES));
  });

  it("has the limits as they are, and the close code of a slow reader", () => {
    const { maxMalformed, maxSubscriptions, maxWaitingChars } = DEFAULT_LIMITS;
    for (const limit of [MAX_FRAME_CHARS, maxMalformed, maxSubscriptions])
      expect(text).toMatch(new RegExp(`\\| ${limit}(?: characters)? \\|`));
    expect(text).toContain(`| ${maxWaitingChars.toLocaleString("en")} |`);
    expect(firstCells("Close code")).toEqual(["1001", "1003", "1008", "1009", "1011", String(TOO_SLOW)]);
  });
});

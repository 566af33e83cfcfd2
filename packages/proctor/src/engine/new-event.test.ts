import { describe, expect, it } from "vitest";
import type { EventDraft } from "../core/event.ts";
import { createRedactor } from "../core/redact.ts";
import { toNewEvent } from "./new-event.ts";

const secrets = ["completed", "status", "structured", "INTERNAL_ERROR", "stderr", "sk-live-123"];
const redactor = createRedactor(secrets.map((value, index) => ({ name: `V${index}`, value })));

describe("events on their way to the log", () => {
  it("keep the platform's own words, even when a secret reads the same", () => {
    const ended: EventDraft = {
      type: "run.ended",
      payload: { status: "completed", failure: { code: "INTERNAL_ERROR", message: "sk-live-123 status" } },
    };
    expect(clean(ended)).toEqual({
      status: "completed",
      failure: { code: "INTERNAL_ERROR", message: "[redacted:V5] [redacted:V1]" },
    });
    const artifact = {
      id: "1",
      type: "structured" as const,
      name: "completed",
      data: { status: 1 },
      extra: "sk-live-123",
    };
    expect(clean({ type: "artifact.added", payload: { artifact } })).toEqual({
      artifact: {
        id: "1",
        type: "structured",
        name: "[redacted:V0]",
        data: { "[redacted:V1]": 1 },
        extra: "[redacted:V5]",
      },
    });
    expect(clean({ type: "log", payload: { stream: "stderr", text: "stderr" } })).toEqual({
      stream: "stderr",
      text: "[redacted:V4]",
    });
  });

  it("hide secrets in everything an agent says, keys included", () => {
    const said: EventDraft = {
      type: "tool_call",
      payload: { tool: "x", status: "completed", "sk-live-123": true },
    };
    expect(JSON.stringify(clean(said))).not.toMatch(/sk-live-123|completed/);
  });

  it("hide secrets in the origin of a message", () => {
    const event = toNewEvent({ type: "progress", payload: {}, origin: { note: "sk-live-123" } }, redactor, 0);
    expect(event.draft.origin).toEqual({ note: "[redacted:V5]" });
  });

  it("leave out the beginning of a secret where text was cut off", () => {
    const cut: EventDraft = {
      type: "log",
      payload: { stream: "stdout", text: "key: sk-live", dropped_bytes: 99 },
    };
    expect(clean(cut)).toEqual({ stream: "stdout", text: "key: ", dropped_bytes: 99 });
  });

  it("have a text that agrees with their payload", () => {
    const event = toNewEvent({ type: "progress", payload: { message: "sk-live-123" } }, redactor, 0);
    expect(JSON.parse(event.payload)).toEqual(event.draft.payload);
  });
});

function clean(draft: EventDraft): unknown {
  return JSON.parse(toNewEvent(draft, redactor, 0).payload) as unknown;
}

import { describe, expect, it } from "vitest";
import type { RecordedMessage, Recording, RecordingEntry } from "../../core/recording.ts";
import { partOf } from "./steps.ts";

const recordingOf = (entries: RecordingEntry[], end?: Recording["end"]): Recording => ({
  header: {
    proctor_recording: 1,
    protocol: "atp",
    transport: "http",
    agent: "a",
    task: { description: "d" },
    recorded_at: "2026-01-02T03:04:05Z",
    run_id: "r",
  },
  entries,
  ...(end && { end }),
});
const received = (channel: string, text: string, more: Partial<RecordedMessage> = {}): RecordedMessage => ({
  at_ms: 0,
  direction: "received",
  channel,
  text,
  ...more,
});
const EVENT = '{"event_type":"progress"}';
const RESPONSE = '{"status":"completed"}';

describe("a recording as steps", () => {
  it("keeps what the agent said, by kind, with the time between", () => {
    const entries = [
      { ...received("stdin", "request"), direction: "sent" as const },
      received("stderr", EVENT),
      received("stderr", "{garbage", { at_ms: 30 }),
      received("stdout", RESPONSE, { at_ms: 50 }),
    ];
    expect(partOf(recordingOf(entries, { status: "completed", exit_code: 3 }))).toEqual({
      exitCode: 3,
      steps: [
        { kind: "say", role: "event", text: EVENT },
        { kind: "pass", ms: 30 },
        { kind: "say", role: "other", text: "{garbage" },
        { kind: "pass", ms: 20 },
        { kind: "say", role: "response", text: RESPONSE },
      ],
    });
  });

  it("keeps the answer of the path that existed", () => {
    const entries = [
      received("head", "{}", { status: 404, content_type: "text/plain" }),
      received("body", "none"),
      received("close", "", { name: "end" }),
      received("head", "{}", { status: 200, content_type: "application/json" }),
      received("body", RESPONSE),
    ];
    expect(partOf(recordingOf(entries))).toEqual({
      exitCode: 0,
      steps: [{ kind: "say", role: "response", text: RESPONSE }],
    });
  });

  it("keeps an answer that was no message as it was", () => {
    const entries = [
      received("head", "{}", { status: 503, content_type: "text/html" }),
      received("body", "<p>later</p>"),
    ];
    expect(partOf(recordingOf(entries)).answer).toEqual({
      status: 503,
      contentType: "text/html",
      body: "<p>later</p>",
    });
  });

  it.each<[string, Partial<RecordedMessage>]>([
    ["a broken connection", { name: "lost", id: "ECONNRESET" }],
    ["a socket that was cut", { name: "closed", status: 1006 }],
    ["a status of gRPC", { name: "said", status: 13 }],
  ])("is cut after %s", (_what, close) => {
    expect(partOf(recordingOf([received("close", "", close)])).steps).toEqual([{ kind: "cut" }]);
  });

  it.each<[string, Partial<RecordedMessage>]>([
    ["a stream that ended", { name: "end" }],
    ["a socket that was closed", { name: "closed", status: 1000 }],
  ])("is not cut after %s", (_what, close) => {
    expect(partOf(recordingOf([received("close", "", close)])).steps).toEqual([]);
  });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_FRAME_CHARS, readClientFrame } from "./client-frame.ts";

const read = (frame: unknown) => readClientFrame(JSON.stringify(frame));

describe("a client's frame on /ws", () => {
  it.each([
    [
      { type: "subscribe", agentId: "t" },
      { kind: "subscribe", task: "t", since: undefined },
    ],
    [
      { type: "subscribe", task_id: "t" },
      { kind: "subscribe", task: "t", since: undefined },
    ],
    [
      { type: "subscribe", agentId: "t", task_id: "t", since: 4 },
      { kind: "subscribe", task: "t", since: 4 },
    ],
    [
      { type: "subscribe", agentId: "t", since: -1 },
      { kind: "subscribe", task: "t", since: -1 },
    ],
    [
      { type: "subscribe", agentId: "t", since: null },
      { kind: "subscribe", task: "t", since: undefined },
    ],
    [
      { type: "subscribe", agentId: "*" },
      { kind: "subscribe", task: "*", since: undefined },
    ],
    [
      { type: "unsubscribe", agentId: "t" },
      { kind: "unsubscribe", task: "t" },
    ],
    [{ type: "ping", more: 1 }, { kind: "ping" }],
    [{ type: "pong" }, { kind: "pong" }],
  ])("%j is read", (frame, expected) => {
    expect(read(frame)).toEqual(expected);
  });

  it.each([
    ["[]", "an object"],
    ["null", "an object"],
    ["{", "not valid JSON"],
    ['{"type":"subscribe","agentId":"t","since":12345678901234567890}', "since is 12345678901234567890"],
    ['{"type":"shout"}', "subscribe, unsubscribe, ping, pong"],
    ['{"type":5}', "subscribe, unsubscribe, ping, pong"],
    ['{"agentId":"t"}', "subscribe, unsubscribe, ping, pong"],
    ['{"type":"subscribe"}', '"agentId" or "task_id"'],
    ['{"type":"subscribe","agentId":""}', '"agentId" is wrong'],
    ['{"type":"subscribe","agentId":7}', '"agentId" is wrong'],
    ['{"type":"subscribe","agentId":"a","task_id":"b"}', "two tasks"],
    ['{"type":"subscribe","agentId":"a","since":-2}', "from -1 on"],
    ['{"type":"subscribe","agentId":"a","since":1.5}', "from -1 on"],
    ['{"type":"subscribe","agentId":"a","since":"3"}', "from -1 on"],
    ['{"type":"subscribe","agentId":"*","since":3}', "within one task"],
    [JSON.stringify({ type: "ping", pad: "x".repeat(MAX_FRAME_CHARS) }), "at most"],
  ])("%s is refused with what is wrong", (text, message) => {
    const frame = readClientFrame(text.slice(0, MAX_FRAME_CHARS + 1));
    expect(frame).toMatchObject({
      kind: "malformed",
      message: expect.stringContaining(message === "an object" ? "JSON object" : message),
    });
  });

  it("never throws, and repeats nothing that was sent but a number that would be changed", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.anything().map((value) => JSON.stringify(value) ?? ""),
        ),
        (text) => {
          const frame = readClientFrame(text);
          const isText = text.length > 20 && !/^-?\d+$/.test(text);
          if (frame.kind === "malformed" && isText) expect(frame.message).not.toContain(text);
        },
      ),
    );
  });
});

import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { propertyRuns } from "../../test/support/property-runs.ts";
import type { EventDraft } from "../core/event.ts";
import { MAX_MESSAGE_CHARS } from "../core/message.ts";
import { createRedactor } from "../core/redact.ts";
import { createCanary } from "./canary.ts";
import { createStreamedMessages } from "./streamed-messages.ts";

const SECRET = "s3cret-välue";
const TEXT = `before ${SECRET} between ${Buffer.from(SECRET).toString("base64")} after 🙂`;

function setUp(options: { isFollowed?: boolean; canary?: ReturnType<typeof createCanary> } = {}) {
  const drafts: EventDraft[] = [];
  const clock = createManualClock();
  const secrets = [{ name: "KEY", value: SECRET }, ...(options.canary ? [options.canary.secret] : [])];
  const streamed = createStreamedMessages({
    record: (draft) => void drafts.push(draft),
    redactor: createRedactor(secrets),
    canary: options.canary,
    clock,
    isFollowed: () => options.isFollowed ?? false,
  });
  const texts = () =>
    drafts.flatMap((draft) => (draft.type === "message.extended" ? [draft.payload.text] : []));
  return { drafts, clock, streamed, texts };
}

describe("a message that comes in pieces", () => {
  it("has no secret in it and the hash of what was written, wherever it is cut", async () => {
    const whole = createRedactor([{ name: "KEY", value: SECRET }]).text(TEXT);
    for (let cut = 0; cut <= TEXT.length; cut++) {
      const { streamed, drafts, texts, clock } = setUp();
      for (const text of [TEXT.slice(0, cut), TEXT.slice(cut)]) {
        void streamed.add({ messageId: "m", part: 0, text, last: false });
        clock.advance(1000);
      }
      await streamed.end();
      expect(texts().join("")).toBe(whole);
      const sha256 = createHash("sha256").update(whole).digest("hex");
      expect(drafts.at(-1)).toEqual({
        type: "message.closed",
        payload: { id: "m", chars: whole.length, sha256, parts: [] },
      });
    }
  });

  it("is the same however it is cut and whenever it is written", () => {
    const whole = createRedactor([{ name: "KEY", value: SECRET }]).text(TEXT);
    const cuts = fc.array(fc.tuple(fc.nat(TEXT.length), fc.boolean()), { maxLength: 20 });
    fc.assert(
      fc.property(cuts, (places) => {
        const { streamed, texts, clock } = setUp();
        const sorted = places.toSorted(([a], [b]) => a - b);
        let from = 0;
        for (const [at, waits] of [...sorted, [TEXT.length, false] as const]) {
          void streamed.add({ messageId: "m", part: 0, text: TEXT.slice(from, at), last: false });
          from = at;
          if (waits) clock.advance(300);
        }
        void streamed.add({ messageId: "m", part: 0, text: "", last: true });
        expect(texts().join("")).toBe(whole);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it("waits longer for more where nobody reads it", () => {
    for (const [isFollowed, waitMs] of [
      [true, 25],
      [false, 250],
    ] as const) {
      const { streamed, texts, clock } = setUp({ isFollowed });
      void streamed.add({ messageId: "m", part: 0, text: "hello", last: false });
      clock.advance(waitMs - 1);
      expect(texts()).toEqual([]);
      clock.advance(1);
      expect(texts()).toEqual(["hello"]);
    }
  });

  it("is cut at its limit, which is said once", async () => {
    const { streamed, drafts, texts } = setUp();
    for (let count = 0; count < 3; count++) {
      void streamed.add({
        messageId: "m",
        part: 0,
        text: "x".repeat(MAX_MESSAGE_CHARS / 2 + 1),
        last: false,
      });
    }
    await streamed.end();
    expect(texts().join("")).toHaveLength(MAX_MESSAGE_CHARS);
    expect(drafts.filter(({ type }) => type === "violation")).toMatchObject([
      { payload: { rule: "message.too_large" } },
    ]);
  });

  it("shows the canary of a run to whoever looks for it, also in two pieces", () => {
    const canary = createCanary();
    const { streamed, texts } = setUp({ canary });
    const { value } = canary.secret;
    void streamed.add({ messageId: "m", part: 0, text: value.slice(0, 9), last: false });
    expect(canary.failure()).toBeUndefined();
    void streamed.add({ messageId: "m", part: 0, text: value.slice(9), last: true });
    expect(canary.failure()).toMatchObject({ code: "CANARY_LEAKED" });
    expect(texts().join("")).not.toContain(value);
  });

  it("keeps what might have begun a secret in the part where it was said", async () => {
    const { streamed, drafts } = setUp();
    void streamed.add({ messageId: "m", part: 0, text: "one s3c", last: false });
    void streamed.add({ messageId: "m", part: 1, text: "two", last: false });
    await streamed.end();
    const parts = drafts.flatMap((draft) => (draft.type === "message.extended" ? [draft.payload] : []));
    expect(parts).toEqual([
      { id: "m", part: 0, text: "one s3c" },
      { id: "m", part: 1, text: "two" },
    ]);
  });

  it("takes no more when it was ended", () => {
    const { streamed, drafts } = setUp();
    void streamed.add({ messageId: "m", part: 0, text: "a", last: true });
    void streamed.add({ messageId: "m", part: 0, text: "b", last: false });
    expect(drafts.at(-1)).toMatchObject({ type: "violation", payload: { rule: "message.ended" } });
  });
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENVELOPE_TYPES } from "../core/envelope.ts";
import { envelopeDraft } from "../runtime/schemas/envelope.ts";
import { plainDraft } from "./plain-draft.ts";

const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom("user:a", "", "a\nb", "\u007f", "x".repeat(100), "x".repeat(101), "x".repeat(200)),
  fc.constantFrom("x".repeat(201)),
);
const anything = fc.oneof(text, fc.integer(), fc.constantFrom(null, undefined, true, [], {}), fc.jsonValue());
const mostly = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 20, arbitrary: usual }, { weight: 1, arbitrary: fc.oneof(text, anything) });
const name = fc.stringMatching(/^[ -~]{1,12}$/);
const drafts = fc.record(
  {
    inReplyTo: mostly(name),
    trace: mostly(fc.record({ parentId: name, spanId: name, traceId: mostly(name) }, { requiredKeys: [] })),
    payload: mostly(fc.jsonValue()),
    to: mostly(name),
    type: mostly(fc.constantFrom(...ENVELOPE_TYPES)),
    action: mostly(name),
    id: mostly(name),
    from: mostly(name),
  },
  { requiredKeys: ["to", "type"] },
);

describe("A draft that is taken as plain", () => {
  it("is what the schema makes of it, field by field and in order", () => {
    let plain = 0;
    fc.assert(
      fc.property(mostly(drafts), (sent) => {
        const taken = plainDraft(sent);
        if (taken === undefined) return;
        plain += 1;
        const parsed = envelopeDraft.parse(sent);
        expect(taken).toEqual(parsed);
        expect(Object.keys(taken)).toEqual(Object.keys(parsed));
      }),
      { numRuns: 1000 },
    );
    expect(plain).toBeGreaterThan(100);
  });

  it("is the one that the guide teaches", () => {
    const sent = { to: "writer", type: "request", action: "execute", payload: { task: "Say hello" } };
    expect(plainDraft(sent)).toEqual(sent);
    expect(plainDraft({ ...sent, ttl: 1000 })).toBeUndefined();
    expect(plainDraft({ ...sent, to: "a\u0000b" })).toBeUndefined();
  });
});

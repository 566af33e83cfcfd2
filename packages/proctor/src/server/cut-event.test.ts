import { describe, expect, it } from "vitest";
import { cutEvent } from "./cut-event.ts";

const event = (payload: object) =>
  JSON.stringify({ run_id: "r", sequence: 7, timestamp: "t", type: "log", payload });

describe("An event of a brief page", () => {
  it("is left as it is when it is short", () => {
    const json = event({ text: "x".repeat(300) });
    expect(cutEvent(json, 100)).toBe(json);
  });

  it("has its long texts cut, and says so", () => {
    const cut = JSON.parse(cutEvent(event({ text: "x".repeat(5000), stream: "stdout" }), 100)) as unknown;
    expect(cut).toMatchObject({ sequence: 7, cut: true, payload: { stream: "stdout" } });
    expect(cut).toHaveProperty("payload.text", `${"x".repeat(100)}…`);
  });

  it("stays small, however many texts it had", () => {
    const many = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`field${index}`, "y".repeat(90)]),
    );
    for (const payload of [many, { many }, { list: Object.values(many) }, { deep: nested(500) }]) {
      expect(cutEvent(event(payload), 1000).length).toBeLessThan(1000 * 4 + 20_000);
      expect(JSON.parse(cutEvent(event(payload), 1000))).toMatchObject({
        sequence: 7,
        type: "log",
        cut: true,
      });
    }
  });
});

function nested(depth: number): object {
  return depth === 0 ? { text: "z".repeat(9000) } : { inner: nested(depth - 1) };
}

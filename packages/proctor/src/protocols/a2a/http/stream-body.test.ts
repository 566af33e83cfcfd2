import { describe, expect, it } from "vitest";
import { createFake, type Fake } from "../../../../test/support/a2a/fake-service.ts";
import { A2aError } from "../errors.ts";
import type { A2aCall, A2aStream, StreamFrame } from "../service.ts";

const frame = (text: string): StreamFrame => ({
  event: { message: { messageId: text, role: "ROLE_AGENT", parts: [{ text }] } },
  id: text,
});

/** A service whose streams the test writes. */
function streaming(write: (call: A2aCall) => A2aStream, options = {}): Fake {
  return createFake({ subscribe: (_, call) => Promise.resolve(write(call)) }, options);
}

const rpc = ({ post }: Fake, headers = {}) =>
  post(
    { jsonrpc: "2.0", id: "s", method: "SubscribeToTask", params: { id: "t1" } },
    { "a2a-version": "1.0", ...headers },
  );
const rest = ({ fetch }: Fake, version = "1.0") =>
  fetch(`${version === "0.3" ? "/v1" : ""}/tasks/t1:subscribe`, { headers: { "a2a-version": version } });

/** The frames of a body: their fields by name. */
async function framesOf(answer: Response): Promise<Record<string, string>[]> {
  const text = await answer.text();
  return text
    .split("\n\n")
    .filter((each) => each !== "")
    .map(
      (each) =>
        Object.fromEntries(each.split("\n").map((line) => line.split(/: (.*)/s))) as Record<string, string>,
    );
}

describe("the body of a stream", () => {
  it("has one frame for each event, with its id, and says when to come back", async () => {
    async function* two() {
      yield frame("a");
      yield { event: frame("b").event };
    }
    const answer = await rpc(streaming(two));
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const [retry, a, b] = await framesOf(answer);
    expect(retry).toEqual({ retry: "1000" });
    expect([a!["id"], JSON.parse(a!["data"]!)]).toMatchObject([
      "a",
      { jsonrpc: "2.0", id: "s", result: { message: { messageId: "a" } } },
    ]);
    expect(b).not.toHaveProperty("id");
    const [, bare] = await framesOf(await rest(streaming(two)));
    expect(JSON.parse(bare!["data"]!)).toMatchObject({ message: { messageId: "a" } });
  });

  it("ends with an error in the binding's form when the service fails in the midst of it", async () => {
    async function* breaking() {
      yield frame("a");
      throw new A2aError("TASK_NOT_FOUND", "gone");
    }
    const overRpc = (await framesOf(await rpc(streaming(breaking)))).at(-1)!;
    expect(JSON.parse(overRpc["data"]!)).toMatchObject({
      jsonrpc: "2.0",
      id: "s",
      error: { code: -32001, message: "gone" },
    });
    const overRest = (await framesOf(await rest(streaming(breaking)))).at(-1)!;
    expect(overRest["event"]).toBe("error");
    expect(JSON.parse(overRest["data"]!)).toMatchObject({
      error: { code: 404, details: [{ reason: "TASK_NOT_FOUND" }] },
    });
    const legacy = (await framesOf(await rest(streaming(breaking), "0.3"))).at(-1)!;
    expect(JSON.parse(legacy["data"]!)).toMatchObject({ code: -32001, message: "gone" });
  });

  it("tells nothing of a bug but its trace", async () => {
    async function* breaking(): AsyncGenerator<StreamFrame> {
      yield frame("a");
      throw new Error("hunter2");
    }
    const fake = streaming(breaking);
    const text = await (await rpc(fake)).text();
    expect(text).not.toContain("hunter2");
    expect(text).toContain("-32603");
    expect(fake.reported).toHaveLength(1);
  });

  it("reads the service only as fast as the client reads, and leaves it with the client", async () => {
    let made = 0;
    let left = false;
    let signal: AbortSignal | undefined;
    async function* endless(call: A2aCall) {
      ({ signal } = call);
      try {
        for (;;) yield frame(String(made++));
      } finally {
        left = true;
      }
    }
    const answer = await rpc(streaming(endless));
    const reader = answer.body!.getReader();
    await reader.read();
    await reader.read();
    expect(made).toBeLessThan(4);
    expect(signal?.aborted).toBe(false);
    await reader.cancel();
    expect(signal?.aborted).toBe(true);
    expect(left).toBe(true);
  });

  it("is kept alive while nothing happens, and ends when the server closes", async () => {
    async function* silent({ signal }: A2aCall): AsyncGenerator<StreamFrame> {
      yield frame("a");
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    }
    const fake = streaming(silent, { keepAliveMs: 1 });
    const answer = await rpc(fake);
    const reader = answer.body!.getReader();
    let text = "";
    while (!text.includes(": keep-alive")) text += Buffer.from((await reader.read()).value ?? []).toString();
    fake.server.close();
    while (!(await reader.read()).done);
    const late = await rpc(fake);
    expect((await framesOf(late)).filter((each) => "data" in each)).toEqual([]);
  });

  it("hands on where the client was", async () => {
    let seen: string | undefined;
    async function* one(call: A2aCall) {
      seen = call.lastEventId;
      yield frame("a");
    }
    await (await rpc(streaming(one), { "last-event-id": "run:7" })).text();
    expect(seen).toBe("run:7");
  });
});

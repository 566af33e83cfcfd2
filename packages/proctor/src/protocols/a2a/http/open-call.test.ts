import { describe, expect, it } from "vitest";
import { DerivedCall } from "../derived-call.ts";
import { openCall, type OpenCall } from "./open-call.ts";

const SPOKEN = { version: "1.0", binding: "JSONRPC" } as const;

function open(init: RequestInit = {}): OpenCall & { stopping: AbortController } {
  const stopping = new AbortController();
  const request = new Request("http://127.0.0.1:3001/a2a/writer", { method: "POST", ...init });
  const host = { traceId: "0".repeat(32), basePath: "/a2a/writer" };
  return { ...openCall(request, host, SPOKEN, stopping.signal), stopping };
}

describe("the signal of an A2A call", () => {
  it("is aborted when the call ends, whether or not anybody has looked at it before", () => {
    const [seen, unseen] = [open(), open()];
    const { signal } = seen.call;
    expect(signal.aborted).toBe(false);
    seen.end();
    unseen.end();
    expect([signal.aborted, unseen.call.signal.aborted]).toEqual([true, true]);
  });

  it("is aborted when the server stops or the client leaves, before or after it is looked at", () => {
    const late = open();
    const { signal } = late.call;
    late.stopping.abort();
    const early = open();
    early.stopping.abort();
    const client = new AbortController();
    const left = open({ signal: client.signal });
    expect(left.call.signal.aborted).toBe(false);
    client.abort();
    expect([signal, early.call.signal, left.call.signal].map(({ aborted }) => aborted)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("is not that of a call derived from it, which has the same headers and says nothing of where the client was", () => {
    const opened = open({ headers: { "x-test": "1", "last-event-id": "f-7" } });
    const own = new AbortController();
    const derived = new DerivedCall(opened.call, { signal: own.signal, version: "0.3" });
    opened.end();
    expect([opened.call.signal.aborted, derived.signal.aborted]).toEqual([true, false]);
    expect(derived.headers).toEqual(opened.call.headers);
    expect([opened.call.lastEventId, derived.lastEventId]).toEqual(["f-7", undefined]);
    expect([opened.call.version, derived.version]).toEqual(["1.0", "0.3"]);
  });
});

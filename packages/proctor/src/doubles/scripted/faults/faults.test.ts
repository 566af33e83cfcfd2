// Every fault as a client on the other end of a real socket meets it.
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import {
  directive,
  framesOf,
  message03,
  rpcRequest,
  send03,
  startAgent,
} from "../../../../test/support/doubles/scripted.ts";
import { createManualClock } from "../../../../test/support/manual-clock.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import type { JsonObject } from "../../../core/json.ts";
import { readFault } from "./fault.ts";
import { createFaultChooser } from "./choose-faults.ts";

const status = (state: string): JsonObject => ({ kind: "status-update", status: { state } });
const TURN = [status("submitted"), status("working"), status("completed")];
const WHOLE = ["submitted", "working", "completed"];

const streamParams = (): JsonObject => ({ message: message03({ text: directive([TURN], "faults") }) });

async function startWith(...specs: string[]): Promise<string> {
  const { url } = await startAgent({ faults: specs.map(readFault) });
  return url;
}

/** The text of a stream as far as it came, and whether it ended properly. */
async function readStream(url: string): Promise<{ text: string; ended: boolean }> {
  const response = await rpcRequest(url, "message/stream", streamParams());
  let text = "";
  try {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? [])
      text += decoder.decode(chunk as Uint8Array, { stream: true });
    return { text, ended: true };
  } catch {
    return { text, ended: false };
  }
}

const statesOf = (text: string): unknown[] =>
  framesOf(text).map(({ result }) => ((result as JsonObject)["status"] as JsonObject | undefined)?.["state"]);

describe("a fault of the answer", () => {
  it("is a status, with the time to wait, and the turn is not lost", async () => {
    const url = await startWith("status:503:7*1");
    const refused = await rpcRequest(url, "message/send", streamParams());
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "7"]);
    expect(await send03(url, { text: directive([TURN], "faults") })).toMatchObject({
      result: { status: { state: "completed" } },
    });
  });

  it("is a 401 once for each test case, with a challenge", async () => {
    const url = await startWith("unauthorized");
    for (const id of ["a", "b"]) {
      const send = (): Promise<Response> =>
        rpcRequest(url, "message/send", { message: message03({ text: directive([TURN], id) }) });
      const refused = await send();
      expect(refused.status).toBe(401);
      expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer/);
      expect((await send()).status).toBe(200);
    }
  });

  it("is another type than the one promised", async () => {
    const response = await rpcRequest(await startWith("type:text/html"), "message/stream", streamParams());
    expect(response.headers.get("content-type")).toBe("text/html");
    expect(statesOf(await response.text())).toEqual(WHOLE);
  });

  it("is a first byte that comes late, by the agent's clock", async () => {
    const clock = createManualClock();
    const { url } = await startAgent({ clock, faults: [readFault("slow:5000")] });
    let isAnswered = false;
    const answered = rpcRequest(url, "message/send", streamParams()).then((response) => {
      isAnswered = true;
      return response;
    });
    await eventually(() => expect(clock.waiting).toBe(1));
    expect(isAnswered).toBe(false);
    clock.advance(5000);
    expect((await answered).status).toBe(200);
  });
});

describe("a fault among the frames", () => {
  it.each([
    ["drop:2", ["submitted", "completed"]],
    ["duplicate:2", ["submitted", "working", "working", "completed"]],
    ["no-end", ["submitted", "working"]],
    ["unknown:2", ["submitted", undefined, "working", "completed"]],
  ])("%s changes what comes", async (spec, states) => {
    const { text, ended } = await readStream(await startWith(spec));
    expect([statesOf(text), ended]).toEqual([states, true]);
  });

  it("reorders frames without losing one, the same way for the same seed", async () => {
    const orders = [];
    for (const seed of [7, 7]) {
      const { url } = await startAgent({ seed, faults: [readFault("reorder")] });
      orders.push(statesOf((await readStream(url)).text));
    }
    expect(orders[0]).toEqual(orders[1]);
    expect(orders[0]).not.toEqual(WHOLE);
    expect(new Set(orders[0])).toEqual(new Set(WHOLE));
    expect(orders[0]).toHaveLength(WHOLE.length);
  });

  it("spoils JSON in a stream and in a plain answer", async () => {
    const { text } = await readStream(await startWith("corrupt:2"));
    const [, spoiled = "", last = ""] = text.split("\n").filter((line) => line.startsWith("data: "));
    expect(() => JSON.parse(spoiled.slice(6)) as unknown).toThrow();
    expect(() => JSON.parse(last.slice(6)) as unknown).not.toThrow();
    const answer = await rpcRequest(await startWith("corrupt:1"), "message/send", streamParams());
    await expect(answer.json()).rejects.toThrow();
  });

  it("puts something that is no JSON before a frame", async () => {
    const { text } = await readStream(await startWith("garbage:1"));
    expect(text).toMatch(/^data: \{garbage /m);
  });

  it("answers a request that nobody made", async () => {
    const { text } = await readStream(await startWith("wrong-id:3"));
    expect(framesOf(text).map(({ id }) => id)).toEqual([1, 1, "not 1"]);
  });

  it("pads a frame to a giant", async () => {
    const { text } = await readStream(await startWith("giant:2:3000000"));
    expect(text.length).toBeGreaterThan(3_000_000);
    expect(statesOf(text)).toEqual(WHOLE);
  });

  it("delays frames by the agent's clock", async () => {
    const clock = createManualClock();
    const { url } = await startAgent({ clock, faults: [readFault("delay:60000:3")] });
    const reading = readStream(url);
    await eventually(() => expect(clock.waiting).toBe(1));
    clock.advance(60_000);
    expect(statesOf((await reading).text)).toEqual(WHOLE);
  });
});

describe("a fault of the connection", () => {
  it.each([
    ["before the first frame", "cut:0", 0],
    ["after a frame", "cut:2", 2],
  ])("cuts it %s", async (_where, spec, frames) => {
    const { text, ended } = await readStream(await startWith(spec));
    expect(ended).toBe(false);
    expect(statesOf(text)).toEqual(WHOLE.slice(0, frames));
  });

  it("cuts it in the middle of a frame", async () => {
    const { text, ended } = await readStream(await startWith("tear:2"));
    expect(ended).toBe(false);
    const lines = text.split("\n").filter((line) => line.startsWith("data: "));
    expect(() => JSON.parse(lines.at(-1)?.slice(6) ?? "") as unknown).toThrow();
    expect(lines.length).toBe(2);
  });

  it("cuts a plain answer in its middle", async () => {
    const answer = await rpcRequest(await startWith("tear:1"), "message/send", streamParams());
    await expect(answer.text()).rejects.toThrow();
  });

  it("stalls it: what came stays, nothing more comes, and it stays open until the client leaves", async () => {
    const leave = new AbortController();
    const url = await startWith("stall:1");
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/stream", params: streamParams() }),
      signal: leave.signal,
    });
    const reader = response.body?.getReader();
    let text = "";
    while (!text.includes("data: ")) text += new TextDecoder().decode((await reader?.read())?.value);
    expect(statesOf(text)).toEqual(["submitted"]);
    leave.abort();
    await expect(reader?.read()).rejects.toThrow();
  });

  it("leaves it half open: another request on it gets no answer, and stopping the agent ends it", async () => {
    const agent = await startAgent({ faults: [readFault("half-open:1")] });
    const { port } = new URL(agent.url);
    const socket = connect(Number(port), "127.0.0.1");
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/stream", params: streamParams() });
    const head = `POST / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`;
    socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    let heard = "";
    socket.on("data", (chunk: Buffer) => (heard += chunk.toString()));
    await eventually(() => expect(heard).toContain("submitted"));
    socket.write("GET /.well-known/agent-card.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
    // Another connection is served meanwhile, so the silence is of this one alone.
    expect((await fetch(`${agent.url}/.well-known/agent-card.json`)).status).toBe(200);
    expect(heard).not.toContain("supportedInterfaces");
    const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
    socket.on("error", () => undefined);
    await agent.close();
    await closed;
  });
});

describe("the words of a fault", () => {
  it.each([
    ["status:503", { kind: "status", status: 503 }],
    ["status:429:30*2", { kind: "status", status: 429, retryAfterSeconds: 30, times: 2 }],
    ["unauthorized:3", { kind: "status", status: 401, times: 3 }],
    ["cut:2@12.5%", { kind: "cut", after: 2, chance: 0.125 }],
    ["drop:10%", { kind: "drop", probability: 0.1 }],
    ["half-open:0", { kind: "half-open", after: 0 }],
  ])("%s are understood", (spec, fault) => {
    expect(readFault(spec)).toEqual(fault);
  });

  it.each([
    "status",
    "status:200",
    "status:503:x",
    "unauthorized:0",
    "slow:-1",
    "type:html",
    "tear:0",
    "no-end:1",
    "giant:1:0",
    "cut:1*0",
    "cut:1@101%",
  ])("%s are refused, with the form they should have", (spec) => {
    expect(() => readFault(spec)).toThrow(/not complete or not valid\nwrite /);
  });

  it("that are misspelt are refused with a suggestion among all faults", () => {
    expect(() => readFault("half-opem:1")).toThrow('did you mean "half-open"?');
  });
});

describe("a schedule of faults", () => {
  const faults = [readFault("cut:1@50%"), readFault("drop:1@50%"), readFault("status:500@50%")];
  const schedule = (seed: number, cases: readonly string[]): Map<string, string> => {
    const chooser = createFaultChooser(seed);
    return new Map(
      cases.map((id) => [
        id,
        [0, 1, 2].map((turn) => chooser.choose(faults, id, turn).faults.map(({ kind }) => kind)).join(),
      ]),
    );
  };

  it("is the same for the same seed, in whatever order the test cases come", () => {
    const cases = Array.from({ length: 20 }, (_, index) => `case ${index}`);
    const once = schedule(3, cases);
    const again = schedule(3, [...cases].reverse());
    for (const id of cases) expect(again.get(id)).toBe(once.get(id));
    expect([...schedule(4, cases).values()]).not.toEqual([...once.values()]);
    expect(new Set(once.values()).size).toBeGreaterThan(5);
  });
});

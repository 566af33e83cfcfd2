// The control API of a scripted agent, as tests in other processes and languages use it.
import { describe, expect, it } from "vitest";
import { directive, send03, startAgent } from "../../../test/support/doubles/scripted.ts";
import { eventually } from "../../../test/support/eventually.ts";
import type { JsonObject } from "../../core/json.ts";

const says = (text: string): JsonObject => ({
  kind: "task",
  status: { state: "completed", message: { role: "agent", parts: [{ kind: "text", text }] } },
});

async function control(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; json: JsonObject }> {
  const response = await fetch(`${url}/__control${path}`, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    }),
  });
  const text = await response.text();
  return { status: response.status, json: text === "" ? {} : (JSON.parse(text) as JsonObject) };
}

describe("the control API of a scripted agent", () => {
  it("primes the next task, or those of a test case", async () => {
    const { url } = await startAgent();
    expect((await control(url, "POST", "/prime", { responses: [[says("first")]] })).status).toBe(204);
    await control(url, "POST", "/prime", { responses: [[says("second")]] });
    await control(url, "POST", "/prime", { responses: [[says("case")]], test_case_id: "c" });
    expect(JSON.stringify(await send03(url, { text: "a" }))).toContain("first");
    expect(JSON.stringify(await send03(url, { text: "[test_case_id=c]" }))).toContain("case");
    expect(JSON.stringify(await send03(url, { text: "b" }))).toContain("second");
    expect(await send03(url, { text: "c" })).toHaveProperty("error");
  });

  it("refuses turns that cannot be played, and says where", async () => {
    const { url } = await startAgent();
    const { status, json } = await control(url, "POST", "/prime", { responses: [[{ kind: "task" }]] });
    expect(status).toBe(400);
    expect(json["message"]).toMatch(/\[0\]\[0\] cannot be sent/);
  });

  it("lists captured requests, waits for them, and forgets them", async () => {
    const { url } = await startAgent();
    const waiting = control(url, "GET", "/requests/wait?count=2&test_case_id=w&timeout_ms=600000");
    await send03(url, { text: directive([[says("x")]], "other") });
    await send03(url, { text: directive([[says("x")]], "w") });
    await send03(url, { text: "[test_case_id=w]" });
    expect((await waiting).json["items"]).toHaveLength(2);
    expect((await control(url, "GET", "/requests")).json["items"]).toHaveLength(3);
    await control(url, "DELETE", "/requests?test_case_id=w");
    expect((await control(url, "GET", "/requests")).json["items"]).toHaveLength(1);
    await control(url, "DELETE", "/requests");
    expect((await control(url, "GET", "/requests")).json["items"]).toEqual([]);
    const late = await control(url, "GET", "/requests/wait?count=1&timeout_ms=0");
    expect([late.status, late.json["message"]]).toEqual([408, "0 of 1 requests came in time"]);
  });

  it("puts scripts before all others, replaces and removes them", async () => {
    const { url } = await startAgent();
    const script = (text: string): JsonObject => ({
      when: { regex: "^count (?<n>\\d+)" },
      turns: [[says(text)]],
    });
    expect((await control(url, "PUT", "/scripts/counter", script("{{n}} for {{messageId}}"))).status).toBe(
      204,
    );
    expect(JSON.stringify(await send03(url, { text: "count 7", messageId: "me" }))).toContain("7 for me");
    await control(url, "PUT", "/scripts/counter", script("again {{n}}"));
    expect(JSON.stringify(await send03(url, { text: "count 8" }))).toContain("again 8");
    expect((await control(url, "GET", "/scripts")).json["items"]).toEqual(["counter"]);
    expect((await control(url, "DELETE", "/scripts/counter")).status).toBe(204);
    expect((await control(url, "DELETE", "/scripts/counter")).status).toBe(404);
    expect(await send03(url, { text: "count 9" })).toHaveProperty("error");
  });

  it("refuses a script that is wrong, with every problem", async () => {
    const { url } = await startAgent();
    const { status, json } = await control(url, "PUT", "/scripts/x", {
      turn: [],
      turns: [[says("{{nobody}}")]],
    });
    expect(status).toBe(400);
    expect(json["message"]).toContain('unknown key "turn"');
  });

  it("sets faults, and takes them back", async () => {
    const { url } = await startAgent();
    const send = (): Promise<JsonObject> => send03(url, { text: directive([[says("x")]]) });
    await control(url, "PUT", "/faults", { faults: ["corrupt:1"] });
    await expect(send()).rejects.toThrow();
    await control(url, "PUT", "/faults", { faults: [] });
    expect(await send()).toHaveProperty("result");
    expect((await control(url, "PUT", "/faults", { faults: ["explode"] })).json["message"]).toContain(
      "unknown fault",
    );
  });

  it("stops time, moves it, and lets it go on", async () => {
    const { url, agent } = await startAgent();
    expect((await control(url, "POST", "/clock", { advance_ms: 5 })).status).toBe(409);
    expect((await control(url, "POST", "/clock", { stop: true })).json["stopped"]).toBe(true);
    const turn = [
      { event: says("one"), delay_ms: 3_000_000 },
      { event: says("two"), delay_ms: 3_000_000 },
    ];
    const answered = send03(url, { text: directive([turn]) });
    await eventually(() => expect(agent.captured.list({ operation: "send" })).toHaveLength(1));
    await control(url, "POST", "/clock", { advance_ms: 6_000_000 });
    expect(JSON.stringify(await answered)).toContain("two");
    expect((await control(url, "POST", "/clock", { start: true })).json["stopped"]).toBe(false);
  });

  it("forgets what it knows of a test case, or of all", async () => {
    const { url } = await startAgent();
    await send03(url, { text: directive([[says("x")]], "a") });
    await control(url, "POST", "/reset?test_case_id=b");
    expect(await send03(url, { text: "[test_case_id=a]" })).toHaveProperty("result");
    await control(url, "POST", "/reset");
    expect(await send03(url, { text: "[test_case_id=a]" })).toHaveProperty("error");
  });

  it("refuses paths, methods and parameters that it does not know, and pages of other sites", async () => {
    const { url } = await startAgent();
    expect((await control(url, "GET", "/nothing")).status).toBe(404);
    expect((await control(url, "PATCH", "/reset")).status).toBe(405);
    expect((await control(url, "GET", "/requests?tset_case_id=1")).status).toBe(400);
    const foreign = await fetch(`${url}/__control/reset`, {
      method: "POST",
      headers: { origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
  });
});

// `proctor mock push` as people and scripts use it: the action on a real socket.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../core/json.ts";
import { task03, webhook } from "../../../../test/support/doubles/push-receiver.ts";
import { describeMockRefusals, startMock } from "../../../../test/support/cli/mock-command.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const folder = temporaryFolder("mock-push");
writeFileSync(
  join(folder, "push.yaml"),
  `name: hooks
answers:
  - { path: /a, status: 503, times: 1 }
verify:
  token: open sesame
`,
);

const COMMAND = { kind: "push", file: "push.yaml", address: /http:\/\/[\d.:]+(?=["\s])/ } as const;

function send(url: string, body: unknown, token = "open sesame"): Promise<Response> {
  const headers = { "x-a2a-notification-token": token };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

describe("proctor mock push for people", () => {
  test("prints its address, shows every delivery, counts them, and ends with 0", async () => {
    const { io, ended, address: url } = await startMock(COMMAND, [], { cwd: folder });
    await send(`${url}/a`, task03("working"));
    await send(`${url}/a`, task03("working"));
    await send(`${url}/a`, task03("working"));
    await send(`${url}/b`, webhook(1), "wrong");
    io.interrupt();
    expect(await ended).toBe(0);
    const lines = io.out().split("\n");
    expect(lines.slice(0, 5)).toEqual([
      "● hooks is served",
      "",
      `  address     ${url} and every path below`,
      `  control     ${url}/__control`,
      "  verified    token",
    ]);
    expect(lines.filter((line) => /^\d\d:\d\d:\d\d {2}/.test(line)).map((line) => line.slice(10))).toEqual([
      "503  task              /a · t · working · faults: status 503",
      "200  task              /a · t · working · again after 1",
      "200  task              /a · t · working · duplicate of 2",
      "401  webhook           /b · run · run:1 · token: wrong",
    ]);
    expect(lines.at(-2)).toBe("4 deliveries, 2 refused, 1 tried again, 1 duplicated");
    expect(io.out()).not.toContain("sesame");
  });
});

describe("proctor mock push for programs", () => {
  test("prints JSON lines", async () => {
    const { io, ended, address: url } = await startMock(COMMAND, ["--json"], { cwd: folder });
    await send(`${url}/b`, task03("completed"));
    io.interrupt();
    await ended;
    const lines = io
      .out()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as JsonObject);
    expect(lines).toMatchObject([
      { type: "ready", url, control_url: `${url}/__control`, verified: ["token"] },
      { type: "delivery", number: 1, path: "/b", kind: "task", state: "completed", checks: { token: "ok" } },
      { type: "summary", deliveries: 1, accepted: 1, refused: 0, retries: 0, duplicates: 0, out_of_order: 0 },
    ]);
  });
});

describeMockRefusals(COMMAND, { folder, mistake: "anwsers" });

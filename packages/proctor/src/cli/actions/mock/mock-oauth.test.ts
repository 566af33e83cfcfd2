// `proctor mock oauth` as people and scripts use it: the action on a real socket.
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../core/json.ts";
import { basic } from "../../../../test/support/doubles/oauth-lab.ts";
import { createIo } from "../../../../test/support/cli/program-double.ts";
import { describeMockRefusals, startMock } from "../../../../test/support/cli/mock-command.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { main } from "../../main.ts";

const folder = temporaryFolder("mock-oauth");
writeFileSync(
  join(folder, "oauth.yaml"),
  `name: demo
algorithm: ES256
clients:
  - id: service
    secret: \${SERVICE_SECRET:unused}
faults:
  - { at: token, status: 503, times: 1 }
`,
);

const ENV = { NO_COLOR: "1", SERVICE_SECRET: "open sesame" };
const COMMAND = { kind: "oauth", file: "oauth.yaml", address: /http:\/\/[\d.:]+(?=["\s])/ } as const;

function ask(url: string, secret: string): Promise<Response> {
  return fetch(`${url}/token`, {
    method: "POST",
    headers: basic("service", secret),
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
}

describe("proctor mock oauth for people", () => {
  test("prints its issuer, shows every request without its secrets, counts them, and ends with 0", async () => {
    const started = await startMock(COMMAND, [], { cwd: folder, env: ENV });
    const { io, ended, address: url } = started;
    expect((await ask(url, "open+sesame")).status).toBe(503);
    expect((await ask(url, "open+sesame")).status).toBe(200);
    expect((await ask(url, "wrong")).status).toBe(401);
    io.interrupt();
    expect(await ended).toBe(0);
    const lines = io.out().split("\n");
    expect(lines.slice(0, 5)).toEqual([
      "● demo is served",
      "",
      `  issuer      ${url}`,
      `  control     ${url}/__control`,
      "  clients     service",
    ]);
    expect(lines.filter((line) => /^\d\d:\d\d:\d\d {2}/.test(line)).map((line) => line.slice(10))).toEqual([
      "503  token                 client_credentials · faults: status 503",
      "200  token                 service · client_credentials",
      "401  token                 client_credentials · invalid_client · the secret is wrong",
    ]);
    expect(lines.at(-2)).toBe("3 requests, 1 token answer, 2 refused");
    expect(io.out()).not.toContain("sesame");
  });

  test("serves the client test without a file", async () => {
    const io = createIo({ cwd: folder, env: { NO_COLOR: "1" } });
    const ended = main(["mock", "oauth", "--port", "0"], io);
    await expect.poll(() => io.out()).toContain("clients     test");
    io.interrupt();
    expect(await ended).toBe(0);
  });
});

describe("proctor mock oauth for programs", () => {
  test("prints JSON lines and writes its log", async () => {
    const started = await startMock(COMMAND, ["--json", "--log", "log.jsonl"], { cwd: folder, env: ENV });
    await ask(started.address, "open+sesame");
    started.io.interrupt();
    await started.ended;
    const lines = started.io
      .out()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as JsonObject);
    expect(lines).toMatchObject([
      {
        type: "ready",
        url: started.address,
        control_url: `${started.address}/__control`,
        clients: ["service"],
      },
      { type: "request", endpoint: "token", status: 503, faults: ["status 503"] },
      { type: "summary", requests: 1, tokens: 0, refused: 1 },
    ]);
    const logged = await readFile(join(folder, "log.jsonl"), "utf8");
    expect(JSON.parse(logged)).toMatchObject({ endpoint: "token", number: 1 });
    expect(logged).not.toContain("sesame");
  });
});

describeMockRefusals(COMMAND, {
  folder,
  mistake: "cleints",
  more: [
    ["a client that is there twice", ["twice.yaml"], /twice\.yaml:1:\d+ {2}"a" is here twice/],
    [
      "a scope that the server has not",
      ["scope.yaml"],
      /scope\.yaml:2:\d+ {2}"scopes" of the server has no "b"/,
    ],
    ["a user who is not there", ["user.yaml"], /user\.yaml:2:\d+ {2}there is no user "zoe"/],
    ["a fault that does nothing", ["fault.yaml"], /fault\.yaml:1:\d+ {2}this fault does nothing/],
  ],
});
writeFileSync(join(folder, "twice.yaml"), "clients: [{id: a}, {id: a}]\n");
writeFileSync(join(folder, "scope.yaml"), "scopes: [a]\nclients: [{id: a, scopes: [b]}]\n");
writeFileSync(join(folder, "user.yaml"), "users: [{id: amy}]\nconsent: {user: zoe}\n");
writeFileSync(join(folder, "fault.yaml"), "faults: [{at: token}]\n");

import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig, type Config } from "./load-config.ts";

let cwd: string;

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "proctor-config-")));
});

afterEach(() => rm(cwd, { recursive: true }));

async function load(file: string, env: Record<string, string> = {}): Promise<Config> {
  await writeFile(join(cwd, "proctor.yaml"), file);
  return loadConfig({ cwd, env, flags: {} });
}

const withAgent = (line: string): string =>
  `gateway:\n  agents:\n    writer:\n      url: https://agents.example/writer\n      ${line}\n`;

describe("the gateway in the configuration", () => {
  it("is off unless agents are named", async () => {
    expect((await load("api_port: 1\n")).gateway).toBeUndefined();
  });

  it("has a default for everything but the address", async () => {
    const { gateway } = await load("gateway: {agents: {writer: {url: 'https://agents.example/writer'}}}\n");
    expect(gateway).toEqual({
      agents: {
        writer: {
          url: new URL("https://agents.example/writer"),
          headers: {},
          allowHeaders: [],
          allowHosts: [],
          refreshMs: 60_000,
          timeoutMs: 300_000,
        },
      },
    });
  });

  it("takes secrets from the environment", async () => {
    const file =
      "gateway:\n  identity_header: X-Forwarded-User\n  agents:\n    writer:\n" +
      "      url: http://localhost:9000\n      card_url: http://localhost:9001/card.json\n" +
      "      auth: {type: bearer, token: '${WRITER_TOKEN}'}\n" +
      "      card_auth: {type: api_key, name: X-Key, api_key: '${CARD_KEY}'}\n" +
      "      allow_headers: [X-Request-Id]\n      allow_hosts: [Files.Example]\n      refresh_seconds: 5\n";
    const { gateway } = await load(file, { WRITER_TOKEN: "t", CARD_KEY: "k" });
    expect(gateway).toMatchObject({
      identityHeader: "x-forwarded-user",
      agents: {
        writer: {
          cardUrl: new URL("http://localhost:9001/card.json"),
          auth: { type: "bearer", token: "t" },
          cardAuth: { type: "api_key", api_key: "k", name: "X-Key", in: "header" },
          allowHeaders: ["x-request-id"],
          allowHosts: ["files.example"],
          refreshMs: 5000,
        },
      },
    });
  });

  it.each([
    [
      "a key that does not exist",
      withAgent("allow_header: [a]"),
      /proctor\.yaml:5:7 .*"allow_header".*allow_headers/s,
    ],
    [
      "an address of another kind",
      "gateway: {agents: {a: {url: 'ftp://x'}}}",
      /proctor\.yaml:1:\d+ .*https:\/\/host/s,
    ],
    ["a password in an address", "gateway: {agents: {a: {url: 'http://u:hunter2@x'}}}", /no credentials/],
    ["no address", "gateway: {agents: {a: {}}}", /proctor\.yaml:1:\d+ .*"url"/s],
    ["an alias that is no name", "gateway: {agents: {'a b': {url: 'http://x'}}}", /alias is made of/],
    [
      "headers that cannot be passed on",
      withAgent("allow_headers: [Host]"),
      /proctor\.yaml:5:\d+ .*never passed on/s,
    ],
    [
      "a kind of credentials that nobody knows",
      withAgent("auth: {type: barer, token: x}"),
      /proctor\.yaml:5:\d+ .*"type"/s,
    ],
    ["a time without end", withAgent("timeout_seconds: 1e9"), /proctor\.yaml:5:\d+ .*at most 86400/s],
    ["an application with a path", withAgent("application: a/b"), /proctor\.yaml:5:\d+ .*slashes/s],
  ])("refuses %s, and says where", async (_, file, message) => {
    const refusal = load(file);
    await expect(refusal).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.not.toThrow("hunter2");
  });
});

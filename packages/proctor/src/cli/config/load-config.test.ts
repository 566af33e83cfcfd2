import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ProctorError } from "../../core/errors.ts";
import { loadConfig } from "./load-config.ts";
import type { Config, ConfigFlags } from "./load-config.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "proctor-config-")));
});
afterEach(() => rm(cwd, { recursive: true }));

interface Given {
  file?: string;
  env?: Record<string, string>;
  flags?: ConfigFlags;
}

async function load({ file, env = {}, flags = {} }: Given = {}): Promise<Config> {
  if (file !== undefined) await writeFile(join(cwd, "proctor.yaml"), file);
  return loadConfig({ cwd, env, flags });
}

async function refusal(given: Given): Promise<ProctorError> {
  const error: unknown = await load(given).then(
    (config) => config,
    (reason: unknown) => reason,
  );
  if (!ProctorError.is(error)) throw new Error(`expected a ProctorError, got ${JSON.stringify(error)}`);
  return error;
}

test("the configuration has defaults for everything", async () => {
  expect(await load()).toEqual({
    apiHost: "127.0.0.1",
    apiPort: 3001,
    allowedOrigins: [],
    artifactsDir: join(cwd, "artifacts"),
    workspacesDir: join(cwd, ".proctor/task-workspaces"),
    exposeUri: true,
    collectFiles: true,
    unsafeLocal: false,
    buildNetwork: "none",
    databaseFile: join(cwd, ".proctor/proctor.db"),
    dataDir: join(cwd, ".proctor"),
    tokens: [],
    concurrency: 10,
    agentConcurrency: 10,
    labels: [],
    graceMs: 5000,
    artifactLimits: { fileBytes: 104_857_600, runBytes: 1_073_741_824, count: 1000 },
    messageLimits: { envelopeBytes: 1_048_576, count: 10_000, bytes: 67_108_864 },
    log: "info",
    toolHosts: [],
    webhookHosts: [],
    agentHosts: [],
    probeSeconds: 60,
    agents: [],
  });
});

describe("the precedence of settings", () => {
  const file =
    "api_port: 1000\napi_host: file.test\nhub_url: http://file.test/\ngrace_seconds: 0.5\nlog: silent\n";

  test("puts the file before the defaults", async () => {
    expect(await load({ file })).toMatchObject({
      apiPort: 1000,
      apiHost: "file.test",
      hubUrl: "http://file.test",
      graceMs: 500,
      log: "silent",
    });
  });

  test("puts the environment before the file, and flags before both", async () => {
    const env = { API_PORT: "2000", API_HOST: "env.test", PROCTOR_URL: "https://env.test/hub/" };
    expect(await load({ file, env, flags: { port: "3000" } })).toMatchObject({
      apiPort: 3000,
      apiHost: "env.test",
      hubUrl: "https://env.test/hub",
    });
  });

  test("takes an empty variable as not set", async () => {
    expect(await load({ file, env: { API_PORT: "", PROCTOR_TOKEN: "" } })).toMatchObject({
      apiPort: 1000,
      tokens: [],
    });
  });

  test("ignores a wrong value that a stronger source replaces", async () => {
    expect(await load({ env: { API_PORT: "abc" }, flags: { port: "0" } })).toMatchObject({ apiPort: 0 });
  });

  test("reads limits of artifacts as megabytes", async () => {
    expect(await load({ file: "max_artifact_mb: 0.5\nmax_artifacts: 10\n" })).toMatchObject({
      artifactLimits: { fileBytes: 524_288, runBytes: 1_073_741_824, count: 10 },
    });
  });

  test("takes the hub's limit of runs for each agent, unless agents have their own", async () => {
    expect(await load({ env: { PROCTOR_CONCURRENCY: "3" } })).toMatchObject({
      concurrency: 3,
      agentConcurrency: 3,
    });
    const env = { PROCTOR_CONCURRENCY: "3", PROCTOR_AGENT_CONCURRENCY: "1", PROCTOR_GRACE_SECONDS: "2" };
    expect(await load({ env })).toMatchObject({ agentConcurrency: 1, graceMs: 2000 });
  });
});

test("the configuration of tasks names the default agent, the workspaces and what clients may know", async () => {
  const file = "default_agent: writer\nworkspaces_dir: below\nexpose_uri: false\ncollect_files: false\n";
  expect(await load({ file })).toMatchObject({
    defaultAgent: "writer",
    workspacesDir: join(cwd, "below"),
    exposeUri: false,
    collectFiles: false,
    unsafeLocal: false,
    buildNetwork: "none",
  });
  const env = {
    PROCTOR_DEFAULT_AGENT: "atp+stdio:x",
    PROCTOR_WORKSPACES_DIR: "w",
    PROCTOR_EXPOSE_URI: "true",
    PROCTOR_COLLECT_FILES: "true",
  };
  expect(await load({ file, env })).toMatchObject({
    defaultAgent: "atp+stdio:x",
    workspacesDir: join(cwd, "w"),
    exposeUri: true,
    collectFiles: true,
    unsafeLocal: false,
    buildNetwork: "none",
  });
  expect((await refusal({ env: { PROCTOR_EXPOSE_URI: "maybe" } })).message).toMatch(/PROCTOR_EXPOSE_URI/);
});

describe("the configuration of agents' cards", () => {
  test("has what the agents of the file say of themselves", async () => {
    const said = "description: Plans, version: '2', capabilities: [{name: plan, returns: {type: string}}]";
    const file = `agents:\n  - {name: p, address: 'atp+stdio:x', ${said}}\n`;
    expect((await load({ file })).agents).toMatchObject([
      {
        name: "p",
        description: "Plans",
        version: "2",
        capabilities: [{ name: "plan", returns: { type: "string" } }],
      },
    ]);
    const { message } = await refusal({ file: file.replace("returns", "retuns") });
    expect(message).toMatch(/proctor\.yaml:2:\d+ +unknown key "retuns"[^]*did you mean "returns"/);
  });

  test("names the key that signs them, from the folder of the file, and where gRPC is reached", async () => {
    const file = "card_key: keys/card.pem\ngrpc_public_address: grpc.example.com:443\n";
    expect(await load({ file })).toMatchObject({
      cardKeyFile: join(cwd, "keys/card.pem"),
      grpcPublicAddress: "grpc.example.com:443",
    });
    const env = { PROCTOR_CARD_KEY: "k.pem", PROCTOR_GRPC_PUBLIC_ADDRESS: "[::1]:50051" };
    expect(await load({ file, env })).toMatchObject({
      cardKeyFile: join(cwd, "k.pem"),
      grpcPublicAddress: "[::1]:50051",
    });
  });

  test.each(["grpc.example.com", "https://grpc.example.com:443", "a:b", ":443", "a:70000"])(
    "refuses %s as the address of gRPC",
    async (address) => {
      const { message } = await refusal({ flags: { grpcPublicAddress: address } });
      expect(message).toMatch(/--grpc-public-address +must be a host and a port/);
    },
  );
});

describe("allowed origins", () => {
  test("are written as browsers write them, whichever source they come from", async () => {
    const file = "allowed_origins: [HTTPS://App.Example:443/, 'http://localhost:5173']\n";
    const written = ["https://app.example", "http://localhost:5173"];
    expect((await load({ file })).allowedOrigins).toEqual(written);
    const env = { PROCTOR_ALLOWED_ORIGINS: "http://[::1]:80, tauri://localhost,https://bücher.example" };
    expect((await load({ file, env })).allowedOrigins).toEqual([
      "http://[::1]",
      "tauri://localhost",
      "https://xn--bcher-kva.example",
    ]);
    expect((await load({ file, env, flags: { allowedOrigins: "*" } })).allowedOrigins).toEqual(["*"]);
  });

  test.each(["null", "localhost:5173", "https://*.example", "http://", "http://u:p@host", "a, b"])(
    "cannot be %j",
    async (text) => {
      const { message } = await refusal({ flags: { allowedOrigins: text } });
      expect(message).toMatch(/^--allowed-origins {2}must be an origin like http:\/\/localhost:5173/);
    },
  );

  test("have no path, and the message says what was meant", async () => {
    const { message } = await refusal({ file: "allowed_origins: ['http://Localhost:5173/app']\n" });
    expect(message).toMatch(/proctor\.yaml:1:\d+ .*"allowed_origins" must end after the host and port/s);
    expect(message).toContain('did you mean "http://localhost:5173"?');
  });
});

describe("paths in the configuration", () => {
  test("are relative to the current directory in flags and the environment", async () => {
    const env = { ARTIFACTS_DIR: "here", DATABASE_URL: "file:data/p.db" };
    expect(await load({ env })).toMatchObject({
      artifactsDir: join(cwd, "here"),
      databaseFile: join(cwd, "data/p.db"),
      dataDir: join(cwd, "data"),
    });
    expect(await load({ flags: { databaseUrl: "file:///abs/a%20b.db" } })).toMatchObject({
      databaseFile: "/abs/a b.db",
    });
  });

  test("leave labels as they are written, in every source", async () => {
    expect(await load({ env: { PROCTOR_LABELS: "gpu, eu" } })).toMatchObject({ labels: ["gpu", "eu"] });
    expect(await load({ file: "labels: [gpu]\n" })).toMatchObject({ labels: ["gpu"] });
    await expect(load({ env: { PROCTOR_LABELS: "GPU" } })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  test("are beside the current directory for a database elsewhere", async () => {
    const url = "postgres://u:p%40ss@db.example:5433/proctor?sslmode=require";
    expect(await load({ env: { DATABASE_URL: url } })).toMatchObject({
      databaseUrl: url,
      dataDir: join(cwd, ".proctor"),
    });
  });

  test("are relative to the folder of the file in proctor.yaml", async () => {
    const other = await mkdtemp(join(cwd, "other-"));
    await writeFile(
      join(other, "my.yaml"),
      "artifacts_dir: blobs\ndatabase_url: file:p.db\nagents:\n  - {name: a, command: run, cwd: sub}\n  - {name: b, command: run}\n",
    );
    const config = await load({ flags: { config: join(other, "my.yaml") } });
    expect(config).toMatchObject({
      artifactsDir: join(other, "blobs"),
      databaseFile: join(other, "p.db"),
      dataDir: other,
    });
    expect(config.agents.map((agent) => agent.cwd)).toEqual([join(other, "sub"), other]);
  });
});

test("agents in proctor.yaml are written as in suites, and take their secrets from the environment", async () => {
  const file =
    "agents:\n  - name: remote\n    address: atp+http://localhost:8000\n    headers: {Authorization: 'Bearer ${KEY}'}\n";
  expect((await load({ file, env: { KEY: "k" } })).agents).toEqual([
    {
      name: "remote",
      protocol: "atp",
      transport: "http",
      url: "http://localhost:8000",
      headers: { Authorization: "Bearer k" },
    },
  ]);
});

test("tokens in PROCTOR_TOKEN are separated by commas", async () => {
  expect((await load({ env: { PROCTOR_TOKEN: "one, two,," } })).tokens).toEqual(["one", "two"]);
});

describe("the judge in the configuration", () => {
  const file = "judge_url: http://file.test/v1\njudge_model: small\n";

  test("comes from the file, and its key from the environment", async () => {
    expect((await load({ file, env: { PROCTOR_JUDGE_API_KEY: "k" } })).judge).toEqual({
      url: "http://file.test/v1",
      model: "small",
      apiKey: "k",
    });
  });

  test("takes each value from the environment before the file", async () => {
    const env = { PROCTOR_JUDGE_URL: "https://env.test/v1?api-version=1", PROCTOR_JUDGE_MODEL: "" };
    expect((await load({ file, env })).judge).toEqual({
      url: "https://env.test/v1?api-version=1",
      model: "small",
    });
  });

  test("is not configured by a key alone", async () => {
    expect((await load({ env: { PROCTOR_JUDGE_API_KEY: "k" } })).judge).toBeUndefined();
  });
});

test("a proctor.yaml of comments only is accepted", async () => {
  expect(await load({ file: "# api_port: 1\n" })).toMatchObject({ apiPort: 3001 });
});

describe("the configuration refuses, with the source,", () => {
  test.each<[string, Given, string]>([
    [
      "a port that is not a number",
      { flags: { port: "abc" } },
      '--port  must be a whole number from 0 to 65535, not "abc"',
    ],
    [
      "a port out of range",
      { env: { API_PORT: "70000" } },
      'API_PORT  must be a whole number from 0 to 65535, not "70000"',
    ],
    ["a port like 1e3", { env: { API_PORT: "1e3" } }, "API_PORT  must be a whole number"],
    [
      "a port in the file",
      { file: "log: info\napi_port: 70000\n" },
      'proctor.yaml:2:11  "api_port" must be at most 65535',
    ],
    [
      "a word as port in the file",
      { file: "api_port: abc\n" },
      'proctor.yaml:1:11  "api_port" must be a number, not text',
    ],
    [
      "a level that does not exist",
      { env: { PROCTOR_LOG: "inof" } },
      'PROCTOR_LOG  must be info, json, silent, not "inof"\n   did you mean "info"?',
    ],
    [
      "fewer than no runs at once",
      { env: { PROCTOR_CONCURRENCY: "-1" } },
      "PROCTOR_CONCURRENCY  must be a whole number from 0",
    ],
    [
      "a negative grace",
      { env: { PROCTOR_GRACE_SECONDS: "-1" } },
      "PROCTOR_GRACE_SECONDS  must be a number from 0",
    ],
    ["a host with a port", { flags: { host: "http://x" } }, "--host  must be a host name"],
    [
      "a hub that is not a URL",
      { flags: { hub: "localhost:3001" } },
      "--hub  must be a URL like http://127.0.0.1:3001",
    ],
    [
      "a PostgreSQL server without a database",
      { env: { DATABASE_URL: "postgres://u:hunter2@h" } },
      "DATABASE_URL  must name a database: postgres://user@host/database",
    ],
    [
      "a PostgreSQL address that is none",
      { env: { DATABASE_URL: "postgres://u:hunter2@h:port/d" } },
      "DATABASE_URL  must be a URL like postgres://user:password@host:5432/database",
    ],
    [
      "a database in proctor.yaml that nobody knows",
      { file: "database_url: mysql://x\n" },
      'proctor.yaml:1:15  "database_url" starts with "mysql:"; file: and postgres: are supported',
    ],
    ["a database without a file", { flags: { databaseUrl: "file:" } }, "--database  must name a file"],
    ["a database in memory", { flags: { databaseUrl: "file::memory:" } }, "--database  must name a file"],
    ["a path without a scheme", { flags: { databaseUrl: "./x.db" } }, "--database  has no scheme"],
    [
      "a token in the file",
      { file: "token: hunter2\n" },
      'proctor.yaml:1:1  "token" does not belong in a file\n   set the environment variable PROCTOR_TOKEN instead',
    ],
    [
      "a judge's key in the file",
      { file: "judge_api_key: hunter2\n" },
      'proctor.yaml:1:1  "judge_api_key" does not belong in a file\n   set the environment variable PROCTOR_JUDGE_API_KEY instead',
    ],
    [
      "a judge without a model",
      { env: { PROCTOR_JUDGE_URL: "http://j.test/v1", PROCTOR_JUDGE_API_KEY: "hunter2" } },
      "PROCTOR_JUDGE_MODEL  is missing: the judge has a URL and no model\n   set both PROCTOR_JUDGE_URL and PROCTOR_JUDGE_MODEL",
    ],
    [
      "a judge without an address",
      { file: "judge_model: m\n" },
      "PROCTOR_JUDGE_URL  is missing: the judge has a model and no URL",
    ],
    [
      "a judge that is not a URL",
      { env: { PROCTOR_JUDGE_URL: "j.test", PROCTOR_JUDGE_MODEL: "m" } },
      "PROCTOR_JUDGE_URL  must be a URL like https://api.openai.com/v1",
    ],
    [
      "a judge with a password",
      { file: "judge_url: http://u:hunter2@j.test/v1\njudge_model: m\n" },
      'proctor.yaml:1:12  "judge_url" must not hold a password\n   set PROCTOR_JUDGE_API_KEY instead',
    ],
    [
      "a judge's whole endpoint",
      { env: { PROCTOR_JUDGE_URL: "http://j.test/v1/chat/completions", PROCTOR_JUDGE_MODEL: "m" } },
      "PROCTOR_JUDGE_URL  must end before /chat/completions",
    ],
    [
      "a judge's key that no header can carry",
      {
        env: {
          PROCTOR_JUDGE_URL: "http://j.test",
          PROCTOR_JUDGE_MODEL: "m",
          PROCTOR_JUDGE_API_KEY: "hunter2 x",
        },
      },
      "PROCTOR_JUDGE_API_KEY  a key is made of visible ASCII characters",
    ],
    [
      "a hub with a password",
      { env: { PROCTOR_URL: "http://u:hunter2@h/" } },
      "PROCTOR_URL  must not hold a password",
    ],
    [
      "a token that no header can carry",
      { env: { PROCTOR_TOKEN: "hunter2 x" } },
      "PROCTOR_TOKEN  a token is made of visible",
    ],
    [
      "an unknown key",
      { file: "api_prot: 1\n" },
      'proctor.yaml:1:1  unknown key "api_prot"\n   did you mean "api_port"?',
    ],
    [
      "an agent twice",
      { file: "agents:\n  - {name: a, command: x}\n  - {name: a, command: y}\n" },
      'proctor.yaml:3:12  agent "a" is here twice',
    ],
  ])("%s", async (_, given, expected) => {
    const error = await refusal(given);
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.message).toContain(expected);
    expect(error.message).not.toContain("hunter2");
  });

  test("all wrong flags and variables at once", async () => {
    const { message } = await refusal({ env: { API_PORT: "x", PROCTOR_LOG: "y" }, flags: { hub: "z" } });
    expect(message).toContain("API_PORT");
    expect(message).toContain("PROCTOR_LOG");
    expect(message).toContain("--hub");
  });

  test("a config file that was asked for and is not there", async () => {
    const error = await refusal({ flags: { config: "none.yaml" } });
    expect(error.code).toBe("FILE_UNREADABLE");
    expect(error.message).toContain("none.yaml  there is no such file");
  });
});

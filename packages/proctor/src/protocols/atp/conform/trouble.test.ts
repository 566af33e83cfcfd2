// Agents that cannot be reached, hang, flood, crash or fail at everything: what is found, how fast, and that nothing stays.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { freePort } from "../../../../test/support/http/free-port.ts";
import { describe, expect, test } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import { findMarked } from "../../../runtime/processes/strays.ts";
import { parseAddress } from "../../../core/address.ts";
import type { AgentSpec } from "../../../core/agent.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { RuleResult } from "../../../conformance/conformance.ts";
import { serveHttp } from "../../../../test/fixtures/agents/wrong/serve-http.ts";
import type { ConformanceOptions } from "../../../conformance/conformance.ts";
import { atpConformance } from "./conformance.ts";
import { RULES } from "./rules.ts";
import { eventually, HANG_MS } from "../../../../test/support/eventually.ts";

const agents = fileURLToPath(new URL("../../../../test/fixtures/agents/", import.meta.url));
const root = fileURLToPath(new URL("../../../../../../", import.meta.url));
const program = (...command: string[]): AgentSpec => ({ protocol: "atp", transport: "stdio", command });
const fixture = (name: string, ...args: string[]): AgentSpec =>
  program(process.execPath, `${agents}${name}`, ...args);
const script = (code: string): AgentSpec => program(process.execPath, "-e", code);

async function check(agent: AgentSpec, options: Partial<ConformanceOptions> = {}): Promise<RuleResult[]> {
  const { signal } = new AbortController();
  const results: RuleResult[] = [];
  for await (const result of atpConformance.check(agent, { timeoutMs: 10_000, signal, ...options })) {
    results.push(result);
  }
  return results;
}

const only = async (
  id: string,
  agent: AgentSpec,
  options: Partial<ConformanceOptions> = {},
): Promise<RuleResult> => {
  const [result] = await check(agent, { only: [id], ...options });
  if (result === undefined) throw new Error(`${id} was not tried`);
  return result;
};

describe.concurrent("an agent that is not there", () => {
  test.each(["http", "ws", "grpc"])(
    "over %s fails one rule and gives no occasion for the others",
    async (scheme) => {
      const [first, ...others] = await check(parseAddress(`atp+${scheme}://127.0.0.1:${await freePort()}`));
      expect(first).toMatchObject({ rule: { id: "atp.response.given" }, outcome: "fail" });
      expect(first?.reason).toMatch(/ECONNREFUSED.*\ncheck the address/);
      expect(others.length).toBeGreaterThan(30);
      for (const { outcome } of others) expect(outcome).toBe("unevaluated");
    },
  );

  test("is reported by the name of its program", async () => {
    const [first, second] = await check(program("no-such-program-here"));
    expect(first).toMatchObject({ outcome: "fail" });
    expect(first?.reason).toContain('"no-such-program-here" was not found');
    expect(second).toMatchObject({ outcome: "unevaluated" });
  });
});

describe.concurrent("an agent under conformance tests", () => {
  test("that hangs is waited for once, and ended", async () => {
    const mark = `mark-${process.pid}`;
    const agent = { ...fixture("sleeps.mjs"), env: { CONFORM_MARK: mark } };
    const results = await check(agent, { timeoutMs: 700 });
    expect(results[0]).toMatchObject({ outcome: "fail" });
    expect(results[0]?.reason).toMatch(/no response within \d+\.\d s; it was cut off/);
    expect(results.slice(1).every(({ outcome }) => outcome === "unevaluated")).toBe(true);
    expect(findMarked("CONFORM_MARK", mark)).toEqual([]);
  });

  test("that answers plain requests only is asked several others at the same time", async () => {
    const waiting = new Set<WebSocket>();
    let most = 0;
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0, handleProtocols: () => "atp.v1" });
    await once(server, "listening");
    server.on("connection", (socket) => {
      socket.on("close", () => waiting.delete(socket));
      socket.on("message", (data) => {
        // Text frames arrive as buffers.
        const request = JSON.parse((data as Buffer).toString()) as JsonObject;
        const isPlain =
          Object.keys(request).join() === "version,task_id,task" && request["version"] === "1.0";
        if (!isPlain) {
          waiting.add(socket);
          most = Math.max(most, waiting.size);
          // One that is asked alone waits in vain; it takes a second one to end that.
          if (most > 1) for (const one of waiting) one.terminate();
          return;
        }
        const { task_id } = request;
        socket.send(
          JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts: [], metrics: {} }),
        );
      });
    });
    try {
      const { port } = server.address() as AddressInfo;
      const only = [
        "atp.request.full",
        "atp.request.unknown_fields",
        "atp.version.minor",
        "atp.version.major",
        "atp.invalid.missing_task",
        "atp.tasks.concurrent",
      ];
      const results = await check(parseAddress(`atp+ws://127.0.0.1:${port}`), { only, timeoutMs: HANG_MS });
      expect(results.map(({ rule }) => rule.id)).toEqual(
        RULES.map(({ id }) => id).filter((id) => only.includes(id)),
      );
      expect(results.filter(({ outcome }) => outcome === "fail")).toHaveLength(5);
      expect(most).toBeGreaterThan(1);
    } finally {
      for (const socket of server.clients) socket.terminate();
      server.close();
    }
  });

  test("that listens on a WebSocket and says nothing is cut off", async () => {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0, handleProtocols: () => "atp.v1" });
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const silent = parseAddress(`atp+ws://127.0.0.1:${port}`);
      const result = await only("atp.response.given", silent, { timeoutMs: 700 });
      expect(result).toMatchObject({ outcome: "fail" });
      expect(result.reason).toMatch(/no response within \d+\.\d s; it was cut off/);
    } finally {
      for (const socket of server.clients) socket.terminate();
      server.close();
    }
  });

  test("that closes its output and stays is ended after a grace", async () => {
    const result = await only("atp.response.given", fixture("closes-stdout-and-hangs.mjs"), {
      timeoutMs: 700,
    });
    expect(result.reason).toContain("it was cut off");
  });

  test("that does not stop talking is cut off", async () => {
    const flood =
      'process.stdin.resume(); const say = () => process.stdout.write("x\\n".repeat(1000), say); say();';
    const result = await only("atp.response.given", script(flood));
    expect(result).toMatchObject({ outcome: "fail" });
    expect(result.reason).toContain("more than anybody would read");
  });

  test("that fails at everything can be judged for its messages, and not for what it accepts", async () => {
    const results = new Map((await check(fixture("fails.mjs"))).map(({ rule, ...rest }) => [rule.id, rest]));
    expect(results.get("atp.response.fields")).toMatchObject({ outcome: "pass" });
    expect(results.get("atp.request.full")).toMatchObject({ outcome: "unevaluated" });
    expect(results.get("atp.request.full")?.reason).toContain("give it one that it can do (--task)");
  });

  test("that leaves a process behind fails for it", async () => {
    const result = await only("atp.stdio.exit", fixture("forks-daemon.mjs"));
    expect(result.reason).toMatch(/left 1 processes behind/);
  });

  test("that sends no events gives no occasion for rules about them", async () => {
    const result = await only("atp.event.sequence", fixture("no-newline.mjs"));
    expect(result).toMatchObject({ outcome: "unevaluated", reason: "it sent no events" });
  });
});

describe.concurrent("malformed input to a program", () => {
  const quits = (code: string): AgentSpec =>
    script(`let t = ""; process.stdin.on("data", (d) => (t += d)).on("end", () => { ${code} });`);

  test.each([
    ["pass", "with a plain error", 'console.error("not JSON: line 1"); process.exitCode = 2;'],
    ["fail", "without a word", "process.exitCode = 2;"],
    ["fail", "as if all were well", "process.exitCode = 0;"],
    ["fail", "with a stack trace", "JSON.parse(t);"],
    ["fail", "by a signal", 'process.kill(process.pid, "SIGKILL");'],
    ["fail", "with a completed task", 'console.log(JSON.stringify({ status: "completed" }));'],
  ])("is a %s when it ends %s", async (outcome, _, code) => {
    expect(await only("atp.invalid.json", quits(code))).toMatchObject({ outcome });
  });
});

test("an agent with one endpoint is tested at that endpoint", async () => {
  const server = await serveHttp("atp.http.stream");
  try {
    const results = await check(parseAddress(`atp+${server.url}`));
    const failed = results.filter(({ outcome }) => outcome === "fail").map(({ rule }) => rule.id);
    expect(failed).toEqual(["atp.http.stream"]);
    const unevaluated = results.filter(({ outcome }) => outcome === "unevaluated");
    for (const { rule } of unevaluated) expect(rule.id).toMatch(/^atp\.(event|http\.frames)/);
  } finally {
    await server.close();
  }
});

test("conformance tests give secrets to the agent, and hide them in what they report", async () => {
  const secret = "s3cr+t/é-value";
  const options = { environment: { API_KEY: secret } };
  const results = await check(fixture("leaks-secret.mjs"), options);
  expect(results.find(({ rule }) => rule.id === "atp.secret")).toMatchObject({ outcome: "fail" });
  const shown = JSON.stringify(results);
  expect(shown).toContain("[redacted:API_KEY]");
  expect(shown).not.toContain(secret);
  expect(shown).not.toContain(Buffer.from(secret).toString("base64"));
});

test("conformance tests end at once, and quietly, when they are aborted", async () => {
  const stop = new AbortController();
  const mark = `abort-${process.pid}`;
  const agent = { ...fixture("sleeps.mjs"), env: { CONFORM_MARK: mark } };
  const results = check(agent, { timeoutMs: 60_000, signal: stop.signal });
  await eventually(() => expect(findMarked("CONFORM_MARK", mark)).toHaveLength(1));
  stop.abort();
  expect(await results).toEqual([]);
  expect(findMarked("CONFORM_MARK", mark)).toEqual([]);
});

test("the document's minimal agent keeps the protocol, and does not check its input", async () => {
  const results = await check(program(process.execPath, `${root}examples/minimal-node/agent.mjs`));
  const byOutcome = (wanted: string): string[] =>
    results.filter(({ outcome }) => outcome === wanted).map(({ rule }) => rule.id);
  expect(byOutcome("fail")).toEqual([
    "atp.version.major",
    "atp.invalid.json",
    "atp.invalid.empty",
    "atp.invalid.not_object",
    "atp.invalid.missing_task",
    "atp.invalid.missing_description",
    "atp.invalid.types",
    "atp.invalid.range",
  ]);
  expect(byOutcome("unevaluated")).toEqual(["atp.error.response", "atp.error.text", "atp.error.code"]);
});

test("conformance tests give up an unanswered handshake when they are aborted", async () => {
  const mute = createServer().listen(0, "127.0.0.1");
  await once(mute, "listening");
  const { port } = mute.address() as AddressInfo;
  const stop = new AbortController();
  mute.once("connection", () => stop.abort());
  expect(await check(parseAddress(`atp+ws://127.0.0.1:${port}`), { signal: stop.signal })).toEqual([]);
  mute.close();
  await once(mute, "close");
});

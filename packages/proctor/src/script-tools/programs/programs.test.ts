// Programs as tools, in real environments: what they get, what they may give, and what they try.
import { createServer, type AddressInfo } from "node:net";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveEnvironments } from "../../cli/compose/serve-environments.ts";
import type { Json } from "../../core/json.ts";
import type { NewScriptTool, ScriptResult } from "../../core/script-tool.ts";
import { lacksBwrap } from "../../../test/support/bwrap.ts";
import { eventually, HANG_MS } from "../../../test/support/eventually.ts";
import { expectError } from "../../../test/support/expect-error.ts";
import { openLocalScriptTools } from "../../../test/support/script-tools.ts";
import { shareEnvironments } from "../../../test/support/share-environments.ts";

type Opened = Awaited<ReturnType<typeof openLocalScriptTools>>;
const { signal } = new AbortController();

/** The command lines of this machine's processes. */
function processes(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return [];
      }
    });
}

describe.skipIf(lacksBwrap("programs as tools"))("a program as a tool", () => {
  let opened: Opened;
  let folder: string;
  let environments: ReturnType<typeof serveEnvironments>;
  beforeAll(async () => {
    // Not in the memory that tests may have for their files: that is a device, and no environment shows it.
    folder = mkdtempSync("/tmp/proctor-programs-");
    shareEnvironments(folder);
    environments = serveEnvironments({ dataDir: folder, unsafeLocal: false, buildNetwork: "none" });
    opened = await openLocalScriptTools(environments);
  });
  afterAll(async () => {
    await environments.close();
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function call(
    language: NewScriptTool["language"],
    source: string,
    input: Json = {},
    limits: NewScriptTool["limits"] = { time_ms: HANG_MS },
  ): Promise<ScriptResult> {
    const tool = { name: "tool", language, source, parameters: { type: "object" }, limits };
    await opened.tools.put(tool, { replace: true });
    return opened.tools.call("tool", input, signal);
  }

  const sh = (source: string, limits?: NewScriptTool["limits"]) => call("shell", source, {}, limits);

  it.each<[NewScriptTool["language"], string]>([
    [
      "python",
      `import json, sys
given = json.load(sys.stdin)
print("some words")
print("to the log", file=sys.stderr)
print(json.dumps({"stdin": given, "file": json.load(open("input.json"))}))`,
    ],
    [
      "node",
      `import { readFileSync } from "node:fs";
console.log("some words");
console.error("to the log");
console.log(JSON.stringify({ stdin: JSON.parse(readFileSync(0, "utf8")), file: JSON.parse(readFileSync("input.json", "utf8")) }));`,
    ],
    [
      "shell",
      `echo "to the log" >&2; printf '{"stdin": '; cat; printf ', "file": '; cat input.json; echo '}'`,
    ],
  ])("in %s gets its input on stdin and in a file, and answers on stdout", async (language, source) => {
    const input = { text: "ä \u{1F600} $(id) '\"" };
    expect(await call(language, source, input)).toEqual({
      ok: true,
      output: { stdin: input, file: input },
      duration_ms: expect.any(Number) as number,
      log: ["to the log"],
    });
  });

  it.each<[string, string, Json]>([
    ["nothing", "true", null],
    ["one line among others", "echo '{\"a\": 1}'; echo noise; echo '{\"a\": 2}'", { a: 2 }],
    ["a document of several lines", "echo noise; printf '{\\n  \"a\": [\\n    1\\n  ]\\n}\\n'", { a: [1] }],
    ["a number", "echo 7", 7],
  ])("may print %s", async (_what, source, output) => {
    expect(await sh(source)).toMatchObject({ ok: true, output });
  });

  it.each<[string, string, object]>([
    ["garbage", "head -c 100000 /dev/urandom", { code: "INVALID_OUTPUT" }],
    ["words", "echo hello", { code: "INVALID_OUTPUT" }],
    ["half a document", "echo '{\"a\":'", { code: "INVALID_OUTPUT" }],
    ["too much", "head -c 2000000 /dev/zero | tr '\\0' 1", { code: "TOO_MUCH_OUTPUT" }],
    [
      "an answer, and fails",
      "echo 1; echo first >&2; echo because >&2; exit 3",
      { code: "SCRIPT_FAILED", message: "it ended with exit code 3: because" },
    ],
    [
      "something that cannot be run",
      "nothing-of-that-name",
      { code: "SCRIPT_FAILED", message: expect.stringMatching(/exit code 127/) as string },
    ],
  ])("that prints %s fails", async (_what, source, failed) => {
    expect(await sh(source)).toMatchObject({ ok: false, ...failed });
  });

  it("is stopped at its time, though it ignores SIGTERM and prints for ever", async () => {
    const source = "trap '' TERM INT HUP; sleep 98761 & yes";
    expect(await sh(source, { time_ms: 300 })).toMatchObject({
      ok: false,
      code: "TOO_SLOW",
      message: expect.stringMatching(/300 ms/) as string,
    });
    await eventually(() => expect(processes().filter((line) => line.includes("98761"))).toEqual([]));
  });

  it("leaves no process behind, however it detached it", async () => {
    const source = "for i in $(seq 20); do (setsid nohup sleep 98762 >/dev/null 2>&1 &) ; done; echo 1";
    expect(await sh(source)).toMatchObject({ ok: true, output: 1 });
    await eventually(() => expect(processes().filter((line) => line.includes("98762"))).toEqual([]));
  });

  it("has few processes, so that forking harms nobody", async () => {
    const source = "for i in $(seq 300); do sleep 98763 & done 2>/dev/null; jobs | wc -l";
    const result = await sh(source);
    expect(result.ok ? result.output : 0).toBeLessThan(65);
    await eventually(() => expect(processes().filter((line) => line.includes("98763"))).toEqual([]));
  });

  it("cannot fill the disk, and what it wrote is gone with it", async () => {
    const source =
      "head -c 200000000 /dev/zero > big; echo $? ; stat -c %s big; rm big; echo kept > /tmp/kept; echo kept > kept";
    const result = await sh(`(${source}) >&2; echo 1`);
    expect(result).toMatchObject({ ok: true });
    const [code, size] = result.log.filter((line) => /^\d+$/.test(line)).map(Number);
    expect(code).not.toBe(0);
    expect(size).toBeLessThan(70_000_000);
    expect(await sh("ls kept /tmp/kept >/dev/null 2>&1 && echo true || echo false")).toMatchObject({
      output: false,
    });
  });

  it("that takes more memory than its limit ends there", async () => {
    const result = await call(
      "python",
      "data = bytearray(600_000_000)\nprint(len(data))",
      {},
      { memory_mb: 64, time_ms: HANG_MS },
    );
    expect(result).toMatchObject({
      ok: false,
      code: expect.stringMatching(/TOO_MUCH_MEMORY|SCRIPT_FAILED/) as string,
    });
  });

  it("reaches no network, not even this machine's own", async () => {
    let reached = false;
    const server = createServer(() => (reached = true)).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const source = `import socket, json
found = []
for address in [("127.0.0.1", ${port}), ("1.1.1.1", 53)]:
    try:
        socket.create_connection(address, 2).close()
        found.append(address)
    except OSError:
        pass
print(json.dumps(found))`;
    expect(await call("python", source)).toMatchObject({ ok: true, output: [] });
    expect(reached).toBe(false);
    server.close();
  });

  it("sees nothing of the hub's data, its variables or its arguments", async () => {
    process.env["PROCTOR_TEST_SECRET"] = "of-the-hub";
    const source = `(ls -A ${folder} ${tmpdir()} /home; env; cat /proc/*/environ /proc/*/cmdline) 2>/dev/null | tr '\\0' '\\n' >&2; echo 1`;
    const { log } = await sh(source);
    delete process.env["PROCTOR_TEST_SECRET"];
    expect(log.join("\n")).not.toMatch(/of-the-hub|proctor\.db|vitest/);
  });

  it("is ended when the caller leaves", async () => {
    await opened.tools.put({
      name: "long",
      language: "shell",
      source: "sleep 98764",
      parameters: { type: "object" },
    });
    const leaving = new AbortController();
    const running = opened.tools.call("long", {}, leaving.signal);
    await eventually(() => expect(processes().filter((line) => line.includes("98764"))).not.toEqual([]));
    leaving.abort(new Error("gone"));
    await expect(running).rejects.toThrow("gone");
    await eventually(() => expect(processes().filter((line) => line.includes("98764"))).toEqual([]));
  });

  it("never runs on the machine itself unless the hub allows it", async () => {
    const tool: NewScriptTool = {
      name: "here",
      language: "shell",
      source: "pwd",
      parameters: { type: "object" },
      environment: "local",
    };
    await opened.tools.put(tool);
    await expectError(opened.tools.call("here", {}, signal), "ENVIRONMENT_UNAVAILABLE", /--unsafe-local/);
    const unsafe = serveEnvironments({ dataDir: folder, unsafeLocal: true, buildNetwork: "none" });
    const allowed = await openLocalScriptTools(unsafe);
    await allowed.tools.put({ ...tool, source: "cat input.json" });
    expect(await allowed.tools.call("here", { a: 1 }, signal)).toMatchObject({ ok: true, output: { a: 1 } });
    await unsafe.close();
    await allowed.close();
  });
});

it("A program as a tool is refused where the machine has no isolated environment", async () => {
  const opened = await openLocalScriptTools({
    ...serveEnvironments({ dataDir: "/nowhere", unsafeLocal: false, buildNetwork: "none" }),
    open: () => serveNothing(),
  });
  await opened.tools.put({
    name: "tool",
    language: "python",
    source: "print(1)",
    parameters: { type: "object" },
  });
  await expectError(
    opened.tools.call("tool", {}, signal),
    "ENVIRONMENT_UNAVAILABLE",
    /no isolated environment/,
  );
  await opened.close();
});

/** What a machine without bubblewrap and without a container engine answers. */
async function serveNothing(): Promise<never> {
  const { openEnvironments } = await import("../../environments/open-environments.ts");
  const none = openEnvironments({
    providers: [],
    unsafeLocal: false,
    buildNetwork: "none",
    build: () => Promise.reject(new Error("nothing is built here")),
    toolchain: () => Promise.reject(new Error("no tools are needed here")),
  });
  await none.open({ id: "x", role: "agent", options: {}, signal });
  throw new Error("an environment was opened");
}

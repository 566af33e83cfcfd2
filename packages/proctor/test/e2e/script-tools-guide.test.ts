// The guide "Script tools" through the built program, followed from an empty folder; and what is left of tools when their hub is killed.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { parseCommandLine } from "../../src/core/command-line.ts";
import type { RunEvent } from "../../src/core/event.ts";
import { lacksBwrap } from "../support/bwrap.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { blocks } from "../support/markdown.ts";
import type { Ended } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const guide = readFileSync(
  fileURLToPath(new URL("../../../../docs/guides/script-tools.md", import.meta.url)),
  "utf8",
);
const folder = temporaryFolder("script-tools-guide");

interface Step {
  command: string;
  /** The lines below the command. */
  shown: string;
}

/** The commands of the guide, in order. */
const steps: Step[] = blocks(guide, "").flatMap((block) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [command = "", ...lines] = text.split("\n");
      return { command, shown: lines.join("\n").trim() };
    }),
);

beforeAll(() => {
  for (const language of ["js", "python", "yaml"]) {
    for (const code of blocks(guide, language)) {
      const [, name = ""] = /^(?:\/\/|#) (\S+)\n/.exec(code) ?? [];
      writeFileSync(join(folder, name), code);
    }
  }
  writeFileSync(join(folder, "text.json"), blocks(guide, "json")[0] ?? "");
});

async function follow({ command, shown }: Step): Promise<Ended> {
  const [, ...args] = parseCommandLine(command);
  const ended = await runCommand(args, { folder });
  const seen = ended.stdout + ended.stderr.replace(/^(?:slugging|counting).*\n/gm, "");
  if (shown !== "") expect(seen.trim(), command).toBe(shown);
  return ended;
}

const about = (word: string) =>
  steps.filter(({ command }) => command.startsWith("proctor tools") && command.includes(word));

describe("the guide to script tools", { timeout: HANG_MS }, () => {
  it("adds and calls a script as it shows, and refuses what it says is refused", async () => {
    const codes: (number | null)[] = [];
    for (const step of [...about(" slug "), ...about(" broken ")]) codes.push((await follow(step)).code);
    expect(codes).toEqual([0, 0, 1, 2]);
  });

  it.skipIf(lacksBwrap("a program in an environment"))("adds and calls a program as it shows", async () => {
    for (const step of about(" words ")) expect(await follow(step)).toMatchObject({ code: 0 });
    const called = await runCommand(["tools", "call", "words", "--input", '{"text": "a b"}'], { folder });
    expect(called).toMatchObject({ stdout: '{"words":2}\n', stderr: "counting\n" });
  });

  it.skipIf(lacksBwrap("a program in an environment"))(
    "gives the tools to an agent, whose call is in the log",
    async () => {
      const run = steps.find(({ command }) => command.startsWith("proctor run")) ?? {
        command: "",
        shown: "",
      };
      expect(await follow(run)).toMatchObject({ code: 0 });
      const { stdout } = await runCommand(["runs", "events", "last", "--json"], { folder });
      const events = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as RunEvent);
      expect(events.filter(({ type }) => type === "tool.called").map(({ payload }) => payload)).toMatchObject(
        [{ tool: "slug", mode: "script", status: "success", output: { slug: "hello-world" } }],
      );
    },
  );

  it("serves the tools over HTTP and MCP as it shows", async () => {
    const hub = await startHubProcess({ folder });
    const curl = steps.find(({ command }) => command.startsWith("curl"));
    const words = parseCommandLine(curl?.command ?? "");
    const { pathname } = new URL(words[2] ?? "");
    const answer = await hub.post<object>(pathname, JSON.parse(words.at(-1) ?? ""));
    expect(answer).toEqual({
      ...(JSON.parse(curl?.shown ?? "") as object),
      duration_ms: expect.any(Number) as number,
    });
    const client = new Client({ name: "guide", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp`)));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("slug");
    const called = await client.callTool({ name: "slug", arguments: { text: "By MCP" } });
    expect(called.structuredContent).toEqual({ slug: "by-mcp" });
    await client.close();
    // A command finds the hub that runs, and the same tools.
    const shown = await runCommand(["tools", "list", "--json"], { folder });
    expect(JSON.parse(shown.stdout)).toMatchObject({ next_cursor: null });
    const removed = await runCommand(["tools", "remove", "slug"], { folder });
    expect(removed.code).toBe(0);
    expect((await hub.send("GET", "/script-tools/slug")).status).toBe(404);
    expect(await hub.stop()).toBe(0);
  });
});

describe("script tools of a hub that is killed", { timeout: HANG_MS }, () => {
  it.skipIf(lacksBwrap("programs of a killed hub"))(
    "leave no program running, and are there again after a restart",
    async () => {
      const place = temporaryFolder("killed-script-tools");
      const hub = await startHubProcess({ folder: place });
      const tool = {
        name: "long",
        language: "shell",
        parameters: { type: "object" },
        limits: { time_ms: 300_000 },
      };
      await hub.post("/script-tools", { ...tool, source: "setsid sleep 98771 & sleep 98771" });
      const call = hub.post("/script-tools/long/call", { input: {} }).catch((error: unknown) => error);
      await eventually(() => expect(sleeping("98771")).not.toEqual([]));
      await hub.stop("SIGKILL");
      await call;
      const next = await startHubProcess({ folder: place });
      await eventually(() => expect(sleeping("98771")).toEqual([]));
      expect(await next.get("/script-tools/long")).toMatchObject(tool);
      await next.stop();
    },
  );
});

/** The processes of this machine that sleep for so long. */
function sleeping(seconds: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return (
        /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(`sleep\0${seconds}`)
      );
    } catch {
      return false;
    }
  });
}

// The guide "Register agents", followed from an empty folder with the built program; and a restart of its hub by kill -9.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { parseCommandLine } from "../../src/core/command-line.ts";
import type { Json } from "../../src/core/json.ts";
import type { BeatAnswer, Registered, RegisteredAgent } from "../../src/core/registration.ts";
import { HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { startProgram, type StartedProgram } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const guide = readFileSync(
  fileURLToPath(new URL("../../../../docs/guides/register-agents.md", import.meta.url)),
  "utf8",
);
const commands = [...guide.matchAll(/^\$ (.+)$/gm)].map(([, line = ""]) => parseCommandLine(line));
const folder = temporaryFolder("register-guide");
let hub: HubProcess | undefined;
let peer: StartedProgram | undefined;
let peerUrl = "";

afterAll(async () => {
  peer?.child.kill("SIGTERM");
  await peer?.ended;
  await hub?.stop();
});

/** What a command of the guide printed, or what it was answered. */
async function follow([program = "", ...args]: string[]): Promise<string> {
  if (program === "curl") {
    const [path = ""] = args.filter((arg) => arg.startsWith("http")).map((url) => new URL(url).pathname);
    return JSON.stringify(await hub?.post(path, JSON.parse(args.at(-1) ?? "") as Json));
  }
  if (args[0] === "up") {
    hub = await startHubProcess({ folder });
    return hub.output();
  }
  if (args[0] === "mock") {
    peer = startProgram([...args.slice(0, -1), "0"], { folder });
    [peerUrl = ""] = await peer.printed(/http:\/\/127\.0\.0\.1:\d+/);
    return peerUrl;
  }
  const { stdout } = await runCommand(
    args.map((arg) => arg.replace("http://127.0.0.1:8090", peerUrl)),
    { folder },
  );
  return stdout;
}

describe("the guide to registering agents", { timeout: HANG_MS }, () => {
  it("can be followed line by line", async () => {
    const shown: Record<string, string> = {};
    for (const command of commands) shown[command.slice(1).join(" ").slice(0, 40)] = await follow(command);
    const of = (start: string) => Object.entries(shown).find(([key]) => key.startsWith(start))?.[1] ?? "";
    expect(of("agents list")).toMatch(/summariser +envelope\+inbox:summariser +leased +● online +2\/8/);
    expect(of("agents show summariser")).toMatch(/can +summarise[^]*labels +team=docs[^]*history/);
    expect(of(`agents search summarise --input {"text"`)).toMatch(/summariser +1\.2\.0/);
    const [, refusal = ""] = /^(no agent can do[^`]+)```/m.exec(guide) ?? [];
    expect(of(`agents search summarise --input {"word`)).toBe(refusal);
    expect(of("agents drain")).toMatch(/draining/);
    expect(of("agents resume")).toMatch(/online/);
    expect(of("agents add peer")).toMatch(/added peer[^]*a2a\+http/);
    expect(of("agents show peer")).toMatch(/probed/);
  });

  it("holds after kill -9 of the hub: nobody is gone, and nobody is declared dead", async () => {
    const registered = await hub?.post<Registered>("/registry/agents", { name: "survivor" });
    await hub?.stop("SIGKILL");
    hub = await startHubProcess({ folder });
    const { health } = await hub.get<RegisteredAgent>("/registry/agents/survivor");
    expect(health.state).toBe("unknown");
    const beat = { instance: registered?.instance };
    const answer = await hub.post<BeatAnswer>("/registry/agents/survivor/heartbeat", beat);
    expect(answer.state).toBe("online");
  });
});

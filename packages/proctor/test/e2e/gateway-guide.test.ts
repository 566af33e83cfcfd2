// The guide "Test your gateway", as it is typed, in an empty folder; and what the command says when it cannot do it.
import { readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { freePort } from "../support/http/free-port.ts";
import { describe, expect, it } from "vitest";
import type { ConformDocument } from "../../src/conformance/document.ts";
import { parseCommandLine } from "../../src/core/command-line.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { block } from "../support/markdown.ts";
import { PROGRAM, startProgram } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const guide = readFileSync(new URL("../../../../docs/guides/test-your-gateway.md", import.meta.url), "utf8");
const scripts = [...guide.matchAll(/^```js\n(.*?)^```/gms)].map(([, code = ""]) => code);

/** The commands of the guide, with other ports: several tests run at once. */
function commandsAt(port: number): string[][] {
  return [...guide.matchAll(/^\$ (.*)$/gm)].map(([, line = ""]) => [
    ...parseCommandLine(line.replaceAll(/\b(?:8080|3001)\b/g, String(port))).slice(1),
    "--upstream",
    "127.0.0.1:0",
  ]);
}

async function isGone(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => false,
    () => true,
  );
}

/** Writes the guide's gateway, with more before its card is sent. */
function writeGateway(folder: string, port: number, more = ""): void {
  const [code = ""] = scripts;
  const before = "    return response.setHeader";
  writeFileSync(
    join(folder, "gateway.mjs"),
    code.replace("8080", String(port)).replace(before, `${more}${before}`),
  );
}

describe("the guide to testing a gateway", { timeout: HANG_MS }, () => {
  it("finds the fault that it shows, its line mends it, and nothing stays running", async () => {
    const folder = temporaryFolder("gateway-guide");
    const port = await freePort();
    const [whole = [], alone = []] = commandsAt(port);
    writeGateway(folder, port);

    const before = await runCommand([...whole, "--json"], { folder });
    const document = JSON.parse(before.stdout) as ConformDocument;
    expect(document).toMatchObject({ protocol: "a2a", transport: "gateway", reachable: true });
    expect(document.title).toBe("A2A gateway 1.0, 0.3");
    const failed = document.rules.filter(({ grade }) => grade === "failed").map(({ id }) => id);
    expect(failed).toContain("gateway.card.signature");
    expect(failed).toContain("gateway.trouble.down");
    expect(document.summary.passed).toBeGreaterThan(30);
    expect(await isGone(port)).toBe(true);

    const shown = await runCommand(alone, { folder });
    expect(shown.code).toBe(1);
    expect(shown.stdout).toContain(`conformance of http://127.0.0.1:${port} as a gateway\n`);
    const [seen = ""] = /^✗ gateway\.card\.signature.*?^```/ms.exec(guide) ?? [];
    for (const line of seen.split("\n").slice(0, -1)) expect(shown.stdout).toContain(`${line}\n`);

    writeGateway(folder, port, scripts[1]);
    expect(await runCommand(alone, { folder })).toMatchObject({ code: 0, stderr: "" });
    expect(await isGone(port)).toBe(true);
  });

  it("finds nothing wrong with the gateway of a hub", async () => {
    const folder = temporaryFolder("gateway-own");
    const port = await freePort();
    const [, , own = []] = commandsAt(port);
    writeFileSync(join(folder, "proctor.yaml"), block(guide, "yaml", "# proctor.yaml"));
    const command = own.map((word) => (word === "proctor up" ? `${process.execPath} ${PROGRAM} up` : word));
    const { code, stdout } = await runCommand(command, { folder, env: { API_PORT: String(port) } });
    expect(stdout.split("\n").filter((line) => /^[✗!·]/.test(line))).toEqual([]);
    expect(stdout).toContain(" 0 failed, 0 unevaluated");
    expect(stdout).toMatch(/^    measured: .* ms through the gateway/m);
    expect(code).toBe(0);
    expect(readFileSync(join(folder, "gateway.html"), "utf8")).toContain("through the gateway");
    expect(await isGone(port)).toBe(true);
  });
});

describe("proctor conform --gateway", { timeout: HANG_MS }, () => {
  const folder = temporaryFolder("gateway-usage");
  const gateway = ["conform", "--gateway", "http://127.0.0.1:1"];

  it.each([
    [["conform"], "the agent is missing"],
    [["conform", "writer", "--start", "x"], "--start needs --gateway <url>"],
    [["conform", "--gateway", "ftp://x"], "--gateway ftp://x: this is no address"],
    [[...gateway, "writer"], "--gateway takes no agent: writer"],
    [[...gateway, "--task", "x"], "--task is for agents, not for gateways"],
    [[...gateway, "--upstream", "x"], "--upstream x: this is no host and port"],
    [[...gateway, "--upstream", "10.0.0.1:80"], "only addresses of this machine's loopback can be used"],
  ])("%j is refused: %s", async (args, words) => {
    const { code, stderr } = await runCommand(args, { folder });
    expect(stderr).toContain(words);
    expect(code).toBe(2);
  });

  it("says where to forward to, and that nothing arrived there", async () => {
    const mute = createServer((_, response) => void response.writeHead(404).end()).listen(0, "127.0.0.1");
    await once(mute, "listening");
    const { port } = mute.address() as AddressInfo;
    const place = ["--upstream", "127.0.0.1:0"];
    const args = ["conform", "--gateway", `http://127.0.0.1:${port}`, ...place];
    const { code, stdout, stderr } = await runCommand(args, { folder });
    const [, address = ""] = /has to forward to (http:\S+)/.exec(stderr) ?? [];
    expect(stdout).toContain(`nothing that was sent to the gateway arrived at ${address}`);
    expect(stdout).toContain("--start");
    expect(stdout).toContain("0 passed, 0 failed, 1 unevaluated");
    expect(code).toBe(3);
    const gone = await runCommand([...gateway, ...place, "--only", "gateway.card.skills"], { folder });
    expect(gone.stdout).toContain("the gateway cannot be reached: http://127.0.0.1:1 refused the connection");
    expect(gone.code).toBe(3);
    const taken = await runCommand([...gateway, "--upstream", `127.0.0.1:${port}`], { folder });
    expect(taken.stderr).toContain(`cannot listen on 127.0.0.1:${port}: the port is in use`);
    expect(taken.code).toBe(2);
    mute.close();
  });

  it("says how a gateway that does not start has ended", async () => {
    const args = ["--start", "node no-such-gateway.mjs", "--upstream", "127.0.0.1:0"];
    const { code, stdout } = await runCommand([...gateway, ...args], { folder });
    expect(stdout).toMatch(/the gateway ended with 1: Error: Cannot find module/);
    expect(code).toBe(3);
  });

  it("ends the gateway that it started when it is interrupted", async () => {
    const port = await freePort();
    const [whole = []] = commandsAt(port);
    writeGateway(folder, port);
    const trial = startProgram(whole, { folder });
    await trial.printed(/gateway\.card\.served/);
    trial.child.kill("SIGINT");
    expect((await trial.ended).code).toBe(130);
    await eventually(async () => expect(await isGone(port)).toBe(true));
  });
});

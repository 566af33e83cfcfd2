// Cards that the built hub signs, and runs of the built program that drive the hub's agents only with a card by the right key.
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { runProgram } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { shellFixture } from "../support/test-hub.ts";

const TEST = { id: "t", name: "Runs", task: { description: "go" }, checks: [] };

let hub: HubProcess | undefined;
afterEach(async () => {
  await hub?.stop("SIGKILL");
  hub = undefined;
});

describe("a hub with a key for its cards", { timeout: HANG_MS }, () => {
  it("signs them so that a run that asks for the key goes on, and one that asks for another does not", async () => {
    const folder = temporaryFolder("a2a-signed");
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const pem = privateKey.export({ format: "pem", type: "pkcs8" });
    writeFileSync(join(folder, "card-key.pem"), pem);
    hub = await startHubProcess({ folder, args: ["--card-key", "card-key.pem"] });
    await hub.post("/agents", { name: "worker", ...shellFixture("ok") });
    const { keys } = await hub.get<{ keys: object[] }>("/.well-known/jwks.json");
    const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
    const elsewhere = temporaryFolder("a2a-signed-client");
    const address = `a2a+${hub.url}/a2a/worker`;
    const run = async (card_keys: object[]) => {
      const agents = [{ name: "signed", address, options: { card_keys } }];
      writeFileSync(
        join(elsewhere, "suite.yaml"),
        JSON.stringify({ test_suite: "signed", agents, tests: [TEST] }),
      );
      return runCommand(["test", "suite.yaml"], { folder: elsewhere });
    };
    expect(await run(keys)).toMatchObject({ code: 0 });
    const refused = await run([{ ...other, kid: "another", alg: "ES256" }]);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stdout).toContain("is not trusted");
    // Nothing but the public half leaves the hub.
    expect(JSON.stringify(keys)).not.toContain(String(privateKey.export({ format: "jwk" }).d));
  });

  it("does not start with a key that is none, and says which file it means", async () => {
    const folder = temporaryFolder("a2a-bad-key");
    writeFileSync(join(folder, "card-key.pem"), "no key\n");
    const args = ["up", "--port", "0", "--card-key", "card-key.pem"];
    const started = await runProgram(args, { folder });
    expect(started.code).toBe(2);
    expect(started.stderr).toMatch(/card-key\.pem: it is no private key[^]*--card-key/);
  });
});

// `proctor conform --acts` through the built program: a folder of tests on the scripted agent, in each of its profiles.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { ConformDocument } from "../../src/conformance/document.ts";
import { tckPack } from "../../src/doubles/scripted/packs/tck.ts";
import { startAgent } from "../support/doubles/scripted.ts";
import { HANG_MS } from "../support/eventually.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const acts = fileURLToPath(new URL("../fixtures/acts", import.meta.url));
const folder = temporaryFolder("conform-acts");
const GIVEN = [
  "--header=authorization=Bearer itk-valid-token",
  "--env=A2A_INSUFFICIENT_TOKEN=itk-insufficient-token",
  "--env=ACTS_BEHAVIOUR=tck-message-response",
];

it(
  "proctor conform --acts finds no fault in the scripted agent, in any of the three passes",
  { timeout: 3 * HANG_MS },
  async () => {
    const { url } = await startAgent({ script: tckPack(), grpcPort: 0 });
    const conform = (path: string, profile: string, ...flags: string[]) =>
      runCommand(["conform", `a2a+${url}${path}`, "--acts", acts, "--profile", profile, ...GIVEN, ...flags], {
        folder,
      });
    const main = await conform("", "main", "--json", "--reporter", "acts=main.json");
    const document = JSON.parse(main.stdout) as ConformDocument;
    const unevaluated = document.rules.filter(({ outcome }) => outcome !== "pass").map(({ id }) => id);
    expect(unevaluated).toEqual(["acts.WIRE-CLIENT-001", "acts.PASSES-SKILL-001"]);
    expect(document).toMatchObject({ title: "ACTS 1.0", bindings: ["JSONRPC", "HTTP+JSON", "GRPC"] });
    expect(main.code).toBe(3);
    expect(main.stdout).not.toContain("itk-valid-token");
    const reports = JSON.parse(readFileSync(join(folder, "main.json"), "utf8")) as { transport: string }[];
    expect(reports.map(({ transport }) => transport)).toEqual(["grpc", "jsonrpc", "rest"]);

    for (const profile of ["reduced", "auth"]) {
      const pass = await conform(`/${profile}`, profile);
      expect(pass).toMatchObject({ code: 0, stderr: "" });
      expect(pass.stdout).toMatch(/^1 passed, 0 failed, 0 unevaluated/m);
    }
    const open = await conform("", "auth");
    expect(open).toMatchObject({ code: 3 });
    expect(open.stdout).toContain("the card requires no credentials");
  },
);

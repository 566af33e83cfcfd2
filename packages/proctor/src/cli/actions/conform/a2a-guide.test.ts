// The guide "Is this A2A agent any good?", as it is typed.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { NO_PLATFORM } from "../../../../test/support/run/no-platform.ts";
import { createHubDouble, createIo } from "../../../../test/support/cli/program-double.ts";
import { startAgent } from "../../../../test/support/doubles/scripted.ts";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { parseCommandLine } from "../../../core/command-line.ts";
import { tckPack } from "../../../doubles/scripted/packs/tck.ts";
import { a2aConformance } from "../../../protocols/a2a/conform/conformance.ts";
import { composition } from "../../compose/compose.ts";
import type { Config } from "../../config/load-config.ts";
import { main } from "../../main.ts";

const guide = new URL("../../../../../../docs/guides/is-this-a2a-agent-any-good.md", import.meta.url);

test(
  "the guide to A2A conformance has a command that finds no fault in the scripted agent",
  { timeout: 2 * HANG_MS },
  async () => {
    const { url } = await startAgent({ script: tckPack({ streamingTimeoutMs: 50 }) });
    const line = (await readFile(guide, "utf8"))
      .split("\n")
      .find((each) => each.startsWith("$ proctor conform a2a+http:"));
    const [, ...argv] = parseCommandLine((line ?? "").slice(2).replace("http://127.0.0.1:8080", url));
    const io = createIo();
    const code = await main(argv, io, {
      ...composition,
      loadConfig: async () => ({}) as Config,
      openHub: async () => ({
        hub: createHubDouble(),
        platform: NO_PLATFORM,
        where: "in-process",
        onThisMachine: true,
        close: async () => {},
      }),
      conformance: async () => a2aConformance,
    });
    expect(io.out()).toMatch(/^\d+ passed, 0 failed, 0 unevaluated {2}in/m);
    expect(io.out()).not.toContain("itk-valid-token");
    expect(code).toBe(0);
  },
);

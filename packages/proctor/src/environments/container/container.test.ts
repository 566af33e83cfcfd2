// Containers of a real engine, where there is one: every promise of an environment, and what only containers promise.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { environmentCases } from "../environment.case.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { createContainerProvider } from "./provider.ts";
import { startTestEngine, usedEngine } from "../../../test/support/environments/test-engine.ts";
import { preparedEnvironment } from "../../../test/support/environments/prepared.ts";

const engine = await startTestEngine();
const stateDir = await mkdtemp(join(tmpdir(), "proctor-containers-"));

afterAll(async () => {
  if (!("reason" in engine)) await engine.stop();
  await rm(stateDir, { recursive: true, force: true });
});

describe.skipIf("reason" in engine)("containers", () => {
  const provider = createContainerProvider({ stateDir, ...("reason" in engine ? {} : { env: engine.env }) });

  function prepared(request: Partial<PreparedEnvironment> = {}): PreparedEnvironment {
    return preparedEnvironment({ image: usedEngine(engine).image, ...request });
  }

  environmentCases("container", (request) => provider.open(prepared(request)), {
    isolated: true,
    leftovers: async () => [...(await usedEngine(engine).leftovers()), ...(await readdir(stateDir))],
  });
});

// The environments of this machine, from their concrete parts. Each is loaded when it is first needed.
import { join } from "node:path";
import type { Toolchain } from "../../environments/toolchain/toolchain.ts";
import { openEnvironments } from "../../environments/open-environments.ts";
import type { Environments } from "../../core/ports/environments.ts";
import type { Config } from "../config/load-config.ts";

export interface MachineEnvironments extends Environments {
  /** Reports the test tools that a verifier without a network can use. */
  toolchain(): Promise<ToolchainReport>;
}

export interface ToolchainReport {
  /** The version of Python that was found. */
  python: string | undefined;
  /** The version of pytest that was found. */
  pytest: string | undefined;
  notes: readonly string[];
}

/** Environments by configuration, so that a command that is its own hub examines the machine once. */
const known = new WeakMap<EnvironmentOptions, MachineEnvironments>();

type EnvironmentOptions = Pick<Config, "dataDir" | "unsafeLocal" | "environmentRoot" | "buildNetwork">;

export function serveEnvironments(config: EnvironmentOptions): MachineEnvironments {
  const environments = known.get(config) ?? createEnvironments(config);
  known.set(config, environments);
  return environments;
}

function createEnvironments(config: EnvironmentOptions): MachineEnvironments {
  const stateDir = join(config.dataDir, "environments");
  let preparing: Promise<Toolchain> | undefined;
  const toolchain = (): Promise<Toolchain> => (preparing ??= loadToolchain(stateDir));
  const environments = openEnvironments({
    providers: [
      [
        "bwrap",
        async () =>
          (await import("../../environments/bwrap/provider.ts")).createBwrapProvider({
            stateDir: join(stateDir, "bwrap"),
          }),
      ],
      [
        "container",
        async () =>
          (await import("../../environments/container/provider.ts")).createContainerProvider({
            stateDir: join(stateDir, "container"),
            buildNetwork: config.buildNetwork,
          }),
      ],
      [
        "local",
        async () =>
          (await import("../../environments/local/provider.ts")).createLocalProvider({
            stateDir: join(stateDir, "local"),
          }),
      ],
    ],
    unsafeLocal: config.unsafeLocal,
    ...(config.environmentRoot !== undefined && { root: config.environmentRoot }),
    buildNetwork: config.buildNetwork,
    build: async (request) =>
      (await import("../../environments/build/build-image.ts")).buildImage({ ...request, stateDir }),
    toolchain,
  });
  return { ...environments, toolchain };
}

async function loadToolchain(stateDir: string): Promise<Toolchain> {
  const { prepareToolchain } = await import("../../environments/toolchain/toolchain.ts");
  return prepareToolchain({ stateDir });
}

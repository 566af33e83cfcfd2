// Reads proctor.yaml, with its schema and its parser. Loaded only where there is such a file: most commands have none.
import { dirname } from "node:path";
import { loadYaml } from "../../runtime/yaml/load-yaml.ts";
import type { Variables } from "../../runtime/yaml/variables.ts";
import { placeAgent } from "../../suites/agent-entry.ts";
import { findDuplicates } from "../../suites/relations.ts";
import { configFileSchema, type ConfigFile } from "./config-file.ts";

/** Reads the file. `displayName` is its name in problems. Paths of agents are taken from the file's own folder. */
export async function readConfigFile(
  path: string,
  displayName: string,
  variables: Variables,
): Promise<{ file: ConfigFile; folder: string }> {
  const folder = dirname(path);
  const file = await loadYaml(path, configFileSchema, {
    code: "CONFIG_INVALID",
    displayName,
    variables,
    allowEmpty: true,
    relations: (raw) => findDuplicates(raw, "agents", "name", "agent"),
  });
  return { file: { ...file, agents: file.agents.map((agent) => placeAgent(agent, folder)) }, folder };
}

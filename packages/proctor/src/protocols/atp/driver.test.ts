import type { Environment } from "../../core/ports/environments.ts";
import { startHere } from "../../runtime/processes/start-here.ts";
import { ATP_WORDS } from "../../../test/support/atp/driver-words.ts";
import { describeDriver } from "../protocol.case.ts";
import type { Stage } from "../../../test/support/protocols/puppet.ts";
import { ATP_STAGES, stdioStage } from "../../../test/support/atp/stages.ts";

/** The only part of an environment that a driver uses. */
const start: Environment["start"] = ({ command, env = {} }) => startHere({ command, env: { ...env } });

const environmentStage: Stage = {
  ...stdioStage,
  name: "stdio in an environment",
  raise: async (play) => ({ ...(await stdioStage.raise(play)), environment: { start } as Environment }),
};

for (const stage of [...ATP_STAGES, environmentStage]) describeDriver(stage, ATP_WORDS);

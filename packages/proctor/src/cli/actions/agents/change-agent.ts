// `proctor agents remove`, `drain`, `stop` and `resume`.
import { hubAction } from "../hub-action.ts";
import type { AgentCommand } from "../../../core/registration.ts";
import { stateText } from "../../terminal/agent-state.ts";
import type { DocumentFlags } from "../../flags.ts";

export const removeAgent = hubAction("write", async ({ hub, screen }, name: string, flags: DocumentFlags) => {
  await hub.removeAgent(name);
  if (flags.json === true) screen.printJson({ name, removed: true });
  else screen.print(`${screen.paint.green("✓")} removed ${screen.paint.bold(name)}`);
});

export const commandAgent = hubAction(
  "write",
  async ({ platform, screen }, command: AgentCommand, name: string, flags: DocumentFlags) => {
    const agent = await platform.registry.command(name, command);
    const { paint } = screen;
    if (flags.json === true) screen.printJson(agent);
    else
      screen.print(
        `${paint.green("✓")} ${paint.bold(name)} is told to ${command}  ${stateText(agent.health.state)}`,
      );
  },
);

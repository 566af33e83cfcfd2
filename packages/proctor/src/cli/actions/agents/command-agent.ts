// `proctor agents drain`, `stop` and `resume`.
import type { AgentCommand } from "../../../core/registration.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { stateText } from "../../terminal/agent-state.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { CommandFlags } from "./flags.ts";

export function commandAgent(
  command: AgentCommand,
  name: string,
  flags: CommandFlags,
  context: CommandContext,
): Promise<number> {
  return withHub(context, flags, "write", async ({ platform }) => {
    const agent = await platform.registry.command(name, command);
    const screen = createScreen(context.io);
    const { paint } = screen;
    if (flags.json === true) screen.printJson(agent);
    else
      screen.print(
        `${paint.green("✓")} ${paint.bold(name)} is told to ${command}  ${stateText(agent.health.state)}`,
      );
    return 0;
  });
}

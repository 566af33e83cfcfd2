// `proctor goal route`.
import { ProctorError } from "../../../core/errors.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { RouteFlags } from "./flags.ts";
import { readJsonFlag } from "./goal-request.ts";
import { routeLines } from "./preview-lines.ts";

export async function routeTask(flags: RouteFlags, context: CommandContext): Promise<number> {
  const { capability, agent, version } = flags;
  if (capability === undefined && agent === undefined)
    throw new ProctorError(
      "USAGE",
      "--capability or --agent is missing\nfor example: proctor goal route --capability search",
    );
  const input =
    flags.input === undefined ? undefined : await readJsonFlag("--input", flags.input, context.io);
  return withHub(context, flags, "read", async ({ platform }) => {
    const decision = await platform.goals.route({
      ...(capability !== undefined && { capability }),
      ...(agent !== undefined && { agent }),
      ...(version !== undefined && { version }),
      ...(input !== undefined && { input }),
    });
    const screen = createScreen(context.io);
    if (flags.json === true) screen.printJson(decision);
    else screen.print(...routeLines(decision, screen));
    return decision.agent === null ? 1 : 0;
  });
}

// `proctor tools show`.
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { field } from "../../terminal/run-summary.ts";
import { createScreen } from "../../terminal/screen.ts";
import { manyLines, oneLine } from "../../terminal/text.ts";
import type { ShowToolFlags } from "./flags.ts";

export function showTool(name: string, flags: ShowToolFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ platform }) => {
    const tool = await platform.scriptTools.get(name);
    const screen = createScreen(context.io);
    if (flags.json === true) {
      screen.printJson(tool);
      return 0;
    }
    const { paint } = screen;
    const {
      language,
      version = "",
      description = "",
      parameters,
      returns,
      limits,
      environment,
      image,
    } = tool;
    const show = (value: object | undefined): string =>
      value === undefined ? "" : oneLine(JSON.stringify(value));
    screen.print(
      `${paint.bold(name)}  ${oneLine(description)}`,
      ...field("language", [language], paint),
      ...field("version", [oneLine(version)], paint),
      ...field("environment", [environment ?? ""], paint),
      ...field("image", [oneLine(image ?? "")], paint),
      ...field("parameters", [show(parameters)], paint),
      ...field("returns", [show(returns)], paint),
      ...field("limits", [show(limits)], paint),
      ...field("sha256", [tool.sha256], paint),
      "",
      manyLines(tool.source.trimEnd()),
    );
    return 0;
  });
}

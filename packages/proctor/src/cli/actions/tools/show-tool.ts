// `proctor tools show`.
import { hubAction } from "../hub-action.ts";
import { field } from "../../terminal/run-summary.ts";
import { manyLines, oneLine } from "../../terminal/text.ts";
import type { DocumentFlags } from "../../flags.ts";

export const showTool = hubAction(
  "read",
  async ({ platform, screen }, name: string, flags: DocumentFlags) => {
    const tool = await platform.scriptTools.get(name);
    if (flags.json === true) return screen.printJson(tool);
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
  },
);

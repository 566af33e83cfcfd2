// The script tools of a hub as agents: `script-tool:<name>`, whose one capability is the tool.
import type { Protocol } from "../protocol.ts";
import { createScriptToolDriver } from "./driver.ts";

export const scriptTool: Protocol = {
  id: "script-tool",
  transports: ["script-tool"],
  versions: ["1"],
  createDriver: ({ scriptTools }) => createScriptToolDriver(scriptTools),
};

// What a hub offers beside runs: document 004. In this process (cli/compose/), and over HTTP (hub/).
import type { ScriptTools } from "./script-tools.ts";

export interface Platform {
  // Each part adds its port here: registry, messages, tokens, scriptTools.
  scriptTools: ScriptTools;
}

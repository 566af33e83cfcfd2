// What a hub offers besides runs: document 004. In this process (cli/compose/), and over HTTP (hub/).
import type { Doubles } from "./doubles.ts";
import type { ConformanceReports } from "./conformance-reports.ts";
import type { Evaluations } from "./evaluations.ts";
import type { Goals } from "./goals.ts";
import type { Messages } from "./messages.ts";
import type { Registry } from "./registry.ts";
import type { ScriptTools } from "./script-tools.ts";
import type { Tokens } from "./tokens.ts";
import type { Workers } from "./workers.ts";

export interface Platform {
  doubles: Doubles;
  conformance: ConformanceReports;
  evaluations: Evaluations;
  goals: Goals;
  messages: Messages;
  registry: Registry;
  scriptTools: ScriptTools;
  tokens: Tokens;
  workers: Workers;
}

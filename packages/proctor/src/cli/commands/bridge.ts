// `proctor bridge`: an agent of one version of a protocol, for clients of another.
import type { Command } from "commander";
import { BRIDGE_FLAGS } from "../actions/bridge/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

export function defineBridge(program: Command, execute: Execute): void {
  const bridge = program
    .command("bridge")
    .summary("put an agent before clients of another version")
    .description("Put an agent of one version of a protocol before clients of another.");
  defineCommand(bridge, execute, {
    name: "a2a",
    summary: "an A2A agent of 0.3 for clients of 1.0, or the other way round",
    description: "Put an A2A agent of one version before clients of the other, and show what is lost.",
    arguments: [["<agent>", "the agent's address: http://…, https://… or a2a+http://…"]],
    flags: BRIDGE_FLAGS,
    examples: [
      "proctor bridge a2a http://localhost:9999 --to 1.0",
      "proctor bridge a2a https://example.com/agent --to 0.3 --port 0 --log crossings.jsonl",
      'proctor run --agent a2a+http://127.0.0.1:8082 --task "Say hello."',
    ],
    note: `Clients find the bridge's card at /.well-known/agent-card.json. Ids, files and
credentials pass as they are; what the other version cannot say is shown here and
noted in the metadata of the answer. There are no push notifications: the agent's
would come in its own version. Ctrl-C stops it and sums the losses up.`,
    action: async () => (await import("../actions/bridge/bridge-agent.ts")).bridgeAgent,
  });
}

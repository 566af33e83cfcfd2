// Lets the hub that knows the agent keep what came of a trial. A hub that refuses it costs a warning, never a verdict.
import { keptReport } from "../../../conformance/kept-report.ts";
import type { ConformDocument } from "../../../conformance/document.ts";
import { AGENT_NAME } from "../../../core/agent.ts";
import { isAddress } from "../../../core/address.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import type { ConformFlags } from "./flags.ts";

export async function recordReport(
  document: ConformDocument,
  flags: ConformFlags,
  context: CommandContext,
): Promise<void> {
  if (!isKept(document, flags)) return;
  const { stderr } = context.io;
  try {
    await withHub(context, flags, "write", async ({ platform }) => {
      await platform.conformance.record(document.agent, keptReport(document));
      return 0;
    });
  } catch (error) {
    const [why = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    stderr.write(`warning: the hub did not keep the report: ${why}\n`);
  }
}

/** Whether the hub keeps the report: only a whole trial of a registered agent by the rules of its own protocol says how the agent is. */
function isKept({ agent, complete }: ConformDocument, flags: ConformFlags): boolean {
  const isNamed = !isAddress(agent) && AGENT_NAME.test(agent);
  const isAgent = flags.gateway === undefined && flags.asAgent === undefined && flags.acts === undefined;
  return complete && isNamed && isAgent;
}

// `proctor bridge a2a`: puts an agent of one version of A2A before clients of the other, and shows requests and what is lost in translation.
import { isAddress, parseAddress } from "../../../core/address.ts";
import { ProctorError } from "../../../core/errors.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { parsePairs } from "../key-values.ts";
import { serveCalls } from "../mock/serve-calls.ts";
import { createBridgeReport } from "./bridge-report.ts";
import type { BridgeFlags } from "./flags.ts";

export async function bridgeAgent(
  agent: string,
  flags: BridgeFlags,
  context: CommandContext,
): Promise<number> {
  const { io, composition } = context;
  const { to } = flags;
  if (to === undefined)
    throw new ProctorError("USAGE", "say which version the clients speak: --to 1.0 or --to 0.3");
  const options = {
    url: urlOf(agent),
    to,
    port: flags.port,
    headers: parsePairs("--header", flags.header ?? []),
    passHeaders: flags.passHeader,
  };
  const report = createBridgeReport(createScreen(io), { json: flags.json === true });
  return serveCalls(context, flags, undefined, report, async (serving) => {
    await composition.serveBridge({ ...options, ...serving });
  });
}

/** Returns the URL of an address that is given with or without its protocol. */
function urlOf(agent: string): URL {
  const text = isAddress(agent) ? (parseAddress(agent).url ?? "") : agent;
  if (/^https?:/i.test(text) && URL.canParse(text)) return new URL(text);
  throw new ProctorError(
    "USAGE",
    "a bridge needs the address of an A2A agent over HTTP\nfor example: proctor bridge a2a http://localhost:9999 --to 1.0",
  );
}

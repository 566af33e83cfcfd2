// The gateway that `proctor conform --gateway` tries: where it is, where the agent behind it is to be, and how it is started.
import { isIPv6 } from "node:net";
import { parseCommandLine } from "../../../core/command-line.ts";
import { ProctorError } from "../../../core/errors.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { parsePairs } from "../key-values.ts";
import type { Subject } from "./find-subject.ts";
import type { ConformFlags } from "./flags.ts";

const DEFAULT_UPSTREAM = "127.0.0.1:7777";
/** Hosts at which the agent behind a gateway may listen: it answers every request, so only this machine may reach it. */
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "::1"]);

/** Throws USAGE. */
export async function findGateway(
  url: string,
  flags: ConformFlags,
  { composition, io }: CommandContext,
): Promise<Subject> {
  const { upstream = DEFAULT_UPSTREAM, start, header = [] } = flags;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new ProctorError(
      "USAGE",
      `--gateway ${url}: this is no address\nfor example: http://localhost:8080`,
    );
  }
  const conformance = await composition.gatewayConformance({
    upstream: readUpstream(upstream),
    cwd: io.cwd,
    env: io.env,
    ...(start !== undefined && { command: parseCommandLine(start, 1) }),
    repeat: (id) => `proctor conform --gateway ${url}${flagWords(flags)} --only ${id}`,
    announce: (address) => {
      if (start === undefined) io.stderr.write(`the gateway has to forward to ${address}  (--upstream)\n`);
    },
  });
  const spec = {
    protocol: "a2a",
    transport: "gateway",
    url,
    ...(header.length > 0 && { headers: parsePairs("--header", header) }),
  };
  return { agent: url, spec, conformance };
}

/** Returns the flags that lead to the same gateway; headers may be secret, and are only named. */
function flagWords({ upstream, start, header = [] }: ConformFlags): string {
  return [
    ...(upstream === undefined ? [] : [` --upstream ${upstream}`]),
    ...(start === undefined ? [] : [` --start ${JSON.stringify(start)}`]),
    ...Object.keys(parsePairs("--header", header)).map((name) => ` --header "${name}=…"`),
  ].join("");
}

function readUpstream(text: string): { host: string; port: number } {
  const [, bracketed, plain = "", digits = ""] = /^(?:\[(.+)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  const next = `for example: --upstream ${DEFAULT_UPSTREAM}; port 0 takes any free one`;
  if (digits === "" || port > 65_535)
    throw new ProctorError("USAGE", `--upstream ${text}: this is no host and port\n${next}`);
  if (!LOOPBACK.has(host) || (bracketed !== undefined && !isIPv6(bracketed))) {
    throw new ProctorError(
      "USAGE",
      `--upstream ${text}: only addresses of this machine's loopback can be used\n${next}`,
    );
  }
  return { host, port };
}

// The one flag that this package reads: `--serve [port|host:port]`. All others belong to the agent.

export type Mode = { mode: "stdio" } | { mode: "serve"; host: string; port: number };

const DEFAULT_HOST = "127.0.0.1";

/** Throws a RangeError when the argument of `--serve` is not an address. */
export function parseArguments(argv: readonly string[]): Mode {
  const index = argv.findIndex((argument) => argument === "--serve" || argument.startsWith("--serve="));
  const flag = argv[index];
  if (flag === undefined) return { mode: "stdio" };
  const next = argv[index + 1];
  const address = flag.includes("=")
    ? flag.slice("--serve=".length)
    : next?.startsWith("-") === false
      ? next
      : "0";
  return { mode: "serve", ...parseAddress(address) };
}

function parseAddress(address: string): { host: string; port: number } {
  const [, host = DEFAULT_HOST, digits = ""] =
    /^(?:(\[[\da-f:.]+\]|[^:[\]\s]+):)?(\d{1,5})$/i.exec(address) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535)
    throw new RangeError(`--serve needs a port or host:port, not "${address}"`);
  return { host: host.replaceAll(/[[\]]/g, ""), port };
}

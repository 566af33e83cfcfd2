// Where a card may lead a client, and where the client's credentials may go: never to a host that only the card named.

export interface TrustedHosts {
  /** True when the agent's own address is encrypted. */
  readonly isSecure: boolean;
  /** Returns why the client does not go to the URL; undefined where it may. */
  refusal(url: URL): string | undefined;
  /** Returns true for hosts that the agent's own address or options name. */
  mayHaveCredentials(url: URL): boolean;
}

/** Host entry that lets a card lead anywhere, without credentials. */
const ANY_HOST = "*";

/** `allowed` are hosts, `host` for any port or `host:port`, or ANY_HOST. */
export function trustHosts(address: URL, allowed: readonly string[] = []): TrustedHosts {
  const isNamed = (url: URL): boolean =>
    originOf(url) === originOf(address) ||
    allowed.some((entry) => entry === hostOf(url) || entry === `${hostOf(url)}:${portOf(url)}`);
  /** Returns true for an unencrypted URL where the agent's address is encrypted. */
  const isWeaker = (url: URL): boolean => isSecure(address) && !isSecure(url);

  return {
    isSecure: isSecure(address),
    refusal(url) {
      if (isWeaker(url)) return `${url.protocol}//${url.host} is not encrypted, and the agent's address is`;
      if (isNamed(url) || allowed.includes(ANY_HOST)) return undefined;
      return `${hostOf(url)}:${portOf(url)} is another host than that of the agent's address; options.allow_hosts may name it`;
    },
    mayHaveCredentials: (url) => isNamed(url) && !isWeaker(url),
  };
}

function isSecure({ protocol }: URL): boolean {
  return protocol === "https:" || protocol === "grpcs:";
}

function originOf(url: URL): string {
  return `${isSecure(url) ? "secure" : "plain"} ${hostOf(url)}:${portOf(url)}`;
}

function hostOf({ hostname }: URL): string {
  return hostname.toLowerCase();
}

function portOf(url: URL): string {
  return url.port === "" ? (isSecure(url) ? "443" : "80") : url.port;
}

// Sends one POST to an address that a client gave: never to a private one, whatever its name resolves to, and without following
// redirects.
import { lookup as dnsLookup, type LookupAddress } from "node:dns";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { AllowHost } from "./allow-host.ts";
import { isPublicAddress } from "../runtime/addresses/public-address.ts";
import { withinTime } from "../runtime/time/within-time.ts";

/** `gone` means that the receiver wants no more events of this run. */
export type Outcome = "delivered" | "gone" | { problem: string };

export type Post = (
  url: string,
  body: string,
  headers: Record<string, string>,
  signal: AbortSignal,
) => Promise<Outcome>;

export interface PostOptions {
  allow: AllowHost;
  timeoutMs: number;
  /** Resolves host names in place of the system's resolver. */
  lookup?: LookupAll;
}

export type LookupAll = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const GONE = 410;

export function createPost({ allow, timeoutMs, lookup = dnsLookup }: PostOptions): Post {
  const guarded = guard(lookup);
  return (text, body, headers, signal) =>
    withinTime(
      signal,
      timeoutMs,
      (limit) =>
        new Promise((resolve) => {
          const url = new URL(text);
          const isAllowed = allow(url);
          const literal = url.hostname.replace(/^\[(.*)\]$/, "$1");
          if (!isAllowed && isIP(literal) !== 0 && !isPublicAddress(literal))
            return resolve({ problem: notPublic(url.hostname) });
          const send = url.protocol === "https:" ? httpsRequest : httpRequest;
          const sent = send(url, {
            method: "POST",
            headers: { ...headers, "content-length": Buffer.byteLength(body) },
            // A connection of its own: a kept one would skip the check of its address.
            agent: false,
            signal: limit,
            ...(!isAllowed && { lookup: guarded }),
          });
          sent.on("response", (response) => {
            const { statusCode = 0 } = response;
            // Only the status counts; the body is not read.
            response.destroy();
            if (statusCode >= 200 && statusCode < 300) resolve("delivered");
            else resolve(statusCode === GONE ? "gone" : { problem: `it answered ${statusCode}` });
          });
          sent.on("error", (error) => {
            const isLate = error.name === "AbortError" && !signal.aborted;
            resolve({ problem: isLate ? `no answer within ${timeoutMs} ms` : error.message });
          });
          sent.end(body);
        }),
    );
}

/** Connects only to the addresses that were checked. */
function guard(lookup: LookupAll): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || first === undefined) return callback(error ?? new Error(`${hostname} has no address`), []);
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new Error(notPublic(hostname)), []);
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function notPublic(host: string): string {
  return `${host} is not a public address\nadd it to PROCTOR_WEBHOOK_HOSTS (webhook_hosts in proctor.yaml) if it may be reached`;
}

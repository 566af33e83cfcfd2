// Sends one POST to an address that a client gave: never to a private one, whatever its name resolves to, and without following
// redirects.
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import type { AllowHost } from "./allow-host.ts";
import { createGuardedLookup, type LookupAll } from "../runtime/addresses/guarded-lookup.ts";
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

const GONE = 410;

export function createPost({ allow, timeoutMs, lookup }: PostOptions): Post {
  const guarded = createGuardedLookup(notPublic, lookup);
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

function notPublic(host: string): string {
  return `${host} is not a public address\nadd it to PROCTOR_WEBHOOK_HOSTS (webhook_hosts in proctor.yaml) if it may be reached`;
}

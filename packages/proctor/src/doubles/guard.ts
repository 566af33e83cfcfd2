// Who may ask a double that stands in for a server: with a key, callers that send it; without one, every caller but a web page that makes a browser
// on this machine ask (cross-site requests, DNS rebinding).
import { hash, timingSafeEqual } from "node:crypto";
import { isLoopback } from "../runtime/addresses/is-loopback.ts";
import { ApiError } from "../runtime/openai/api-error.ts";

/** Throws ApiError for a request that must not be answered. */
export type Guard = (request: Request) => void;

export function createGuard({ key, local }: { key: string | undefined; local: boolean }): Guard {
  if (key !== undefined) return keyGuard(key);
  return ({ headers }) => {
    const host = headers.get("host") ?? "";
    const origin = headers.get("origin");
    if (local && !isLoopback(host.toLowerCase().replace(/:\d*$/, ""))) {
      throw new ApiError(
        403,
        "without a key this mock answers only to names of this machine, like localhost",
      );
    }
    if (origin === null || (URL.canParse(origin) && new URL(origin).host === host.toLowerCase())) return;
    throw new ApiError(403, "the request came from a page of another site");
  };
}

function keyGuard(key: string): Guard {
  const wanted = digest(key);
  return ({ headers }) => {
    const [, given] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
    if (given === undefined) {
      throw new ApiError(401, "a key is missing; send it as Authorization: Bearer <key>");
    }
    if (timingSafeEqual(wanted, digest(given))) return;
    // The message does not repeat the key, which may be that of a real service.
    throw new ApiError(401, "the key is not the one of this mock", { code: "invalid_api_key" });
  };
}

function digest(text: string): Buffer {
  return Buffer.from(hash("sha256", text, "hex"), "latin1");
}

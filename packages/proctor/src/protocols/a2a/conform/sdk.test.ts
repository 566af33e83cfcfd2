// Agents on the official SDKs, as they come: what conformance finds in them is known, rule by rule. A difference is a change of the SDK, or a
// mistake of ours.
import { describe, expect, it } from "vitest";
import { serveSdk03, serveSdk1, type SdkServer } from "../../../../test/support/a2a/sdk-servers.mjs";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { a2aConformance } from "./conformance.ts";

/** Headers of the card that are recommended or allowed, and ids of frames: neither SDK has all of them. */
const HEADERS = ["a2a.card.last_modified", "a2a.card.old_place"];
const NO_MAX_AGE = "a2a.card.cache";
const NO_FRAME_IDS = "a2a.resume.last_event_id";
/** Messages without parts are passed on to the agent. */
const TAKES_NO_PARTS = "a2a.send.no_parts";
/** A role that does not exist is passed on as an unknown one. */
const TAKES_ANY_ROLE = "a2a.send.role";
/** A request without an id is answered as if it had one. */
const ANSWERS_NOTIFICATIONS = "a2a.rpc.notification";

const SERVERS: [name: string, serve: () => Promise<SdkServer>, broken: string[]][] = [
  [
    "1.3 over JSON-RPC",
    () => serveSdk1("JSONRPC"),
    // A request without a method is answered with -32602.
    [...HEADERS, NO_FRAME_IDS, TAKES_NO_PARTS, TAKES_ANY_ROLE, ANSWERS_NOTIFICATIONS, "a2a.rpc.request"],
  ],
  [
    "1.3 over HTTP+JSON",
    () => serveSdk1("HTTP+JSON"),
    [...HEADERS, NO_FRAME_IDS, TAKES_NO_PARTS, TAKES_ANY_ROLE],
  ],
  [
    "0.3 over JSON-RPC",
    () => serveSdk03("JSONRPC"),
    // A request for a task without its id is answered with -32001.
    [...HEADERS, NO_MAX_AGE, TAKES_NO_PARTS, TAKES_ANY_ROLE, ANSWERS_NOTIFICATIONS, "a2a.rpc.params"],
  ],
  [
    "0.3 over HTTP+JSON",
    () => serveSdk03("HTTP+JSON"),
    // A subscription to a task that does not exist fails inside the SDK, which says so.
    [...HEADERS, NO_MAX_AGE, TAKES_NO_PARTS, "a2a.subscribe.unknown"],
  ],
];

describe.each(SERVERS)(
  "conformance of an agent on SDK %s",
  { timeout: 2 * HANG_MS },
  (_name, serve, broken) => {
    it("finds what is known to be wrong with it, and nothing else", async () => {
      const served = await serve();
      const found: string[] = [];
      const { signal } = new AbortController();
      const agent = { protocol: "a2a", transport: "http", url: served.url };
      for await (const { outcome, rule } of a2aConformance.check(agent, { timeoutMs: HANG_MS, signal })) {
        if (outcome === "fail") found.push(rule.id);
      }
      await served.close();
      expect(found.toSorted()).toEqual(broken.toSorted());
    });
  },
);

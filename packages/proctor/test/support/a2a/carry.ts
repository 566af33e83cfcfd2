// A message of one version as the other's, with what is lost on the way: what a gateway between two versions does, without the gateway.
import type { Json } from "../../../src/core/json.ts";
import type {
  Loss,
  RequestOperation,
  ResultOperation,
  WireProblem,
} from "../../../src/protocols/a2a/codec.ts";
import { codecOf } from "../../../src/protocols/a2a/codecs.ts";
import type { A2aVersion } from "../../../src/protocols/a2a/service.ts";

/** What a message is: nothing in it says so. */
export type Carried = { request: RequestOperation } | { result: ResultOperation } | "frame" | "card";

export interface CarriedMessage {
  json: Json;
  losses: Loss[];
  /** Where an agent's message departed from its own version. */
  problems: WireProblem[];
}

/** Throws A2aError where the message cannot be read in its own version. */
export function carry(json: Json, what: Carried, from: A2aVersion, to: A2aVersion): CarriedMessage {
  const [source, target] = [codecOf(from), codecOf(to)];
  const losses: Loss[] = [];
  const problems: WireProblem[] = [];
  const carried = (): Json => {
    if (what === "frame") return target.encodeFrame(source.decodeFrame(json, problems), losses);
    if (what === "card") return target.encodeCard(source.decodeCard(json, problems), losses);
    if ("request" in what) {
      return target.encodeRequest(what.request, source.decodeRequest(what.request, json), losses);
    }
    return target.encodeResult(what.result, source.decodeResult(what.result, json, problems), losses);
  };
  return { json: carried(), losses, problems };
}

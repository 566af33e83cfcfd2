// What an agent's `options` may say about how it is reached.
import { z } from "zod";
import type { JsonObject } from "../../../core/json.ts";
import { addError, checkValue, type Finding } from "../../../runtime/yaml/findings.ts";
import { authOptions, tlsOptions } from "../../../runtime/schemas/credentials.ts";
import { A2A_VERSIONS, BINDINGS } from "../service.ts";

/** Matches a host, with or without a port, or `*`. */
const HOST = /^(\*|(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?)$/i;

const uri = z
  .string()
  .min(1)
  .max(2000)
  .regex(/^[^\s,]+$/, "must be a URI, without blanks and commas");

const schema = z
  .strictObject({
    /** Binding that is used; the first usable one in the order of the card when absent. */
    binding: z.enum(BINDINGS).exactOptional(),
    version: z.enum(A2A_VERSIONS).exactOptional(),
    interface: z.url({ protocol: /^(https?|grpcs?)$/ }).exactOptional(),
    /** False to work without a card: then `binding` and `version` say what is spoken. */
    card: z.boolean().default(true),
    /** JSON Web Keys; the card must be signed with one of them. */
    card_keys: z.array(z.record(z.string(), z.json())).min(1).exactOptional(),
    /** Hosts besides that of the address to which the card may lead. */
    allow_hosts: z
      .array(z.string().regex(HOST, `must be a host, "host:port", or "*"`))
      .transform((hosts) => hosts.map((host) => host.toLowerCase()))
      .default([]),
    /** Tenant that is sent where no card names one. */
    tenant: z.string().exactOptional(),
    /** URIs of the extensions that are requested. */
    extensions: z.array(uri).default([]),
    /** Whether updates are streamed; what the card says when absent. */
    stream: z.boolean().exactOptional(),
    /** Media types in which the agent may answer. */
    accepted_output_modes: z.array(z.string().min(1)).exactOptional(),
    /** Value of `metadata` in every message. */
    metadata: z.record(z.string(), z.json()).exactOptional(),
    auth: authOptions.exactOptional(),
    tls: tlsOptions.exactOptional(),
  })
  .superRefine(({ card, binding, version, card_keys: keys }, context) => {
    if (card) return;
    if (binding === undefined || version === undefined) {
      const lacks = [binding === undefined ? "binding" : [], version === undefined ? "version" : []].flat();
      addError(context, new Error(`without a card, options must say "${lacks.join(`" and "`)}"`), ["card"]);
    }
    if (keys !== undefined) {
      addError(context, new Error(`"card_keys" are of no use without a card`), ["card_keys"]);
    }
  });

export type A2aOptions = z.infer<typeof schema>;

export function readOptions(
  options: JsonObject,
): { ok: true; value: A2aOptions } | { ok: false; findings: Finding[] } {
  return checkValue(schema, options, "options");
}

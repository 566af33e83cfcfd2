// The grammar of ACTS, the A2A Conformance Test Specification, as schemas: documents, suites and tests. Unknown keys are refused. Steps are
// step-schema.ts; what a schema cannot see (variables, paths, relations) is check-document.ts.
import { z } from "zod";
import type { Json } from "../../../core/json.ts";
import { namedAssertion, stepSchema } from "./step-schema.ts";

/** Names of the three bindings in ACTS. */
const TRANSPORTS = ["jsonrpc", "rest", "grpc"] as const;
export type Transport = (typeof TRANSPORTS)[number];

const RUNNER_REQUIREMENTS = [
  "webhook_endpoint",
  "concurrent_streams",
  "stream_disconnect",
  "auth_credentials",
  "header_inspection",
] as const;
export type RunnerRequirement = (typeof RUNNER_REQUIREMENTS)[number];

const text = z.string().min(1);
const texts = z.array(text);
const json = z.custom<Json>((value) => value !== undefined);

const preconditions = z.strictObject({
  capabilities: z.record(z.string(), json).exactOptional(),
  authentication: z.boolean().exactOptional(),
  skills: z.array(z.strictObject({ id: text })).exactOptional(),
  transport: z.array(z.enum(TRANSPORTS)).exactOptional(),
  extensions: texts.exactOptional(),
  description: z.string().exactOptional(),
});

const test = z.strictObject({
  /** It becomes the name of a rule, so that it holds no blank and no dot. */
  id: z.string().regex(/^[A-Za-z0-9][\w-]{0,99}$/, "an id is made of letters, digits, - and _"),
  name: text,
  description: z.string().exactOptional(),
  spec_ref: z.string().exactOptional(),
  level: z.enum(["must", "should", "may"]),
  tags: texts.exactOptional(),
  transport: z.array(z.enum(TRANSPORTS)).min(1).exactOptional(),
  preconditions: preconditions.exactOptional(),
  requires_behaviors: texts.exactOptional(),
  origin: z.string().exactOptional(),
  runner_requirements: z.array(z.enum(RUNNER_REQUIREMENTS)).exactOptional(),
  steps: z.array(stepSchema).min(1),
  assertions: z.array(namedAssertion).exactOptional(),
});

const suite = z.strictObject({
  id: text,
  name: text,
  description: z.string().exactOptional(),
  tags: texts.exactOptional(),
  tests: z.array(test).min(1),
});

const metadata = z.strictObject({
  title: z.string().exactOptional(),
  description: z.string().exactOptional(),
  authors: texts.exactOptional(),
  license: z.string().exactOptional(),
});

const actsVersion = z.string().regex(/^[01]\.\d/, "this version of ACTS is not known here; 1.0 is");

export const documentSchema = z.strictObject({
  acts_version: actsVersion,
  spec_version: z.string().regex(/^1\.0(\.\d+)?$/, "tests are tried in A2A 1.0 alone"),
  spec_ref: z.string().exactOptional(),
  metadata: metadata.exactOptional(),
  variables: z.record(z.string(), z.string()).exactOptional(),
  include: z.array(text).min(1).exactOptional(),
  suites: z.array(suite).min(1).exactOptional(),
});

/** Behaviours that an agent claims to know: the other kind of file in a folder of ACTS. */
export const behaviorsSchema = z.strictObject({
  acts_version: actsVersion,
  behaviors: z.array(
    z.strictObject({
      prefix: text,
      description: z.string().exactOptional(),
      response_type: z.enum(["task", "message"]).exactOptional(),
      terminal_state: z.string().exactOptional(),
      artifacts: z.array(json).exactOptional(),
      delay_ms: z.int().min(0).exactOptional(),
      streaming: z.boolean().exactOptional(),
    }),
  ),
});

export type ActsDocument = z.infer<typeof documentSchema>;
export type ActsTest = z.infer<typeof test>;

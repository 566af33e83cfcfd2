// What a client asks of the hub's verifier, and what it gets.
import { z } from "zod";
import { SYSTEM_TRUST } from "../../core/environment.ts";
import { boundedText } from "../../runtime/schemas/bounded.ts";
import { environmentSchema } from "../../runtime/schemas/environment.ts";

const absolute = z.string().regex(/^\//, "must be absolute").max(4096);

export const VerifyBody = z
  .strictObject({
    environment: environmentSchema.extend({ hold: z.boolean().exactOptional() }),
    snapshot: boundedText(200).exactOptional().describe("The artifact that holds the run's files."),
    system: z.enum(SYSTEM_TRUST).describe("Programs of the system that the agent changed: put back, or not."),
    only: z.array(absolute).max(1000).exactOptional().describe("Paths that the tests get; all when absent."),
    files: z
      .array(z.strictObject({ source: absolute, target: absolute }))
      .max(1000)
      .describe("Files on the hub's machine that only the tests see."),
    command: z.array(z.string()).min(1).max(1000),
    env: z.record(z.string(), z.string()),
    user: boundedText(200).exactOptional(),
    workdir: absolute.exactOptional(),
    timeout_ms: z.number().positive(),
    reward: z.enum(["files", "pytest", "exit-code"]).describe("How the reward is found."),
  })
  .meta({ id: "VerifyRequest" });

const VerificationDocument = z
  .strictObject({
    rewards: z
      .record(z.string(), z.number())
      .exactOptional()
      .describe("Rewards by name; absent when there are none, and then the run was not judged."),
    reason: z.string().exactOptional().describe("Why there are no rewards."),
    timed_out: z.boolean(),
    exit_code: z.int(),
    output: z.string().describe("Standard output and error, beginning and end."),
    files: z.record(z.string(), z.string()).describe("Small files that the tests wrote, in base64."),
    notes: z.array(z.string()).describe("What the environment says about itself."),
    restored: z
      .array(z.string())
      .exactOptional()
      .describe("Files of the system that were put back before the tests."),
    setup_ms: z.number(),
    duration_ms: z.number(),
  })
  .meta({ id: "Verification" });

const VerifyProblem = z
  .strictObject({ code: z.string(), message: z.string() })
  .meta({ id: "VerifyProblem", description: "Why the tests could not run." });

export const VerifyAnswer = z
  .strictObject({
    verification: VerificationDocument.exactOptional(),
    problem: VerifyProblem.exactOptional(),
  })
  .meta({
    id: "VerifyAnswer",
    description: "One of the two. White space may come before it, while the tests run.",
  });

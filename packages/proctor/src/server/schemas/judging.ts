// What a client asks of the hub's verifier, and what it gets.
import { z } from "zod";
import { SYSTEM_TRUST } from "../../core/ports/verify.ts";
import { environmentSchema } from "../../runtime/schemas/environment.ts";

const absolute = z.string().regex(/^\//, "must be absolute").max(4096);

export const VerifyBody = z
  .strictObject({
    environment: environmentSchema.extend({ hold: z.boolean().exactOptional() }),
    snapshot: z.string().min(1).max(200).exactOptional().describe("The artifact that holds the run's files."),
    system: z.enum(SYSTEM_TRUST).describe("Programs of the system that the agent changed: put back, or not."),
    only: z.array(absolute).max(1000).exactOptional().describe("Paths that the tests get; all when absent."),
    files: z
      .array(z.strictObject({ source: absolute, target: absolute }))
      .max(1000)
      .describe("Files on the hub's machine that only the tests see."),
    command: z.array(z.string()).min(1).max(1000),
    env: z.record(z.string(), z.string()),
    user: z.string().min(1).max(200).exactOptional(),
    workdir: absolute.exactOptional(),
    timeout_ms: z.number().positive(),
    reward: z.enum(["files", "pytest", "exit-code"]).describe("How the reward is found."),
  })
  .meta({ id: "VerifyRequest" });

export const VerifyAnswer = z
  .union([
    z.strictObject({
      verification: z.looseObject({
        rewards: z.record(z.string(), z.number()).nullable(),
        files: z.record(z.string(), z.string()).describe("What the tests wrote, in base64."),
      }),
    }),
    z.strictObject({ problem: z.strictObject({ code: z.string(), message: z.string() }) }),
  ])
  .meta({ id: "VerifyAnswer", description: "White space may come before it, while the tests run." });

// The protocol of declarative tests: `stage+builtin`, whose agent is a gateway of ours with everything around it that a test speaks of.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseObject } from "../../core/parse-object.ts";
import type { AgentSession } from "../../core/ports/driver.ts";
import type { Protocol } from "../../protocols/protocol.ts";
import { stageScript } from "../../suites/declarative/schema.ts";
import { checkValue } from "../../runtime/yaml/findings.ts";
import { z } from "zod";

const options = z.strictObject({
  test: z.string().transform((text, context) => {
    const checked = stageScript.safeParse(parseObject(text));
    if (checked.success) return checked.data;
    context.addIssue({ code: "custom", message: "this is no script of a stage" });
    return z.NEVER;
  }),
});

export const stage: Protocol = {
  id: "stage",
  transports: ["builtin"],
  versions: ["0.3"],
  checkOptions(given) {
    const checked = checkValue(options, given, "options");
    return checked.ok ? [] : checked.findings;
  },
  createDriver: () => ({
    open(job, signals): AgentSession {
      return {
        async *[Symbol.asyncIterator]() {
          const [{ createStageDriver }, { playOnStage }] = await Promise.all([
            import("../../doubles/stage/stage-driver.ts"),
            import("./play-on-stage.ts"),
          ]);
          const driver = createStageDriver({
            read: (given) => options.parse(given).test,
            play: async (script, onOutput, signal) => {
              const folder = await mkdtemp(join(tmpdir(), "proctor-stage-"));
              return playOnStage(script, { folder, onOutput }, signal);
            },
          });
          yield* driver.open(job, signals);
        },
      };
    },
  }),
};

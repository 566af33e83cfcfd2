// Passes when the run has an artifact of this name: a file or reference by its path, structured data by its name.
import { z } from "zod";
import { artifactName } from "../../core/artifact.ts";
import type { Check } from "../check.ts";
import { pass } from "../verdict.ts";
import { findArtifact, noArtifact } from "../texts/find-artifact.ts";

const config = z.strictObject({ path: z.string().min(1) });

export const artifactExists: Check<z.output<typeof config>> = {
  type: "artifact_exists",
  config,
  evaluate({ run }, { path }) {
    const artifact = findArtifact(run, path);
    return Promise.resolve(
      artifact ? pass(`${artifact.type} artifact ${artifactName(artifact)} exists`) : noArtifact(run, path),
    );
  },
};

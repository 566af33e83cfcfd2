// Passes when the bytes of an artifact have this hash.
import { z } from "zod";
import { artifactName } from "../../core/artifact.ts";
import type { Check } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import { findArtifact, noArtifact } from "../texts/find-artifact.ts";

const config = z.strictObject({
  path: z.string().min(1),
  sha256: z.string().regex(/^(?:sha256:)?[0-9a-f]{64}$/i, `"sha256" must be 64 hex digits`),
});

export const artifactHash: Check<z.output<typeof config>> = {
  type: "artifact_hash",
  config,
  evaluate({ run }, { path, sha256 }) {
    const artifact = findArtifact(run, path);
    if (!artifact) return Promise.resolve(noArtifact(run, path));
    const name = quote(artifactName(artifact));
    const { content_hash: found, redacted } = artifact;
    if (found === undefined) return Promise.resolve(unevaluated(`the content of ${name} is not here`));
    if (redacted)
      return Promise.resolve(unevaluated(`secrets were replaced in ${name}, which changed its hash`));
    const wanted = `sha256:${sha256.toLowerCase().replace(/^sha256:/, "")}`;
    const message = `${name} has the hash ${found}`;
    return Promise.resolve(found === wanted ? pass(message) : fail(`${message}, ${wanted} expected`));
  },
};

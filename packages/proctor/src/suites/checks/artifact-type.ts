// Passes when an artifact is of this type and, if asked for, of this content type.
import { z } from "zod";
import { artifactName } from "../../core/artifact.ts";
import type { Check } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { fail, pass } from "../verdict.ts";
import { findArtifact, noArtifact } from "../texts/find-artifact.ts";

const config = z.strictObject({
  path: z.string().min(1),
  type: z.enum(["file", "structured", "reference"]),
  content_type: z.string().min(1).optional(),
});

export const artifactType: Check<z.output<typeof config>> = {
  type: "artifact_type",
  config,
  evaluate({ run }, { path, type, content_type: wanted }) {
    const artifact = findArtifact(run, path);
    if (!artifact) return Promise.resolve(noArtifact(run, path));
    const name = quote(artifactName(artifact));
    const { content_type: media } = artifact;
    const described =
      wanted === undefined ? "" : ` of type ${media === undefined ? "unknown" : quote(media)}`;
    const found = `${name} is ${artifact.type}${described}`;
    const right = artifact.type === type && (wanted === undefined || essence(media) === essence(wanted));
    const expected = `${type}${wanted === undefined ? "" : ` of type ${quote(wanted)}`}`;
    return Promise.resolve(right ? pass(found) : fail(`${found}, ${expected} expected`));
  },
};

/** A media type without its parameters. */
function essence(media: string | undefined): string | undefined {
  return media?.split(";")[0]?.trim().toLowerCase();
}

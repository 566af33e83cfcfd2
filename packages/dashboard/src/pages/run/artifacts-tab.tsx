// What the run produced or was given: a list, and a preview of the one that the address names.
import { hub } from "../../api/hub.ts";
import { source } from "../../api/source.ts";
import type { Artifact } from "../../api/gen/schema.ts";
import { Button } from "../../components/button.tsx";
import { bytes } from "../../components/format.ts";
import { saveAs } from "../../components/save-as.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { Preview } from "./preview.tsx";
import type { RunTabProps } from "./run-page.tsx";

export function nameOf({ path, name, id }: Artifact): string {
  return path ?? name ?? id;
}

export function ArtifactsTab({ run }: RunTabProps) {
  const query = useQuery();
  const chosen = run.artifacts.find(({ id }) => id === query.get("artifact")) ?? run.artifacts[0];
  if (chosen === undefined) return <p class="quiet">{texts.artifacts.none}</p>;
  const save = async () =>
    saveAs(await hub.content(run.id, chosen.id), nameOf(chosen).split(/[\\/]/).at(-1) ?? chosen.id);
  return (
    <div class="artifacts">
      <ul class="artifact-list">
        {run.artifacts.map((artifact) => (
          <li key={artifact.id}>
            <a
              href={query.href({ artifact: artifact.id })}
              aria-current={artifact === chosen ? "true" : undefined}
              title={nameOf(artifact)}
            >
              <span class="one-line mono">{nameOf(artifact)}</span>
              <small class="quiet">
                {artifact.size_bytes === undefined ? artifact.type : bytes(artifact.size_bytes)}
              </small>
            </a>
          </li>
        ))}
      </ul>
      <div class="artifact-preview">
        <div class="section-head">
          <h2 class="one-line mono">{nameOf(chosen)}</h2>
          <span class="quiet">{chosen.content_type}</span>
          {chosen.content_hash !== undefined && source().isHub && (
            <Button onPress={save}>{texts.run.download}</Button>
          )}
        </div>
        {chosen.omitted !== undefined && <p class="notice warn">{chosen.omitted}</p>}
        <Preview key={chosen.id} runId={run.id} artifact={chosen} />
      </div>
    </div>
  );
}

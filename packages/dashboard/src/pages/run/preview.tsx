// An artifact as far as it can be shown safely. Pictures are shown as pictures, which run no script, SVG among them. HTML stands in a frame without
// scripts, forms, or an origin, under the page's own policy, so that it can load nothing.
import { useEffect, useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import { source } from "../../api/source.ts";
import type { Artifact } from "../../api/gen/schema.ts";
import { Button } from "../../components/button.tsx";
import { bytes } from "../../components/format.ts";
import { JsonView } from "../../components/json-view.tsx";
import { Markdown } from "../../components/markdown.tsx";
import { Failed, Loading } from "../../components/notice.tsx";
import { TerminalText } from "../../components/terminal-text.tsx";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";

type Kind = "image" | "html" | "markdown" | "json" | "diff" | "text" | "none";

/** Bytes that are read at first, and bytes that are read of a picture or a page, which cannot be shown in part. */
const FIRST_BYTES = 100_000;
const MOST_BYTES = 20_000_000;

export function kindOf({ content_type = "", path = "", name = "" }: Artifact): Kind {
  const file = (path || name).toLowerCase();
  const type = content_type.toLowerCase();
  if (type.startsWith("image/") || /\.(?:png|jpe?g|gif|webp|svg)$/.test(file)) return "image";
  if (type.startsWith("text/html") || /\.html?$/.test(file)) return "html";
  if (type.includes("markdown") || /\.(?:md|markdown)$/.test(file)) return "markdown";
  if (type.includes("diff") || type.includes("patch") || /\.(?:diff|patch)$/.test(file)) return "diff";
  if (type.includes("json") || file.endsWith(".json")) return "json";
  if (
    type.startsWith("text/") ||
    type === "" ||
    /\.(?:txt|log|cast|ya?ml|csv|tsx?|m?js|py|rs|sh|toml|xml)$/.test(file)
  )
    return "text";
  return "none";
}

/** Returns the kind as which an artifact is shown. The policy of a report's file allows no frames: there, pages are shown as text. */
function shownKind(artifact: Artifact): Kind {
  const kind = kindOf(artifact);
  return kind === "html" && !source().isHub ? "text" : kind;
}

export function Preview({ runId, artifact }: { runId: string; artifact: Artifact }) {
  const kind = shownKind(artifact);
  const [most, setMost] = useState(
    kind === "image" || kind === "html" || kind === "json" ? MOST_BYTES : FIRST_BYTES,
  );
  const size = artifact.size_bytes ?? 0;
  // A report has texts of which no bytes were stored.
  const isStored = artifact.content_hash !== undefined || (!source().isHub && artifact.data === undefined);
  const loaded = useLoad(`${artifact.id} ${most}`, async (signal) => {
    if (!isStored || kind === "none" || (size > MOST_BYTES && kind !== "text")) return undefined;
    return hub.content(runId, artifact.id, size > most ? most : undefined, signal);
  });
  if (!isStored && artifact.data !== undefined) return <JsonView value={artifact.data} />;
  if (!isStored) return <p class="quiet">{texts.artifacts.notKept}</p>;
  if (loaded.error !== undefined) return <Failed error={loaded.error} retry={loaded.reload} />;
  if (loaded.loading) return <Loading />;
  if (loaded.value === undefined) return <p class="quiet">{texts.artifacts.noPreview}</p>;
  return (
    <>
      <Shown blob={loaded.value} kind={kind} artifact={artifact} />
      {size > most && (
        <p class="notice">
          {texts.artifacts.part(bytes(most), bytes(size))}{" "}
          <Button onPress={() => setMost(most * 10)}>{texts.more}</Button>
        </p>
      )}
    </>
  );
}

function Shown({ blob, kind, artifact }: { blob: Blob; kind: Kind; artifact: Artifact }) {
  const text = useLoad(`text ${kind}`, () => (kind === "image" ? Promise.resolve("") : blob.text())).value;
  if (kind === "image") return <Picture blob={blob} artifact={artifact} />;
  if (text === undefined) return <Loading />;
  switch (kind) {
    case "html":
      return <iframe class="preview-frame" title={texts.artifacts.page} sandbox="" srcdoc={text} />;
    case "markdown":
      return <Markdown text={text} />;
    case "json":
      return <Json text={text} />;
    case "diff":
      return <Diff text={text} />;
    default:
      return (
        <pre class="code preview-text">
          <TerminalText text={text} />
        </pre>
      );
  }
}

function Picture({ blob, artifact }: { blob: Blob; artifact: Artifact }) {
  const [url, setUrl] = useState<string | undefined>(undefined);
  useEffect(() => {
    const type = artifact.content_type?.startsWith("image/") ? artifact.content_type : "image/svg+xml";
    const made = URL.createObjectURL(blob.type.startsWith("image/") ? blob : new Blob([blob], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return <img class="preview-image" src={url} alt={artifact.path ?? artifact.id} />;
}

function Json({ text }: { text: string }) {
  try {
    return <JsonView value={JSON.parse(text) as unknown} />;
  } catch {
    return <pre class="code preview-text">{text}</pre>;
  }
}

export function Diff({ text }: { text: string }) {
  return (
    <pre class="code diff">
      {text.split("\n").map((line, index) => (
        <div key={index} class={/^\+(?!\+\+)/.test(line) ? "added" : /^-(?!--)/.test(line) ? "removed" : ""}>
          {line || " "}
        </div>
      ))}
    </pre>
  );
}

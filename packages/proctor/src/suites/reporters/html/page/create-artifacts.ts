// What a run produced: each artifact with its size and hash, and as much of its text as the report has.
import type { Evidence, EvidenceArtifact } from "../../../evidence.ts";
import type { PageElement } from "./browser.ts";
import type { Code } from "./create-code.ts";
import type { Child, Dom } from "./create-dom.ts";
import type { Format } from "./create-format.ts";

export type Artifacts = ReturnType<typeof createArtifacts>;

export function createArtifacts(dom: Dom, format: Format, code: Code) {
  const { h } = dom;

  /** As text to read or to compare; undefined when the report has nothing of it. */
  function textOf({ text, data, content_type = "" }: EvidenceArtifact): string | undefined {
    if (data !== undefined) return format.json(data);
    if (text === undefined || !content_type.includes("json")) return text;
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }

  function one(artifact: EvidenceArtifact): PageElement {
    const { name, type, content_type, size_bytes, content_hash, cut } = artifact;
    const text = textOf(artifact);
    const about = [type, content_type, format.bytes(size_bytes)].filter(Boolean).join(" · ");
    const hash =
      content_hash &&
      h(
        "code",
        { class: "hash", "data-tip": content_hash },
        content_hash.replace("sha256:", "").slice(0, 12),
      );
    const head = [
      h("span", { class: "artifact-name" }, name),
      h("span", { class: "quiet" }, about, hash && " · ", hash),
    ];
    if (text === undefined)
      return h(
        "div",
        { class: "artifact empty-artifact" },
        head,
        h("p", { class: "quiet" }, "Not text; the hub has its bytes."),
      );
    const element: PageElement = h("details", { class: "artifact", ontoggle: fill }, h("summary", {}, head));
    return element;

    function fill(): void {
      if (!element.open || element.querySelector("pre") !== null || text === undefined) return;
      element.append(code.text(text));
      if (cut) element.append(h("p", { class: "quiet" }, "This is only its beginning."));
    }
  }

  function render({ artifacts, artifacts_left_out }: Evidence): Child {
    if (artifacts.length === 0) return h("p", { class: "quiet" }, "It produced no artifacts.");
    const all = artifacts.map(one);
    const [only] = all;
    if (all.length === 1 && only) only.open = true;
    const left =
      artifacts_left_out > 0 &&
      h("p", { class: "quiet" }, `${format.plural(artifacts_left_out, "more artifact")} not in this report.`);
    return [h("div", { class: "artifacts" }, all), left];
  }

  return { render, textOf };
}

// What an agent or a person said: Markdown for reading, or the text as it came. A long one is folded.
import { useState } from "preact/hooks";
import { count } from "./format.ts";
import { Markdown } from "./markdown.tsx";
import { texts } from "../texts.ts";

const LONG = 6000;

export function Said({ text, plain = false }: { text: string; plain?: boolean }) {
  const [raw, setRaw] = useState(plain);
  const [all, setAll] = useState(text.length <= LONG);
  const shown = all ? text : text.slice(0, LONG);
  return (
    <div class="said-box">
      {raw ? <div class="said">{shown}</div> : <Markdown text={shown} />}
      {!all && (
        <button type="button" class="button plain" onClick={() => setAll(true)}>
          {texts.run.showAll(count(text.length))}
        </button>
      )}
      {!plain && (
        <button type="button" class="button plain raw-toggle" onClick={() => setRaw(!raw)}>
          {raw ? texts.run.asMarkdown : texts.run.asText}
        </button>
      )}
    </div>
  );
}

// What was expected next to the actual value, by words or by lines.
import type { Difference as DifferenceDocument, DifferenceSpan } from "../api/more.ts";
import { texts } from "../texts.ts";

const KINDS = { "+": "added", "-": "removed", " ": "", "…": "quiet" } as const;

export function Difference({ difference }: { difference: DifferenceDocument }) {
  return (
    <div class="difference">
      <p>
        <span class="bad-text">{texts.evaluations.expected}</span>{" "}
        <span class="good-text">{texts.evaluations.actual}</span>
      </p>
      <pre class="code diff" tabIndex={0}>
        {difference.form === "words" ? (
          <>
            <Words kind="removed" sign="−" spans={difference.expected} />
            <Words kind="added" sign="+" spans={difference.actual} />
          </>
        ) : (
          difference.lines.map(({ mark, text }, index) => (
            <div key={index} class={KINDS[mark]}>
              {`${mark === "-" ? "−" : mark} ${text}`}
            </div>
          ))
        )}
      </pre>
    </div>
  );
}

function Words({ kind, sign, spans }: { kind: string; sign: string; spans: readonly DifferenceSpan[] }) {
  return (
    <div class={kind}>
      {`${sign} `}
      {spans.map(({ text, changed }, index) => (changed ? <mark key={index}>{text}</mark> : text))}
    </div>
  );
}

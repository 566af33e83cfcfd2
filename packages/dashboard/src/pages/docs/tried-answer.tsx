// What the hub answered to a request that was tried.
import { pagePath, segment } from "../../api/address.ts";
import { Button } from "../../components/button.tsx";
import { bytes, duration } from "../../components/format.ts";
import { JsonView } from "../../components/json-view.tsx";
import { saveAs } from "../../components/save-as.ts";
import { texts } from "../../texts.ts";
import { fieldsOf } from "./read-value.ts";
import type { Operation } from "./reference.ts";
import { refName } from "./ref-name.ts";
import { StreamView } from "./stream-view.tsx";
import { SHOWN_BYTES, type Tried, type TriedBody } from "./use-attempt.ts";

const words = texts.docs.try;

export function TriedAnswer({ tried, operation }: { tried: Tried; operation: Operation }) {
  const { status, reason, headers, tookMs, body } = tried;
  const run = body.kind === "json" ? runOf(body.value, status, operation) : undefined;
  return (
    <section class="tried-answer" aria-label={words.answered}>
      <p class="head-line">
        <strong class={status < 400 ? "good-text" : "bad-text"}>
          {status} {reason}
        </strong>
        <span class="quiet">{words.took(duration(tookMs))}</span>
        {run !== undefined && <a href={pagePath(`runs/${segment(run)}`)}>{words.openRun}</a>}
      </p>
      <details>
        <summary>{texts.docs.headers}</summary>
        <dl class="facts">
          {headers.flatMap(([name, value]) => [
            <dt key={name}>
              <code>{name}</code>
            </dt>,
            <dd key={`${name} value`} class="mono">
              {value}
            </dd>,
          ])}
        </dl>
      </details>
      <Body body={body} />
    </section>
  );
}

function Body({ body }: { body: TriedBody }) {
  switch (body.kind) {
    case "empty":
      return <p class="quiet">{words.empty}</p>;
    case "json":
      return <JsonView value={body.value} />;
    case "stream":
      return <StreamView stream={body.stream} />;
    case "text":
      return (
        <>
          {body.blob.size > SHOWN_BYTES && (
            <p class="head-line quiet">
              {words.cut(bytes(SHOWN_BYTES))} <Save blob={body.blob} />
            </p>
          )}
          <pre class="code" tabIndex={0} role="region" aria-label={words.answered}>
            {body.text}
          </pre>
        </>
      );
    case "bytes":
      return (
        <p class="head-line">
          {words.bytes(bytes(body.blob.size))} <Save blob={body.blob} />
        </p>
      );
  }
}

function Save({ blob }: { blob: Blob }) {
  return <Button onPress={() => saveAs(blob, "answer")}>{words.save}</Button>;
}

/** Returns the id of the run, where the answer is one. */
function runOf(value: unknown, status: number, { answers }: Operation): string | undefined {
  const media = answers.find((answer) => answer.status === String(status))?.media[0];
  const { id } = fieldsOf(value);
  return media && refName(media.schema) === "Run" && typeof id === "string" ? id : undefined;
}

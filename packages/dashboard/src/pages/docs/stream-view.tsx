// The frames of an event stream, as they arrive.
import { JsonView } from "../../components/json-view.tsx";
import { count } from "../../components/format.ts";
import { texts } from "../../texts.ts";
import type { Streamed } from "./use-attempt.ts";

export function StreamView({ stream }: { stream: Streamed }) {
  const { frames, seen, state } = stream;
  const words = texts.docs.try;
  return (
    <div>
      <p class="head-line" role="status">
        <strong>{words.frames(count(seen))}</strong>
        <span class={state === "live" ? "good-text" : "quiet"}>
          {{ live: words.streaming, ended: words.ended, stopped: words.stopped }[state]}
        </span>
        {seen > frames.length && <span class="quiet">{words.earlier(count(seen - frames.length))}</span>}
      </p>
      <ol class="frames">
        {frames.map(({ number, id, event, data }) => (
          <li key={number}>
            <p class="quiet">
              {id !== undefined && <code>id: {id}</code>} {event !== undefined && <code>event: {event}</code>}
            </p>
            <JsonView value={data} open={frames.length - number < 20} />
          </li>
        ))}
      </ol>
    </div>
  );
}

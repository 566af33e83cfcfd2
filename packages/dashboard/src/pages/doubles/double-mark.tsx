// Whether a double is there, as a mark and a word.
import type { Double } from "../../api/gen/schema.ts";
import { texts } from "../../texts.ts";

const TONES = { live: "good", gone: "bad", ended: "calm" } as const;

export function DoubleMark({ state }: { state: Double["state"] }) {
  return (
    <span class={`status ${TONES[state]}`}>
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        <circle cx="4" cy="4" r="3" fill={state === "live" ? "currentColor" : "none"} stroke="currentColor" />
      </svg>
      {texts.doubles.states[state]}
    </span>
  );
}

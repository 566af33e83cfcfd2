// Whether a double is alive, as a mark and a word.
import type { Double } from "../../api/gen/schema.ts";
import { ShapeMark } from "../../components/status.tsx";
import { texts } from "../../texts.ts";

const LOOKS = {
  live: { tone: "good", shape: "check" },
  gone: { tone: "bad", shape: "cross" },
  ended: { tone: "calm", shape: "slash" },
} as const;

export function DoubleMark({ state }: { state: Double["state"] }) {
  return <ShapeMark {...LOOKS[state]}>{texts.doubles.states[state]}</ShapeMark>;
}

// A time as people say it, with the exact instant on hover; and how long something took, or has taken so far. A file may be read years later: its
// times are exact.
import { source } from "../api/source.ts";
import { now } from "../state/now.ts";
import { duration, exact, relative, utc } from "./format.ts";

export function Time({ at }: { at: string | null | undefined }) {
  if (at == null) return <span class="quiet">–</span>;
  return (
    <time dateTime={at} title={exact(at)}>
      {source().isHub ? relative(at, now.value) : utc(at)}
    </time>
  );
}

export function Duration({ from, to }: { from: string | null; to: string | null }) {
  if (from === null) return <span class="quiet">–</span>;
  return <span>{duration((to === null ? now.value : Date.parse(to)) - Date.parse(from))}</span>;
}

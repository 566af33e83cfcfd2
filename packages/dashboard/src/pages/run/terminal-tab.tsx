// The terminal of a run, played again. The player is loaded when somebody opens this.
import { useEffect, useRef, useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import { Failed } from "../../components/notice.tsx";
import { texts } from "../../texts.ts";
import type { RunTabProps } from "./run-page.tsx";

export function TerminalTab({ run }: RunTabProps) {
  const place = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<unknown>(undefined);
  const recording = run.artifacts.find(({ path }) => path?.endsWith(".cast"));
  useEffect(() => {
    if (recording === undefined) return undefined;
    const stop = new AbortController();
    let player: { dispose: () => void } | undefined;
    async function play(id: string): Promise<void> {
      const { openPlayer } = await import("./player.ts");
      const data = await (await hub.content(run.id, id, undefined, stop.signal)).text();
      if (place.current !== null && !stop.signal.aborted) player = openPlayer(data, place.current);
    }
    play(recording.id).catch((cause: unknown) => stop.signal.aborted || setError(cause));
    return () => {
      stop.abort();
      player?.dispose();
    };
  }, [recording?.id]);
  if (error !== undefined) return <Failed error={error} />;
  return <div ref={place} class="player" aria-label={texts.run.tabs.terminal} role="region" />;
}

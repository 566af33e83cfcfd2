// The terminal of a run, played again at any speed and from any step. The player is loaded when the tab is opened.
import { useEffect, useRef, useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import { Failed } from "../../components/notice.tsx";
import { texts } from "../../texts.ts";
import type { Player } from "./player.ts";
import type { RunTabProps } from "./run-page.tsx";

const SPEEDS = [0.5, 1, 2, 4, 8];
const words = texts.terminal;

export function TerminalTab({ run }: RunTabProps) {
  const place = useRef<HTMLDivElement>(null);
  const [player, setPlayer] = useState<Player | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const recording = run.artifacts.find(({ path }) => path?.endsWith(".cast"));
  useEffect(() => {
    if (recording === undefined) return undefined;
    const stop = new AbortController();
    let opened: Player | undefined;
    async function play(id: string): Promise<void> {
      const { openPlayer } = await import("./player.ts");
      const data = await (await hub.content(run.id, id, undefined, stop.signal)).text();
      if (place.current === null || stop.signal.aborted) return;
      opened = openPlayer(data, place.current);
      setPlayer(opened);
    }
    play(recording.id).catch((cause: unknown) => stop.signal.aborted || setError(cause));
    return () => {
      stop.abort();
      opened?.close();
    };
  }, [recording?.id]);
  if (error !== undefined) return <Failed error={error} />;
  return (
    <>
      {player !== undefined && <Controls player={player} />}
      <div ref={place} class="player" aria-label={texts.run.tabs.terminal} role="region" />
    </>
  );
}

function Controls({ player }: { player: Player }) {
  return (
    <div class="filter-row player-controls">
      <select
        class="input"
        aria-label={words.speed}
        onChange={({ currentTarget }) => player.setSpeed(Number(currentTarget.value))}
      >
        {SPEEDS.map((speed) => (
          <option key={speed} value={speed} selected={speed === 1}>
            {words.times(speed)}
          </option>
        ))}
      </select>
      {player.marks.length > 0 && (
        <select
          class="input"
          aria-label={words.jump}
          value=""
          onChange={({ currentTarget }) => player.jump(Number(currentTarget.value))}
        >
          <option value="" disabled>
            {words.jump}
          </option>
          {player.marks.map((mark, index) => (
            <option key={index} value={index}>
              {mark}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

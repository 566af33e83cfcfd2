// Says how much of a long log was read, where a view needs all of it.
import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { count } from "../../components/format.ts";
import type { RunLog } from "../../state/run-log.ts";
import { texts } from "../../texts.ts";

/** Number of events that are read without the reader asking for more. */
export const MOST_READ = 5000;

export function ReadMore({ log }: { log: RunLog }) {
  const [most, setMost] = useState(MOST_READ);
  const read = log.events.value.size;
  const total = log.total.value;
  if (read >= total) return null;
  return (
    <p class="notice read-more">
      {texts.run.read(count(read), count(total))}
      {read >= Math.min(most, total) && (
        <Button
          onPress={async () => {
            setMost(most * 4);
            await log.readAll(most * 4);
          }}
        >
          {texts.more}
        </Button>
      )}
    </p>
  );
}

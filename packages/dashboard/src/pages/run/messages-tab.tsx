// What was said in the run, and saying more.
import { useEffect, useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import { onEvent } from "../../api/live.ts";
import type { ForkPoint } from "../../api/gen/schema.ts";
import { Button } from "../../components/button.tsx";
import { MessageView } from "../../components/message-view.tsx";
import { NotLoaded } from "../../components/notice.tsx";
import { SayBox } from "../../components/say-box.tsx";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";
import { ForkDialog } from "./fork-dialog.tsx";
import { Forks } from "./forks.tsx";
import { isOver } from "./run-actions.tsx";
import type { RunTabProps } from "./run-page.tsx";
import { useForking } from "./use-forking.ts";

/** Milliseconds after the last event that changed messages until they are read again: streamed words come by the hundred. */
const PAUSE_MS = 250;

export function MessagesTab({ run }: RunTabProps) {
  const messages = useLoad(`messages ${run.id}`, (signal) => hub.messages(run.id, signal));
  const forking = useForking(run);
  const [point, setPoint] = useState<ForkPoint | undefined>(undefined);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = onEvent(({ run_id, type }) => {
      if (run_id !== run.id || !/^(?:message|question|run\.ended|artifact\.added)/.test(type)) return;
      clearTimeout(timer);
      timer = setTimeout(messages.reload, PAUSE_MS);
    });
    return () => {
      clearTimeout(timer);
      off();
    };
  }, [run.id]);
  if (messages.value === undefined) return <NotLoaded of={messages} />;
  return (
    <div class="messages">
      {messages.value.items.map(({ message, sequence }) => (
        <MessageView
          key={message.id}
          message={message}
          agent={run.agent}
          actions={
            forking.isPoint(sequence) && (
              <Button kind="plain" onPress={() => setPoint({ kind: "message", sequence: sequence ?? 0 })}>
                {texts.fork.fromHere}
              </Button>
            )
          }
        />
      ))}
      {!isOver(run) && (
        <SayBox label={texts.run.say} action={texts.run.send} onSay={(text) => hub.say(run.id, text)} />
      )}
      <Forks run={run} points={forking.points} forks={forking.forks} onFork={setPoint} />
      {point !== undefined && <ForkDialog run={run} point={point} onClose={() => setPoint(undefined)} />}
    </div>
  );
}

// Goes on from a point of a run in another one: with other words, and with another agent if wanted.
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import type { ForkPoint, Run } from "../../api/gen/schema.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { texts } from "../../texts.ts";
import { runHref } from "../runs/run-row.tsx";
import { hasSecrets } from "./rerun.ts";

interface ForkDialogProps {
  run: Run;
  point: ForkPoint;
  onClose: () => void;
}

export function ForkDialog({ run, point, onClose }: ForkDialogProps) {
  const { route } = useLocation();
  const [agent, setAgent] = useState(run.agent);
  const [message, setMessage] = useState(point.kind === "step" ? run.task.description : "");
  async function fork(): Promise<void> {
    const { id } = await hub.fork(run.id, {
      message,
      ...(agent.trim() !== run.agent && { agent: agent.trim() }),
      ...(point.kind === "message" && { after: point.sequence }),
      ...(point.kind === "step" && { step: point.step }),
    });
    onClose();
    route(runHref(id));
  }
  return (
    <Dialog title={texts.fork.titles[point.kind]} onClose={onClose}>
      <div class="stack">
        <p class="quiet">{texts.fork.explained[point.kind]}</p>
        <Field
          label={point.kind === "step" ? texts.run.task : texts.fork.message}
          value={message}
          onInput={setMessage}
          lines
        />
        <Field label={texts.run.agent} value={agent} onInput={setAgent} />
        {hasSecrets(run) && <p class="notice warn">{texts.run.secretsLost}</p>}
        <div class="row-of-buttons">
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button kind="main" disabled={message.trim() === "" || agent.trim() === ""} onPress={fork}>
            {texts.fork.act}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

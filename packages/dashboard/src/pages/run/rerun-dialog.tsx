// The same task again, with changes.
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import type { Run } from "../../api/gen/schema.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { texts } from "../../texts.ts";
import { runHref } from "../runs/run-row.tsx";
import { hasSecrets, rerunRequest } from "./rerun.ts";

export function RerunDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { route } = useLocation();
  const [agent, setAgent] = useState(run.agent);
  const [description, setDescription] = useState(run.task.description);
  const [input, setInput] = useState(json(run.task.input_data));
  const [constraints, setConstraints] = useState(json(run.constraints));
  async function submit(): Promise<void> {
    const task = { ...run.task, description, ...(input.trim() !== "" && { input_data: object(input) }) };
    const limits = constraints.trim() === "" ? {} : { constraints: object(constraints) };
    const { id } = await hub.submit({ ...rerunRequest(run), agent, task, ...limits });
    onClose();
    route(runHref(id));
  }
  return (
    <Dialog title={texts.run.rerunChanged} onClose={onClose}>
      <div class="stack">
        <Field label={texts.run.agent} value={agent} onInput={setAgent} />
        <Field label={texts.run.task} value={description} onInput={setDescription} lines />
        <Field label={texts.run.input} value={input} onInput={setInput} lines />
        <Field label={texts.run.constraints} value={constraints} onInput={setConstraints} lines />
        {hasSecrets(run) && <p class="notice warn">{texts.run.secretsLost}</p>}
        <div class="row-of-buttons">
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button kind="main" disabled={description.trim() === ""} onPress={submit}>
            {texts.run.rerun}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function json(value: object | undefined): string {
  return value === undefined || Object.keys(value).length === 0 ? "" : JSON.stringify(value, null, 2);
}

/** Parses a JSON object. Throws with words for people when the text is not one. */
function object(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The error is shown below.
  }
  throw new Error(texts.run.noObject);
}

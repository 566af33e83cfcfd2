// Does a task and everything that depends on it again, as it was or with another agent or another input.
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import type { Goal, Plan } from "../../api/gen/schema.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";
import { goalHref } from "./goal-href.ts";

interface RerunDialogProps {
  goal: Goal;
  plan: Plan | null;
  /** Task to do again; undefined for everything that failed. */
  task?: string;
  onClose: () => void;
}

const MOST_AGENTS = 1000;

export function RerunDialog({ goal, plan, task, onClose }: RerunDialogProps) {
  const { route } = useLocation();
  const agents = useLoad("agents", (signal) => hub.agents({ limit: MOST_AGENTS }, signal));
  const planned = plan?.tasks.find(({ id }) => id === task);
  const first = planned?.input === undefined ? "" : JSON.stringify(planned.input, null, 2);
  const [agent, setAgent] = useState("");
  const [input, setInput] = useState(first);
  const problem = problemOf(input);

  async function start(): Promise<void> {
    const change = {
      ...(agent !== "" && { agent }),
      ...(input !== first && { input: JSON.parse(input) as unknown }),
    };
    const isChanged = task !== undefined && Object.keys(change).length > 0;
    const next = await hub.rerun(goal.id, {
      ...(task !== undefined && { from: [task] }),
      ...(isChanged && { changes: { [task]: change } }),
    });
    onClose();
    route(goalHref(next.id));
  }

  return (
    <Dialog
      title={task === undefined ? texts.goals.rerunFailed : texts.goals.rerunTask(task)}
      onClose={onClose}
    >
      <div class="stack">
        <p class="quiet">{texts.goals.rerunText}</p>
        {task !== undefined && (
          <>
            <label class="field">
              <span>{texts.goals.otherAgent}</span>
              <select value={agent} onChange={({ currentTarget }) => setAgent(currentTarget.value)}>
                <option value="">{texts.goals.sameAgent}</option>
                {agents.value?.items.map(({ name }) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label class="field">
              <span>{texts.goals.inputJson}</span>
              <textarea
                class="mono"
                rows={8}
                value={input}
                aria-invalid={problem !== undefined}
                onInput={({ currentTarget }) => setInput(currentTarget.value)}
              />
            </label>
            {problem !== undefined && input !== first && <p class="bad-text said">{problem}</p>}
          </>
        )}
        <div class="row-of-buttons">
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button kind="main" disabled={problem !== undefined && input !== first} onPress={start}>
            {texts.goals.rerun}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function problemOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

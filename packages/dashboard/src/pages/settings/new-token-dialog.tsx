// Asks what a new token is called, what it may do, and how long.
import { useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import type { IssuedToken, Scope } from "../../api/gen/schema.ts";
import { tell } from "../../components/toast.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { texts } from "../../texts.ts";

const SCOPES: readonly Scope[] = [
  "runs:read",
  "runs:write",
  "agents:read",
  "agents:register",
  "agents:write",
  "programs",
  "messages:send",
  "messages:receive",
  "goals:read",
  "goals:write",
  "workers",
  "admin",
];
const DAY_SECONDS = 86_400;

interface NewTokenDialogProps {
  onClose: () => void;
  onIssued: (issued: IssuedToken) => void;
}

export function NewTokenDialog({ onClose, onIssued }: NewTokenDialogProps) {
  const [name, setName] = useState("");
  const [days, setDays] = useState(90);
  const [scopes, setScopes] = useState<readonly Scope[]>(["runs:read"]);
  const toggle = (scope: Scope) =>
    setScopes(scopes.includes(scope) ? scopes.filter((other) => other !== scope) : [...scopes, scope]);
  async function create(): Promise<void> {
    try {
      onIssued(
        await hub.createToken({
          name,
          scopes: [...scopes],
          expires_in_seconds: Math.round(days * DAY_SECONDS),
        }),
      );
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
    }
  }
  return (
    <Dialog title={texts.settings.create} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <label class="field">
          <span>{texts.settings.name}</span>
          <input
            required
            maxLength={200}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <fieldset class="scopes">
          <legend>{texts.settings.scopes}</legend>
          {SCOPES.map((scope) => (
            <label key={scope}>
              <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />{" "}
              <code>{scope}</code>
            </label>
          ))}
        </fieldset>
        <label class="field">
          <span>{texts.settings.expires}</span>
          <input
            type="number"
            min={1}
            max={3650}
            value={days}
            onInput={({ currentTarget }) => setDays(currentTarget.valueAsNumber)}
          />
        </label>
        <div class="row-of-buttons">
          <button type="submit" class="button main" disabled={scopes.length === 0}>
            {texts.settings.create}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

// Asks for the token of a closed hub: as a page, or as a part of one that can be read without it.
import { useState } from "preact/hooks";
import { reconnect } from "../api/live.ts";
import { setToken } from "../api/token.ts";
import { texts } from "../texts.ts";

export function Login({ reason }: { reason: string }) {
  return (
    <div class="empty stack">
      <h1>{texts.login.title}</h1>
      <TokenForm reason={reason} />
    </div>
  );
}

/** Asks for a token, and calls `onDone` when one was given. */
export function TokenForm({ reason, onDone }: { reason: string; onDone?: () => void }) {
  const [value, setValue] = useState("");
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        setToken(value.trim());
        reconnect();
        onDone?.();
      }}
    >
      <p class="said">{reason}</p>
      <label class="field">
        <span>{texts.login.token}</span>
        <input
          type="password"
          name="token"
          autocomplete="off"
          required
          value={value}
          onInput={({ currentTarget }) => setValue(currentTarget.value)}
        />
      </label>
      <p>{texts.login.explanation}</p>
      <div>
        <button type="submit" class="button main">
          {texts.login.enter}
        </button>
      </div>
    </form>
  );
}

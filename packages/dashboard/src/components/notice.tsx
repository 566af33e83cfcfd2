// What went wrong, in the hub's words.
import { ApiError } from "../api/request.ts";
import type { Loaded } from "../state/use-load.ts";
import { texts } from "../texts.ts";
import { Button } from "./button.tsx";

export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof ApiError ? error.code : undefined;
  return (
    <div class="notice bad" role="alert">
      <pre>{message}</pre>
      {code !== undefined && <code>{code}</code>}
      {retry && <Button onPress={retry}>{texts.again}</Button>}
    </div>
  );
}

/** Takes the place of what is not loaded yet, or could not be. */
export function NotLoaded({ of: { error, reload } }: { of: Pick<Loaded<unknown>, "error" | "reload"> }) {
  return error === undefined ? <Loading /> : <Failed error={error} retry={reload} />;
}

export function Loading() {
  return (
    <p class="quiet" role="status">
      {texts.loading}
    </p>
  );
}

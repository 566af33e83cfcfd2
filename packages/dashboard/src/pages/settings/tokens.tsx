// The hub's tokens: create, rotate, revoke. A secret is shown once.
import { useState } from "preact/hooks";
import { setToken } from "../../api/token.ts";
import { hub } from "../../api/hub.ts";
import type { IssuedToken } from "../../api/gen/schema.ts";
import { Button } from "../../components/button.tsx";
import { Command } from "../../components/command.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Failed, Loading } from "../../components/notice.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";
import { NewTokenDialog } from "./new-token-dialog.tsx";

const SHOWN = 500;

export function Tokens() {
  const tokens = useLoad("tokens", (signal) => hub.tokens({ limit: SHOWN }, signal));
  const [creating, setCreating] = useState(false);
  const [issued, setIssued] = useState<IssuedToken | undefined>(undefined);
  function take(made: IssuedToken): void {
    setCreating(false);
    setIssued(made);
    // From now on nothing is answered without a token.
    if (made.closed_hub === true) setToken(made.secret);
    tokens.reload();
  }
  const items = tokens.value?.items ?? [];
  return (
    <section>
      <div class="section-head">
        <h2>{texts.settings.tokens}</h2>
        <Button onPress={() => setCreating(true)}>{texts.settings.create}</Button>
      </div>
      {tokens.error !== undefined && <Failed error={tokens.error} />}
      {tokens.value === undefined && tokens.error === undefined && <Loading />}
      {tokens.value !== undefined && items.length === 0 && <p class="quiet">{texts.settings.noTokens}</p>}
      {items.length > 0 && (
        <Table
          columns={[
            texts.settings.name,
            texts.settings.scopes,
            texts.settings.used,
            texts.settings.until,
            { hidden: texts.settings.rotate },
          ]}
        >
          {items.map(({ id, name, scopes, last_used_at, expires_at, revoked_at }) => (
            <tr key={id}>
              <td>{name}</td>
              <td class="quiet">{scopes.join(", ")}</td>
              <td>
                <Time at={last_used_at} />
              </td>
              <td>{expires_at === null ? texts.settings.never : <Time at={expires_at} />}</td>
              <td class="row-of-buttons">
                {revoked_at === null ? (
                  <>
                    <Button onPress={async () => take(await hub.rotateToken(id))}>
                      {texts.settings.rotate}
                    </Button>
                    <Button
                      kind="danger"
                      onPress={async () => {
                        await hub.revokeToken(id);
                        tokens.reload();
                      }}
                    >
                      {texts.settings.revoke}
                    </Button>
                  </>
                ) : (
                  <span class="quiet">{texts.settings.revoked}</span>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {creating && <NewTokenDialog onClose={() => setCreating(false)} onIssued={take} />}
      {issued !== undefined && (
        <Dialog title={issued.token.name} onClose={() => setIssued(undefined)}>
          <div class="stack">
            <p>{texts.settings.secret}</p>
            <Command>{issued.secret}</Command>
            {issued.closed_hub === true && <p class="notice warn">{texts.settings.closedHub}</p>}
            <div class="row-of-buttons">
              <Button onPress={() => setIssued(undefined)}>{texts.close}</Button>
            </div>
          </div>
        </Dialog>
      )}
    </section>
  );
}

// The processes that carry out the hub's runs, and the way to drain one.
import type { Worker } from "../../api/gen/schema.ts";
import { hub } from "../../api/hub.ts";
import { Button } from "../../components/button.tsx";
import { Failed, Loading } from "../../components/notice.tsx";
import { ShapeMark } from "../../components/status.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";

export function Workers() {
  const workers = useLoad("workers", (signal) => hub.workers(signal));
  const { settings } = texts;
  const items = workers.value?.items ?? [];
  return (
    <section>
      <h2>{settings.workers}</h2>
      {workers.error !== undefined && <Failed error={workers.error} />}
      {workers.value === undefined && workers.error === undefined && <Loading />}
      {workers.value !== undefined && items.length === 0 && <p class="quiet">{settings.oneProcess}</p>}
      {items.length > 0 && (
        <Table
          columns={[
            settings.worker,
            settings.state,
            [settings.busy, "number"],
            settings.labels,
            settings.version,
            settings.seen,
            { hidden: settings.drain },
          ]}
        >
          {items.map((worker) => (
            <Row key={worker.id} worker={worker} onChange={workers.reload} />
          ))}
        </Table>
      )}
    </section>
  );
}

function Row({ worker, onChange }: { worker: Worker; onChange: () => void }) {
  const { id, busy, slots, labels, version, seen_at, alive, draining } = worker;
  const { settings } = texts;
  async function drain(): Promise<void> {
    await hub.drainWorker(id);
    onChange();
  }
  return (
    <tr>
      <td>{id}</td>
      <td>
        <State worker={worker} />
      </td>
      <td class="number">
        {busy} / {slots}
      </td>
      <td class="quiet">{labels.join(", ")}</td>
      <td class="quiet">{version}</td>
      <td>
        <Time at={seen_at} />
      </td>
      <td class="row-of-buttons">
        {alive && !draining && (
          <Button title={settings.drainTitle} onPress={drain}>
            {settings.drain}
          </Button>
        )}
      </td>
    </tr>
  );
}

function State({ worker: { alive, draining, no_room } }: { worker: Worker }) {
  const { settings } = texts;
  if (!alive) {
    return (
      <ShapeMark tone="bad" shape="cross">
        {settings.gone}
      </ShapeMark>
    );
  }
  const takesNone = draining ? settings.draining : no_room === undefined ? undefined : settings.diskFull;
  return (
    <ShapeMark tone={takesNone ? "warn" : "good"} shape={takesNone ? "bars" : "check"}>
      {takesNone ?? settings.working}
    </ShapeMark>
  );
}

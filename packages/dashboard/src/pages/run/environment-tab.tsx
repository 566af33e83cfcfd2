// Where the run took place, and what was asked of the hub in addition to the task.
import { useEffect } from "preact/hooks";
import { JsonView } from "../../components/json-view.tsx";
import { texts } from "../../texts.ts";
import type { RunTabProps } from "./run-page.tsx";

/** Number of events that are read: the environment is made within the first ones. */
const FIRST_EVENTS = 50;

export function EnvironmentTab({ run, log }: RunTabProps) {
  useEffect(() => void log.need(0), [log]);
  const places = [...log.events.value.values()]
    .filter(
      ({ type, sequence }) => type === "environment.opened" || (type === "workspace.kept" && sequence > 0),
    )
    .slice(0, FIRST_EVENTS);
  const parts: [string, unknown][] = [
    [texts.environment.agent, run.agent],
    [texts.environment.constraints, run.constraints],
    [texts.environment.context, run.context],
    [texts.environment.options, run.options],
    [texts.environment.metadata, run.metadata],
    [texts.environment.extensions, run.extensions ?? {}],
    [texts.environment.trace, run.trace_id],
  ];
  return (
    <div>
      {places.map((event) => (
        <section key={event.sequence}>
          <h2>{texts.environment.place}</h2>
          <JsonView value={event.payload} />
        </section>
      ))}
      {parts.map(([name, value]) => (
        <section key={name}>
          <h2>{name}</h2>
          <JsonView value={value} />
        </section>
      ))}
    </div>
  );
}

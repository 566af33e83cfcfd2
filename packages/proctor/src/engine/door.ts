// What endpoints ("doors") write into a run: with the run's secrets hidden, wherever it is carried out, and in turn with what clients report.
import { ProctorError, runNotFound } from "../core/errors.ts";
import type { EventDraft } from "../core/event.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { AppendOptions, DecideEvents, RunSecrets, Store } from "../core/ports/store.ts";
import { createRedactor, type Redactor } from "../core/redact.ts";
import type { Run } from "../core/run.ts";
import type { Engine } from "./engine.ts";
import { toNewEvent } from "./new-event.ts";
import { openSecrets, secretsIn, secretsOfAnswers } from "./secrets.ts";
import type { Serial } from "../core/serial.ts";

/** A run in the moment of a write. */
export type DoorState = Parameters<DecideEvents>[0];

export interface Door {
  /** Appends all or nothing, in turn with other writers of this process. */
  append(id: string, drafts: readonly EventDraft[], options?: AppendOptions): Promise<Run>;
  /** Appends what `decide` returns in the moment of the write. */
  decide(id: string, decide: (state: DoorState) => readonly EventDraft[]): Promise<Run>;
  /** Reads the run with what is sealed with it. Throws RUN_NOT_FOUND. */
  secrets(id: string): Promise<RunSecrets>;
  /** Runs `work` in turn with other writers; `write` then appends without waiting for its turn. */
  inTurn<T>(id: string, work: (write: Door["append"]) => Promise<T>): Promise<T>;
}

export function createDoor(deps: {
  store: Store;
  engine: Pick<Engine, "redactorOf">;
  sealer: Sealer;
  clock: Clock;
  serial: Serial;
}): Door {
  const { store, engine, sealer, clock, serial } = deps;

  async function secrets(id: string): Promise<RunSecrets> {
    const found = await store.readSecrets(id);
    if (found) return found;
    throw runNotFound(id);
  }

  async function redactorFor(id: string, drafts: readonly EventDraft[]): Promise<Redactor> {
    const isSilent = drafts.every(({ payload }) => Object.keys(payload).length === 0);
    return engine.redactorOf(id) ?? (isSilent ? createRedactor([]) : redactorOf(id));
  }

  /** Opens the secrets of a run that is not carried out here. */
  async function redactorOf(id: string): Promise<Redactor> {
    const { run, spec, sealed, talk } = await secrets(id);
    if (sealed === null) return createRedactor([]);
    const asked = openSecrets({ run, spec, sealed }, sealer);
    if (asked === undefined) {
      throw new ProctorError("STORE_UNAVAILABLE", `the secrets of run ${id} were sealed with another key`);
    }
    return createRedactor([...secretsIn(asked), ...(talk ? secretsOfAnswers(sealed, sealer) : [])]);
  }

  async function write(id: string, drafts: readonly EventDraft[], options?: AppendOptions): Promise<Run> {
    const redactor = await redactorFor(id, drafts);
    const now = clock.now();
    return store.append(
      id,
      drafts.map((draft) => toNewEvent(draft, redactor, now)),
      options,
    );
  }

  return {
    decide: (id, decide) =>
      serial(id, async () => {
        const redactor = engine.redactorOf(id) ?? (await redactorOf(id));
        const now = clock.now();
        return store.append(id, (state) => decide(state).map((draft) => toNewEvent(draft, redactor, now)));
      }),
    append: (id, drafts, options) => serial(id, () => write(id, drafts, options)),
    secrets,
    inTurn: (id, work) => serial(id, () => work(write)),
  };
}

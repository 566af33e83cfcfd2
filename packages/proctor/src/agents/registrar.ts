// Registers agents and changes what is registered. What it returns is on disk.
import { withoutProfile } from "../core/agent-profile.ts";
import type { Agent, AgentSpec } from "../core/agent.ts";
import { requireAgent, requireScope, type Caller } from "../core/caller.ts";
import { ProctorError } from "../core/errors.ts";
import { given } from "../core/given.ts";
import { uuidV7 } from "../core/id.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { NewAgent } from "../core/ports/hub.ts";
import type { Lease, StoredRegistration } from "../core/ports/registry-store.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { Store, StoredAgent } from "../core/ports/store.ts";
import type { Authority, Tokens } from "../core/ports/tokens.ts";
import { BEAT_SECONDS, LEASE_INTERVALS, type Registration } from "../core/registration.ts";
import type { ScopeGrant } from "../core/scope.ts";
import { RegistrationChanges } from "../runtime/schemas/registration.ts";
import { validate } from "../runtime/http/validate.ts";
import { checkCapabilities } from "./check-capabilities.ts";
import { kindOf, newEntry, newLease, type Entry } from "./entry.ts";
import { ownsName, requireManager } from "./may-manage.ts";
import { placeOf, type PlaceDeps } from "./registration-spec.ts";
import type { SchemaFits } from "../core/schema-fits.ts";
import { sealAgent } from "./seal-agent.ts";

export interface RegistrarDeps extends PlaceDeps {
  store: Store;
  clock: Clock;
  sealer: Sealer;
  fits: SchemaFits;
  /** Checks an agent; throws what is wrong with it. */
  check: (agent: NewAgent) => void;
  tokens?: Pick<Tokens, "create">;
  authority?: Pick<Authority, "closed" | "enrol" | "note" | "retire">;
}

export interface NewRegistration {
  entry: Entry;
  instance: string;
  created: boolean;
  interval_seconds: number;
  lease_seconds: number;
  token?: string;
}

type Changes = Partial<Omit<Registration, "name">>;

/** Scopes of the token that an agent's registration returns. */
const AGENT_SCOPES: ScopeGrant[] = ["agents:register", "agents:read", "messages:send", "messages:receive"];

export function createRegistrar(deps: RegistrarDeps) {
  const { store, clock, sealer, fits } = deps;

  function stored(agent: NewAgent, registration: StoredRegistration, createdAt?: string): StoredAgent {
    deps.check(agent);
    checkCapabilities(agent.capabilities ?? [], fits);
    const sealed = sealAgent(agent, clock.now(), sealer);
    const kept = createdAt === undefined ? sealed.agent : { ...sealed.agent, created_at: createdAt };
    return { agent: kept, sealed: sealed.sealed, registration };
  }

  /** Issues a token only where the hub asks for tokens: the first one would close a hub that was open. */
  async function tokenFor(name: string, { binding }: Caller): Promise<{ token?: string }> {
    const isOwn = binding?.kind === "agent" && binding.name === name;
    if (isOwn || deps.tokens === undefined || deps.authority?.closed() !== true) return {};
    const token = { kind: "agent" as const, name: `agent ${name}`, scopes: AGENT_SCOPES };
    const issued = await deps.tokens.create({ ...token, binding: { kind: "agent", name } });
    return { token: issued.secret };
  }

  return {
    async register(asked: Registration, caller: Caller, before: Entry | undefined): Promise<NewRegistration> {
      const { name } = asked;
      requireScope(caller, "agents:register");
      requireAgent(caller, name);
      if (before !== undefined) refuseTaken(before, caller);
      const place = await placeOf(asked, caller, deps);
      const now = clock.now();
      const registration = registrationOf(asked, place.kind);
      const agent = { ...place.spec, ...place.profile, ...profileOf(asked), name };
      const kept = stored(agent, registration, before?.agent.created_at);
      const instance = uuidV7(now);
      const lease: Lease = {
        ...newLease(name),
        instance,
        beatAt: place.kind === "leased" ? now : null,
        // An agent with the command to drain keeps draining; one with the command to stop has done so.
        ...(before?.lease.command === "drain" && {
          command: "drain" as const,
          commandedAt: before.lease.commandedAt,
        }),
        state: before?.lease.state ?? "unknown",
        since: before?.lease.since ?? null,
      };
      await deps.authority?.enrol(caller, name);
      await store.registry.put(kept, lease, { replace: before !== undefined });
      deps.authority?.note({
        actor: caller.name,
        action: before === undefined ? "agent.registered" : "agent.registered_again",
        subject: `agent:${name}`,
        details: { address: kept.agent.address, instance },
      });
      return {
        entry: newEntry(kept.agent, registration, lease, before?.measures),
        instance,
        created: before === undefined,
        interval_seconds: registration.interval_seconds,
        lease_seconds: registration.interval_seconds * LEASE_INTERVALS,
        ...(await tokenFor(name, caller)),
      };
    },

    async update(before: Entry, wanted: Changes, caller: Caller): Promise<Entry> {
      const { name } = before.agent;
      const changes = validate(RegistrationChanges, wanted, "body") as Changes;
      requireManager(caller, name);
      const moves = changes.endpoint !== undefined || changes.spec !== undefined;
      const place = moves ? await placeOf({ ...changes, name }, caller, deps) : undefined;
      const registration = registrationOf(
        { ...registrationFields(before), ...changes },
        place?.kind ?? probedOrNot(before, changes.probe),
      );
      const profile = { ...profileOf(before.agent), ...place?.profile, ...profileOf(changes) };
      const kept = place
        ? stored({ ...place.spec, ...profile, name }, registration, before.agent.created_at)
        : await changed(before.agent, profile, registration);
      await store.registry.put(kept, before.lease, { replace: true });
      return { ...before, agent: kept.agent, registration };
    },
  };

  /** Returns the same agent at the same place: its secrets stay sealed. */
  async function changed(
    agent: Agent,
    profile: ReturnType<typeof profileOf>,
    registration: StoredRegistration,
  ): Promise<StoredAgent> {
    checkCapabilities(profile.capabilities ?? [], fits);
    const sealed = (await store.readAgent(agent.name))?.sealed ?? null;
    return { agent: { ...withoutProfile(agent), ...profile }, sealed, registration };
  }
}

function refuseTaken({ agent, registration }: Entry, caller: Caller): void {
  const { name } = agent;
  if (
    caller.enrols !== true &&
    ownsName(caller, name) &&
    (registration !== null || caller.binding?.kind === "agent")
  )
    return;
  const next =
    registration === null
      ? "it was added by hand: choose another name, or remove it first"
      : "register it with the token that its first registration returned, or choose another name";
  throw new ProctorError("AGENT_EXISTS", `an agent named ${name} exists\n${next}`, { details: { name } });
}

function registrationOf(
  { labels = {}, stage = "production", interval_seconds = BEAT_SECONDS.default, metadata }: Changes,
  kind: StoredRegistration["kind"],
): StoredRegistration {
  return { kind, labels, stage, interval_seconds, ...(metadata && { metadata }) };
}

function registrationFields({ registration }: Entry): Changes {
  if (registration === null) return {};
  const { kind: _, ...fields } = registration;
  return fields;
}

function probedOrNot(entry: Entry, probe: boolean | undefined): StoredRegistration["kind"] {
  const kind = kindOf(entry);
  if (probe === undefined || kind === "managed") return kind;
  return probe ? "probed" : "leased";
}

function profileOf({
  description,
  version,
  capabilities,
}: Pick<AgentSpec & Registration, "description" | "version" | "capabilities">) {
  return given({ description, version, capabilities });
}

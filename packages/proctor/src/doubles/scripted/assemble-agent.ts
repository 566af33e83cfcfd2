// A scripted agent put together: its state, its profiles, its control API. The codecs and the server half arrive by injection, the socket is
// the caller's.
import type { JsonObject, Json } from "../../core/json.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import type { AgentCard } from "../../protocols/a2a/model.ts";
import type { A2aCall, A2aService } from "../../protocols/a2a/service.ts";
import { createAgentCard, createExtendedCard } from "./agent-card.ts";
import { createCapturedRequests, type CapturedRequest, type CapturedRequests } from "./captured-requests.ts";
import { checkTurns } from "./check-turns.ts";
import type { Rule } from "./choose-script.ts";
import type { Codecs } from "./complete-event.ts";
import { createControl } from "./control.ts";
import type { Exchanges } from "./exchange.ts";
import { createFaultChooser } from "./faults/choose-faults.ts";
import type { ScriptedFault } from "./faults/fault.ts";
import { authorize, PROFILES, PROFILE_NAMES, type ProfileName } from "./profiles.ts";
import { readTurns, type Script } from "./script.ts";
import { scriptSchemas } from "./script-schema.ts";
import { createScriptedAgent } from "./scripted-agent.ts";
import { createScriptedApp, type Mount, type ScriptedApp, type ServedService } from "./scripted-app.ts";
import { createScriptSource, type ScriptSource } from "./script-source.ts";
import { createTaskStore, type TaskStore } from "./task-store.ts";
import type { Notify } from "./turn-player.ts";
import { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";

export interface AssembleAgentOptions {
  codecs: Codecs;
  /** Serves a service over HTTP. */
  serve: (service: A2aService) => ServedService;
  /** Notifies push receivers; none are notified when absent. */
  notify?: Notify;
  name?: string;
  /** Fields of the card that replace the usual ones. */
  card?: JsonObject;
  /** Replaces the whole card, for tests that mislead clients. */
  shapeCard?: (card: AgentCard) => AgentCard;
  /** Version of the agent in its card. */
  version?: string;
  rules?: readonly Rule[];
  fallback?: Script | undefined;
  faults?: readonly ScriptedFault[];
  seed?: number;
  /** The profile at the root; `main` when absent. Each profile is also at the path of its name. */
  profile?: ProfileName;
  clock?: Clock;
  /** Returns the address of gRPC, once it is known: `127.0.0.1:50051`. */
  grpc?: () => string | undefined;
  /** True where cards of 0.3 give that address as a URL. */
  grpcAsUrl?: boolean;
  check?: (request: Request) => void;
  /** Called when a request over HTTP has its answer, which is sent once the promise resolves. */
  onAnswer?: (request: CapturedRequest) => Promise<void> | void;
}

export interface ScriptedAgentHandle {
  readonly app: ScriptedApp;
  /** The services by profile, for bindings other than HTTP. */
  readonly services: Readonly<Record<ProfileName, A2aService>>;
  readonly captured: CapturedRequests;
  readonly source: ScriptSource;
  readonly tasks: TaskStore;
  readonly clock: VirtualClock;
  /** Primes turns in the form of `responses_json`. Throws A2aError. */
  prime(responses: Json, testCaseId?: string): void;
  setFaults(faults: readonly ScriptedFault[]): void;
  /** Forgets tasks, sequences and counts, of one test case or of all. Captured requests stay. */
  clearState(testCaseId?: string): void;
}

export function assembleAgent(options: AssembleAgentOptions): ScriptedAgentHandle {
  const { codecs, serve, rules = [], fallback, profile: rootProfile = "main" } = options;
  const clock = createVirtualClock(options.clock ?? systemClock);
  const captured = createCapturedRequests();
  const exchanges: Exchanges = new Map();
  const tasks = createTaskStore();
  const chooser = createFaultChooser(options.seed ?? 1);
  const source = createScriptSource({
    rules,
    fallback,
    check: (turns, name) => checkTurns(turns, name, codecs),
  });
  let faults = options.faults ?? [];
  const shape = options.shapeCard ?? ((card: AgentCard) => card);

  function createService(name: ProfileName): A2aService {
    const profile = PROFILES[name];
    const card = (): Parameters<typeof createAgentCard>[0] => ({
      name: options.name ?? "Scripted agent",
      version: options.version ?? "1.0.0",
      profile,
      ...(options.card && { own: options.card }),
      grpc: name === rootProfile ? options.grpc?.() : undefined,
      grpcAsUrl: options.grpcAsUrl ?? false,
    });
    return createScriptedAgent({
      codecs,
      clock,
      source,
      tasks,
      captured,
      exchanges,
      chooser,
      faults: () => faults,
      card: remembered(
        (call) => shape(createAgentCard(card(), call)),
        () => options.grpc?.(),
      ),
      extendedCard: (call) => createExtendedCard(card(), call),
      authorize: (operation, call) => authorize(profile, operation, call),
      notify: options.notify ?? (() => undefined),
    });
  }

  const services = {
    main: createService("main"),
    open: createService("open"),
    reduced: createService("reduced"),
    auth: createService("auth"),
    extension: createService("extension"),
  } satisfies Record<ProfileName, A2aService>;
  const mounts: Mount[] = [
    ...PROFILE_NAMES.map((name) => ({ basePath: `/${name}`, served: serve(services[name]) })),
    { basePath: "", served: serve(services[rootProfile]) },
  ];
  const handle = {
    services,
    captured,
    source,
    tasks,
    clock,
    prime: (responses: Json, testCaseId?: string) =>
      source.prime(readTurns(responses, "responses"), testCaseId),
    setFaults: (next: readonly ScriptedFault[]) => void (faults = next),
    clearState(testCaseId?: string) {
      tasks.clear(testCaseId);
      source.clear(testCaseId);
      chooser.clear(testCaseId);
    },
  };
  const app = createScriptedApp({
    mounts,
    captured,
    exchanges,
    clock,
    control: (request) => control(request),
    ...(options.check && { check: options.check }),
    ...(options.onAnswer && { onAnswer: options.onAnswer }),
  });
  const opened: ScriptedAgentHandle = { ...handle, app };
  const control = createControl(opened, scriptSchemas(codecs));
  return opened;
}

/** Caches the card, which every operation reads and which only depends on the agent's address and on whether gRPC is served yet. */
function remembered(
  create: (call: A2aCall) => AgentCard,
  grpcOf: () => string | undefined,
): (call: A2aCall) => AgentCard {
  let last: { origin: string; basePath: string; grpc: string | undefined; card: AgentCard } | undefined;
  return (call) => {
    const { origin, basePath } = call;
    const grpc = grpcOf();
    if (last?.origin !== origin || last.basePath !== basePath || last.grpc !== grpc)
      last = { origin, basePath, grpc, card: create(call) };
    return last.card;
  };
}

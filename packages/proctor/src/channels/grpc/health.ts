// grpc.health.v1: whether the server as a whole and each of its services serve. They do until they are told to stop.
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import {
  Health,
  HealthCheckResponse_ServingStatus as Status,
  type HealthCheckRequest,
} from "./gen/grpc/health/v1/health_pb.ts";

export interface HealthService {
  register: (router: ConnectRouter) => void;
  /** Tells watchers that nothing is served any more, and ends their streams. */
  stop: () => void;
}

export const HEALTH_SERVICE = Health.typeName;

/** `services` is asked for when a call comes: by then all are registered. */
export function createHealth(services: () => ReadonlySet<string>): HealthService {
  const stopping = new AbortController();

  const status = (): Status => (stopping.signal.aborted ? Status.NOT_SERVING : Status.SERVING);
  const isKnown = (service: string): boolean => service === "" || services().has(service);

  async function* watch(
    { service }: HealthCheckRequest,
    signal: AbortSignal,
  ): AsyncGenerator<{ status: Status }> {
    yield { status: isKnown(service) ? status() : Status.SERVICE_UNKNOWN };
    if (stopping.signal.aborted) return;
    await aborted(stopping.signal, signal);
    if (stopping.signal.aborted && isKnown(service)) yield { status: Status.NOT_SERVING };
  }

  return {
    register(router) {
      router.service(Health, {
        check({ service }) {
          if (isKnown(service)) return { status: status() };
          throw new ConnectError(`there is no service "${service}"`, Code.NotFound);
        },
        list: () => ({
          statuses: Object.fromEntries(["", ...services()].map((service) => [service, { status: status() }])),
        }),
        watch: (request, { signal }) => watch(request, signal),
      });
    },
    stop: () => stopping.abort(),
  };
}

/** Resolves when the first of the signals aborts, and stops listening to all of them. */
async function aborted(...signals: AbortSignal[]): Promise<void> {
  if (signals.some((signal) => signal.aborted)) return;
  let wake = (): void => undefined;
  const woken = new Promise<void>((resolve) => (wake = resolve));
  for (const signal of signals) signal.addEventListener("abort", wake);
  await woken;
  for (const signal of signals) signal.removeEventListener("abort", wake);
}

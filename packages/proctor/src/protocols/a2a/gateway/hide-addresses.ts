// What went wrong between the gateway and an agent, as a client may hear it: without the agent's address, which is the operator's matter.
import { TransportFailure } from "../client/transport-failure.ts";
import { A2aError } from "../errors.ts";
import type { A2aService } from "../service.ts";

const ADDRESSES = /\bhttps?:\/\/[^\s,;"')]+|(?:\[[0-9a-f:]+\]|[\w.-]+):\d{1,5}\b/gi;

export function hideAddresses(text: string): string {
  return text.replaceAll(ADDRESSES, "the agent's server");
}

/** Returns the same error with other words. An A2A error of the agent itself keeps its words. */
export function withoutAddresses(error: unknown): unknown {
  if (!(error instanceof A2aError) || !(error.cause instanceof TransportFailure)) return error;
  return new A2aError(error.reason, hideAddresses(error.message), { ...error.options, cause: error.cause });
}

/** Wraps a service so that its errors name no address; `onTrouble` gets what was hidden. Errors in the midst of a stream are left to its reader. */
export function hidingAddresses(service: A2aService, onTrouble: (problem: unknown) => void): A2aService {
  function hiding<Args extends unknown[], Result>(
    operate: (...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result> {
    return async (...args) => {
      try {
        return await operate(...args);
      } catch (error) {
        const shown = withoutAddresses(error);
        if (shown !== error) onTrouble(error);
        throw shown;
      }
    };
  }
  return {
    card: hiding((call) => service.card(call)),
    extendedCard: hiding((call) => service.extendedCard(call)),
    send: hiding((request, call) => service.send(request, call)),
    stream: hiding((request, call) => service.stream(request, call)),
    subscribe: hiding((request, call) => service.subscribe(request, call)),
    getTask: hiding((request, call) => service.getTask(request, call)),
    listTasks: hiding((request, call) => service.listTasks(request, call)),
    cancelTask: hiding((request, call) => service.cancelTask(request, call)),
    createPushConfig: hiding((config, call) => service.createPushConfig(config, call)),
    getPushConfig: hiding((request, call) => service.getPushConfig(request, call)),
    listPushConfigs: hiding((request, call) => service.listPushConfigs(request, call)),
    deletePushConfig: hiding((request, call) => service.deletePushConfig(request, call)),
  };
}

// The Agent Protocol: document 003 on `/api` and `/ws`, the official v1 on `/ap`, and the driver for servers of v1.
import type { AgentSpec } from "../../core/agent.ts";
import type { AgentDriver } from "../../core/ports/driver.ts";
import { QUESTION_KINDS } from "../../core/question.ts";
import { belowAddress, headersOf, probeHttp } from "../probe.ts";
import type { Protocol } from "../protocol.ts";
import type { TaskOptions } from "./surface.ts";

export const agentProtocol: Protocol = {
  id: "ap",
  transports: ["http", "https"],
  versions: ["v1"],
  createDriver: createLater,
  probe: (spec, signal) =>
    probeHttp({ url: tasksOf(spec), ...headersOf(spec), isAlive: (status) => status === 200 }, signal),
  async loadWebhookEncoding() {
    return (await import("./webhook-encoding.ts")).webhookEncoding;
  },
};

/** Returns the list of tasks, which every server of the protocol has. */
function tasksOf(spec: AgentSpec): URL {
  const url = belowAddress(spec, "");
  url.pathname = `${url.pathname.replace(/\/(ap\/v1(\/agent)?\/*)?$/, "")}/ap/v1/agent/tasks`;
  return url;
}

/** Returns the protocol with its surfaces, which only a hub that serves clients needs. */
export function serveAgentProtocol(tasks: TaskOptions): Protocol {
  return {
    ...agentProtocol,
    async openSurfaces(options) {
      return (await import("./surface.ts")).createSurfaces(options, tasks);
    },
  };
}

/** Loads the driver when it is first needed, so that commands that only run programs do not pay for it. */
function createLater(): AgentDriver {
  let loaded: Promise<AgentDriver> | undefined;
  return {
    // Only servers that are hubs ask (driver/questions.ts).
    talks: { asks: QUESTION_KINDS },
    open(job, signals) {
      loaded ??= import("./driver.ts").then(({ createApDriver }) => createApDriver());
      const opened = loaded.then((driver) => driver.open(job, signals));
      return {
        async answer(questionId, answer) {
          await (await opened).answer?.(questionId, answer);
        },
        async *[Symbol.asyncIterator]() {
          yield* await opened;
        },
      };
    },
  };
}

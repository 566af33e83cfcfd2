// An agent that a test plays, on whatever transport: what it is asked, what it says, and how it goes.
import type { AgentSpec } from "../../../src/core/agent.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Environment } from "../../../src/core/ports/environments.ts";
import type { DriverOptions } from "../../../src/protocols/protocol.ts";

/** One task, from the agent's side. */
export interface PuppetTask {
  request: JsonObject;
  /** Sends one message: a document, or text as it is where the transport carries text. */
  event: (message: JsonObject | string) => Promise<void>;
  /** Sends a response and stays, as no agent should. */
  answer: (message: JsonObject | string) => Promise<void>;
  /** Sends its response and is done. */
  respond: (message: JsonObject | string) => Promise<void>;
  /** Leaves without a word: the process exits, the connection is cut. */
  vanish: () => void;
  /** Resolves when it is told to stop, in its transport's way. */
  stopped: Promise<void>;
}

export type Play = (task: PuppetTask) => Promise<void> | void;

export interface Puppet {
  spec: AgentSpec;
  /** The environment that its program runs in, if not this machine. */
  environment?: Environment;
  /** The terminal that the agent works in, where its protocol needs one. */
  terminal?: Environment;
  close(): Promise<void>;
}

/** A transport on which a puppet can be put. */
export interface Stage {
  name: string;
  /** False where messages are typed and cannot be garbage. */
  carriesText: boolean;
  /** What the hub gives to the driver beside what every driver gets. */
  driverOptions?: Partial<DriverOptions>;
  raise(play: Play): Promise<Puppet>;
}

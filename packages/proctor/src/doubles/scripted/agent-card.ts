// The card of a scripted agent: where it is reached, in which versions, and what its profile offers.
import type { JsonObject } from "../../core/json.ts";
import type { AgentCard, AgentInterface } from "../../protocols/a2a/model.ts";
import { A2A_VERSIONS, type A2aCall } from "../../protocols/a2a/service.ts";
import type { Profile } from "./profiles.ts";

interface CardOptions {
  name: string;
  version: string;
  profile: Profile;
  /** Fields that replace the usual ones. */
  own?: JsonObject;
  /** Address of gRPC: `127.0.0.1:50051`; undefined where it is not served. */
  grpc: string | undefined;
  /** True where cards of 0.3 give that address as a URL: specification and kit of 0.3 want one, and gRPC libraries do not. */
  grpcAsUrl: boolean;
}

const MODES = ["text/plain", "application/json", "application/octet-stream"];

export function createAgentCard(options: CardOptions, { origin, basePath }: A2aCall): AgentCard {
  const { name, version, profile, own = {}, grpc, grpcAsUrl } = options;
  const url = `${origin}${basePath}`;
  const interfaces = A2A_VERSIONS.flatMap((protocolVersion): AgentInterface[] => [
    { url, protocolBinding: "JSONRPC", protocolVersion },
    { url, protocolBinding: "HTTP+JSON", protocolVersion },
    ...(grpc === undefined
      ? []
      : [
          {
            url: grpcAsUrl && protocolVersion === "0.3" ? `http://${grpc}` : grpc,
            protocolBinding: "GRPC",
            protocolVersion,
          },
        ]),
  ]);
  return {
    name,
    description: "Plays scripts: what it answers is said by the tests that talk to it.",
    version,
    provider: { organization: "Proctor", url },
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: [
      {
        id: "script",
        name: "Play a script",
        description: "Answers each message with the next turn of its script.",
        tags: ["test"],
      },
    ],
    ...own,
    supportedInterfaces: interfaces,
    capabilities: profile.capabilities,
    ...profile.security,
  };
}

/** Returns a card that says more than the public one. */
export function createExtendedCard(options: CardOptions, call: A2aCall): AgentCard {
  const card = createAgentCard(options, call);
  const skill = {
    id: "extended",
    name: "Be known to you",
    description: "Is listed only for those who have a token.",
    tags: ["test"],
  };
  return { ...card, skills: [...card.skills, skill] };
}

// The profiles of a scripted agent: one agent, several cards, as conformance kits want to meet it. Each has a path of its own.
import { A2aError } from "../../protocols/a2a/errors.ts";
import type { AgentCard } from "../../protocols/a2a/model.ts";
import type { A2aCall, A2aOperation } from "../../protocols/a2a/service.ts";

export interface Profile {
  name: ProfileName;
  capabilities: AgentCard["capabilities"];
  security?: Pick<AgentCard, "securitySchemes" | "securityRequirements">;
  /** Says whether an operation needs a token. */
  guards: (operation: A2aOperation) => boolean;
}

export const PROFILE_NAMES = ["main", "open", "reduced", "auth", "extension"] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

const FULL: AgentCard["capabilities"] = { streaming: true, pushNotifications: true, extendedAgentCard: true };

export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  /** Everything is offered, and only the extended card needs a token: specification 1.0, section 3.1.11. */
  main: { name: "main", capabilities: FULL, guards: (operation) => operation === "extendedCard" },
  /** Everything is offered without a token: the kit for 1.0 asks for the extended card without one. See packs/README.md. */
  open: { name: "open", capabilities: FULL, guards: () => false },
  /** No optional capability is offered. */
  reduced: {
    name: "reduced",
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    guards: () => false,
  },
  /** A bearer token is asked for, except for the public card. */
  auth: {
    name: "auth",
    capabilities: FULL,
    security: {
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    },
    guards: (operation) => operation !== "card",
  },
  /** The extension that the TCK looks for is required. */
  extension: {
    name: "extension",
    capabilities: {
      ...FULL,
      extensions: [
        { uri: "urn:a2a:tck:required-extension", required: true, description: "Required by this profile." },
      ],
    },
    guards: (operation) => operation === "extendedCard",
  },
};

/** The accepted token, which has the name that ACTS uses. */
const VALID_TOKEN = "itk-valid-token";
const INSUFFICIENT_TOKEN = "itk-insufficient-token";

/** Throws A2aError UNAUTHENTICATED or PERMISSION_DENIED. */
export function authorize({ guards }: Profile, operation: A2aOperation, { headers }: A2aCall): void {
  if (!guards(operation)) return;
  const [, token] = /^Bearer +(\S+)$/i.exec(headers["authorization"] ?? "") ?? [];
  if (token === VALID_TOKEN) return;
  if (token === INSUFFICIENT_TOKEN) {
    throw new A2aError("PERMISSION_DENIED", "this token does not allow it");
  }
  throw new A2aError(
    "UNAUTHENTICATED",
    `authentication is required; send Authorization: Bearer ${VALID_TOKEN}`,
  );
}

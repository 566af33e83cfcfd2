// The names under which the gateway adds something to the metadata of what passes through it. Documented in docs/reference/gateway.md.

/** On a part that was bytes, and on the artifact that keeps them: the id of the agent's artifact they came in. */
export const PROXIED_FROM = "proxied_from_artifact_id";
/** On a task that has ended: the artifacts that were kept while it was worked on. */
export const PRODUCED = "produced_artifacts";
/** On a result or a frame: what could not be said in the other version of the protocol. */
export const LOSSES = "proctor_losses";

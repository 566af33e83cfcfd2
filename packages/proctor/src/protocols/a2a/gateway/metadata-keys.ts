// The names under which the gateway adds something to the metadata of what passes through it. Documented in docs/reference/gateway.md.

/** On a part that held bytes, and on the artifact that keeps them: the id of the agent's artifact in which they came. */
export const PROXIED_FROM = "proxied_from_artifact_id";
/** On a task that has ended: the artifacts that were kept while it was worked on. */
export const PRODUCED = "produced_artifacts";
/** On a result or a frame: what the other version of the protocol could not express. */
export const LOSSES = "proctor_losses";

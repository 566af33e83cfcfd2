// A card that is made for each place at which clients reach an agent, and asked for by every operation: the last one is remembered.
import type { AgentCard } from "../model.ts";
import type { A2aCall } from "../service.ts";

type Place = Pick<A2aCall, "origin" | "basePath">;

/** Makes the card again only when `source` is another object. Callers must not change the result. */
export function rememberCard<Source extends object>(
  create: (source: Source, place: Place) => AgentCard,
  /** Other state on which the card depends, and which may change. */
  isClosed: () => boolean = () => false,
): (source: Source, place: Place) => AgentCard {
  let last:
    | { source: Source; origin: string; basePath: string; closed: boolean; card: AgentCard }
    | undefined;
  return (source, place) => {
    const { origin, basePath } = place;
    const closed = isClosed();
    if (
      last?.source !== source ||
      last.origin !== origin ||
      last.basePath !== basePath ||
      last.closed !== closed
    )
      last = { source, origin, basePath, closed, card: create(source, place) };
    return last.card;
  };
}

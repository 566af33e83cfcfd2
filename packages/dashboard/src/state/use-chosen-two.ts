// At most two of a list are chosen, to be compared: a third takes the place of the one that was chosen first.
import { useState } from "preact/hooks";

interface ChosenTwo {
  /** Ids in the order in which they were chosen. */
  chosen: readonly string[];
  choose: (id: string, isChosen: boolean) => void;
}

export function useChosenTwo(): ChosenTwo {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  return {
    chosen,
    choose: (id, isChosen) => setChosen((before) => chooseOf(before, id, isChosen)),
  };
}

export function chooseOf(before: readonly string[], id: string, isChosen: boolean): readonly string[] {
  const others = before.filter((one) => one !== id);
  return isChosen ? [...others.slice(-1), id] : others;
}

// Copies in and out of a local environment. No path may lead out of its directory, not even through a link.
import type { Environment } from "../../core/ports/environments.ts";
import { copyOut } from "./copy-out.ts";
import { copyTree } from "./copy-tree.ts";
import { makeParents, stayInside } from "./place.ts";
import type { Place } from "./place.ts";

export function insideFiles(place: Place): Pick<Environment, "copyIn" | "copyOut"> {
  return {
    async copyIn(source, target) {
      const path = place.real(target);
      await makeParents(place, path);
      await copyTree(source, path);
    },
    async copyOut(source, target, limits) {
      const path = place.real(source);
      await stayInside(place, path);
      return copyOut(path, target, limits);
    },
  };
}

// Every promise of an environment; those that have to do with files and processes in both profiles.
import { describe } from "vitest";
import { stateCases } from "../cases/state.case.ts";
import { lifeCases } from "../cases/life.case.ts";
import { environmentCases } from "../environment.case.ts";
import { describeBwrap } from "../../../test/support/environments/bwrap-machine.ts";

await describeBwrap("bwrap:", ({ open, leftovers }) => {
  const can = { isolated: true, leftovers };
  environmentCases("with the profile strict", open("strict"), can);
  describe("the environment with the profile multi-user", () => {
    describe("when it tracks its files", () => stateCases(open("multi-user")));
    describe("from opening to destroying", () => lifeCases(open("multi-user"), can));
  });
});

// Every promise of an environment; those that have to do with files and processes in both profiles.
import { describe } from "vitest";
import { stateCases } from "../cases/state.case.ts";
import { lifeCases } from "../cases/life.case.ts";
import { environmentCases } from "../environment.case.ts";
import { describeBwrap } from "../../../test/support/environments/bwrap-machine.ts";

await describeBwrap("bwrap", ({ open, leftovers }) => {
  const can = { isolated: true, leftovers };
  environmentCases("strict", open("strict"), can);
  describe("multi-user", () => {
    describe("state", () => stateCases(open("multi-user")));
    describe("life", () => lifeCases(open("multi-user"), can));
  });
});

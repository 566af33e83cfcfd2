// A rule for gateways: what is sent through one, and what should come out at either end.
import type { A2aRule } from "../conform/rule.ts";
import type { Stage } from "./stage.ts";

export interface GatewayRule extends A2aRule {
  /** True where the rule is tried at the first endpoint alone. */
  first?: true;
  /** True where the rule is about the card. */
  needsCard?: true;
  /** True where the rule is tried even at an endpoint that does not answer a plain message. */
  anyway?: true;
  /** True where no other rule may run at the same time. */
  alone?: true;
  examine: (stage: Stage) => Promise<void> | void;
}

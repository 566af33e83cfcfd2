// The Hub port's promises, kept by both of its implementations on the same real parts.
import { hubCases } from "../src/core/ports/hub.case.ts";
import { verifyInTests } from "../src/core/ports/judging-hub.case.ts";
import { openServedHub } from "./support/served-hub.ts";
import { createTalkingPuppets } from "./support/talking-puppets.ts";
import { openTestHub } from "./support/test-hub.ts";

hubCases("in this process", async () => {
  const puppets = createTalkingPuppets();
  const opened = await openTestHub({ verify: verifyInTests, puppets: { ...puppets } });
  return { ...opened, puppets };
});

hubCases("over HTTP", async () => {
  const puppets = createTalkingPuppets();
  const opened = await openServedHub({ verify: verifyInTests, puppets: { ...puppets } });
  return { ...opened, puppets };
});

// The shared suite of surfaces, through the built hub.
import { describeSurfaces } from "../../src/protocols/surface.case.ts";
import { A2A_SURFACES } from "../support/surfaces/a2a.ts";
import { AGENT_PROTOCOL_SURFACES } from "../support/surfaces/agent-protocol.ts";
import { ENVELOPE_SURFACES } from "../support/surfaces/envelope.ts";
import { ATP_SURFACES } from "../support/surfaces/atp.ts";

describeSurfaces([...ATP_SURFACES, ...AGENT_PROTOCOL_SURFACES, ...A2A_SURFACES, ...ENVELOPE_SURFACES]);

// Evaluations in this process and over HTTP: the same promises.
import { evaluationsCases } from "../../core/ports/evaluations.case.ts";
import { openLocalEvaluations, openServedEvaluations } from "../../../test/support/evaluations.ts";

evaluationsCases("evaluations in this process", openLocalEvaluations);
evaluationsCases("evaluations over HTTP", openServedEvaluations);

// The listeners that are called after each commit that changed an evaluation.

type EvaluationListener = (evaluationId: string) => void;

export interface EvaluationWatchers {
  watch: (listener: EvaluationListener) => () => void;
  notify: EvaluationListener;
}

export function createEvaluationWatchers(): EvaluationWatchers {
  const listeners = new Set<{ call: EvaluationListener }>();
  return {
    watch(call) {
      const entry = { call };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    notify(id) {
      for (const { call } of listeners) call(id);
    },
  };
}

"""An agent in one function: `python3 agent.py` speaks over pipes, `python3 agent.py --serve 8000` over the network."""

import pathlib, sys

# Only to run from a checkout: after `pip install proctor-sdk` this line is not needed.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "sdk" / "python"))
from proctor_agent import serve


def agent(task, emit):
    emit.progress(message="thinking", percentage=10)
    return {"output": f"Processed: {task.description}"}


serve(agent)

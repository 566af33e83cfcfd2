"""The loop that the protocol's document shows, without the SDK."""

import json
import sys

# CORRECT - line by line
for line in sys.stdin:
    request = json.loads(line)
    # process...
    response = {"command": "ls -la" if request["step"] == 1 else None, "task_complete": request["step"] != 1}
    print(json.dumps(response), flush=True)

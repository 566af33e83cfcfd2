"""An agent that talks in envelopes, with nothing but Python's standard library.

    python3 agent.py http://127.0.0.1:3001 [name]

It registers, beats, takes its envelopes from its inbox at the hub, and answers every `execute`.
"""

import json
import os
import sys
import threading
import time
import urllib.parse
import urllib.request

HUB = sys.argv[1].rstrip("/")
NAME = sys.argv[2] if len(sys.argv) > 2 else "shouter"
TOKEN = os.environ.get("PROCTOR_TOKEN", "")


def call(method, path, body=None, timeout=70):
    headers = {"content-type": "application/json"}
    if TOKEN:
        headers["authorization"] = f"Bearer {TOKEN}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(HUB + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=timeout) as response:
        text = response.read()
    return json.loads(text) if text else None


def register():
    """Joins the registry. On a hub with tokens PROCTOR_TOKEN is an enrolment token, and the answer has the agent's own."""
    global TOKEN
    capability = {"name": "shout", "description": "Says it louder.", "parameters": {"type": "object"}}
    answer = call("POST", "/registry/agents", {"name": NAME, "capabilities": [capability]})
    TOKEN = answer.get("token", TOKEN)
    return answer


def beat(registered):
    """Says that the agent is alive, once in an interval, and does what the hub wants: to drain means to take no more work."""
    path = f"/registry/agents/{urllib.parse.quote(NAME)}/heartbeat"
    while True:
        answer = call("POST", path, {"instance": registered["instance"], "load": {"active": 0, "capacity": 1}})
        if "stop" in answer["commands"]:
            os._exit(0)
        time.sleep(registered["interval_seconds"])


def reply(request, kind, action, payload):
    """The id makes it safe to send an answer twice: the hub takes it once."""
    envelope = {
        "id": f"{request['id']}:{action}:{kind}",
        "from": NAME,
        "to": request["from"],
        "type": kind,
        "action": action,
        "payload": payload,
        "inReplyTo": request["id"],
        "trace": {"traceId": request["trace"]["traceId"], "spanId": os.urandom(8).hex(), "parentId": request["trace"]["spanId"]},
        "timestamp": int(time.time() * 1000),
        "hops": request.get("hops", 0) + 1,
    }
    call("POST", "/messages", envelope)


def execute(request):
    payload = request["payload"]
    task = payload.get("task") if isinstance(payload, dict) else payload
    text = task["description"] if isinstance(task, dict) else str(task)
    reply(request, "notification", "status_update", {"status": "running", "progress": 50})
    reply(request, "response", "execute", {"result": text.upper()})


def main():
    threading.Thread(target=beat, args=[register()], daemon=True).start()
    print(f"{NAME} is listening", flush=True)
    after = 0
    while True:
        query = urllib.parse.urlencode({"for": NAME, "after": after, "wait": 50})
        for entry in call("GET", f"/messages?{query}")["items"]:
            envelope = entry["envelope"]
            if envelope["type"] == "request":
                if envelope["action"] == "execute":
                    execute(envelope)
                else:
                    reason = {"code": "NOT_SUPPORTED", "message": f"{NAME} only executes"}
                    reply(envelope, "error", envelope["action"], reason)
            # Everything up to here is done; the next request says so to the hub.
            after = entry["position"]


if __name__ == "__main__":
    main()

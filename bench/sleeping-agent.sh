#!/bin/sh
# Reads its task, reports its process id, and sleeps until it is killed.
read -r request
echo "{\"version\":\"1.0\",\"task_id\":\"$PROCTOR_RUN_ID\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"sequence\":0,\"event_type\":\"progress\",\"payload\":{\"message\":\"$$\"}}" >&2
exec sleep 3600

"""Adds --ctrf FILE to pytest: the outcome of every test as Common Test Report Format JSON (ctrf.io)."""
import json
import os
import time

import pytest


def pytest_addoption(parser):
    parser.getgroup("terminal reporting").addoption(
        "--ctrf", action="store", default=None, metavar="FILE", help="write the outcome of every test as CTRF JSON"
    )


def pytest_configure(config):
    path = config.getoption("--ctrf")
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Report(os.path.abspath(path)), "proctor-ctrf-report")


class Report:
    def __init__(self, path):
        self.path, self.tests, self.begin = path, {}, time.time()

    def pytest_runtest_logreport(self, report):
        now = time.time()
        test = self.tests.setdefault(report.nodeid, {
            "name": report.nodeid, "status": "other", "duration": 0, "start": milliseconds(now - report.duration),
            "file_path": report.location[0],
        })
        test["duration"] += milliseconds(report.duration)
        test["stop"] = milliseconds(now)
        status = "skipped" if report.skipped else report.outcome
        if report.when == "call" or status != "passed":
            # A test whose clean-up fails has failed, even if the test itself passed.
            if test["status"] != "failed":
                test["status"] = status
            test["raw_status"] = report.when + "_" + report.outcome
        if report.failed:
            test["trace"] = report.longreprtext
            crash = getattr(report.longrepr, "reprcrash", None)
            test["message"] = crash.message if crash else report.longreprtext[-2000:]
        elif report.skipped and isinstance(report.longrepr, tuple):
            test["message"] = report.longrepr[2]

    def pytest_collectreport(self, report):
        if report.failed:
            now = milliseconds(time.time())
            self.tests[report.nodeid or "collection"] = {
                "name": report.nodeid or "collection", "status": "failed", "duration": 0, "start": now, "stop": now,
                "message": "collection failed", "trace": report.longreprtext, "raw_status": "collect_failed",
            }

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self):
        tests = list(self.tests.values())
        count = lambda status: sum(test["status"] == status for test in tests)
        summary = {name: count(name) for name in ("passed", "failed", "pending", "skipped", "other")}
        summary.update(tests=len(tests), start=milliseconds(self.begin), stop=milliseconds(time.time()))
        results = {"tool": {"name": "pytest", "version": pytest.__version__}, "summary": summary, "tests": tests}
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump({"reportFormat": "CTRF", "specVersion": "0.0.0", "results": results}, file, indent=2)


def milliseconds(seconds):
    return int(seconds * 1000)

"""Prometheus with the alerts that ship, which says during a drill which of them came."""

import json
import urllib.request

from deploy.drills.machines import DEPLOY, OnHost


class Prometheus(OnHost):
    """A Prometheus that reads these addresses every five seconds, with the shipped alerts."""

    def __init__(self, folder, host, addresses, token):
        folder.mkdir()
        targets = [f"{address}:8000" for address in addresses]
        job = {"job_name": "assess", "static_configs": [{"targets": targets}]}
        job["authorization"] = {"credentials": token}
        often = {"scrape_interval": "5s", "scrape_timeout": "5s", "evaluation_interval": "5s"}
        rules = [str(DEPLOY / "alerts.yml")]
        settings = {"global": often, "rule_files": rules, "scrape_configs": [job]}
        (folder / "prometheus.yml").write_text(json.dumps(settings))  # which YAML contains
        command = ["prometheus", f"--config.file={folder}/prometheus.yml"]
        command.append(f"--storage.tsdb.path={folder}/data")
        self._url, log = f"http://{host.address}:9090", folder / "prometheus.log"
        super().__init__(log, host, command, ready=lambda p: p.wait_for_url(f"{self._url}/-/ready"))

    def _asked(self, path):
        with urllib.request.urlopen(f"{self._url}/api/v1/{path}", timeout=10) as answer:
            return json.load(answer)["data"]

    def has_read_all(self):
        """Whether each address has answered it."""
        targets = self._asked("targets")["activeTargets"]
        return all(each["health"] == "up" for each in targets)

    def alerts(self):
        """Return the states of the alerts that are pending or firing, by their names."""
        return {
            each["labels"]["alertname"]: each["state"] for each in self._asked("alerts")["alerts"]
        }

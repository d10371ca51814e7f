"""`reports/findings.json`: every finding, one a line, without the lines of specs: what changes in it is a change of
meaning. Comparing it in continuous integration shows each finding that came, went or changed its status.
"""

from __future__ import annotations

import msgspec

from oracle.checks.engines import CheckResult
from oracle.report.check.check_sarif import fingerprint
from oracle.report.words.check_words import merged

FORMAT = 1


def baseline_text(result: CheckResult) -> str:
    """The list as JSON text, sorted by source, code and subject."""
    lines = []
    for report in result.reports:
        entries = [
            {
                "code": finding.code,
                "status": finding.status,
                "level": finding.level,
                "rules": list(tables),
                "question": finding.question,
                "subject": finding.subject,
                "region": finding.region,
                "states": finding.states,
                "message": finding.message,
                "resolution": finding.resolution,
                "fingerprint": fingerprint(finding),
            }
            for finding, tables in merged(report.findings)
        ]
        order = ("code", "question", "subject", "region", "message")
        entries.sort(key=lambda entry: [str(entry[key]) for key in order])
        lines += [msgspec.json.encode(entry).decode() for entry in entries]
    head = f'{{"format":{FORMAT},"generated":"by baccarat-oracle report, do not edit","findings":['
    return "\n".join([head, ",\n".join(lines), "]}"]) + "\n"

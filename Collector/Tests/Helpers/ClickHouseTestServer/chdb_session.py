"""Answers statements on standard input, one JSON object a line, with a current ClickHouse in this process."""

import base64
import json
import shutil
import sys

from chdb import session

folder = sys.argv[1]
database = session.Session(f"{folder}/data?config-file={folder}/config.xml")
try:
    for line in sys.stdin:
        question = json.loads(line)
        try:
            answer = database.query(question["sql"], question["format"], params=question["parameters"])
            said = {"answer": base64.b64encode(answer.bytes()).decode()}
        except Exception as error:
            said = {"error": str(error)}
        print(json.dumps(said), flush=True)
finally:
    # Whoever began it may be gone.
    database.close()
    shutil.rmtree(folder, ignore_errors=True)

"""Asks a collector as its description says, and looks at each answer by it."""

import http.client
import json

from description import Description, Wrong


class Answer:
    def __init__(self, response, body):
        self.status = response.status
        self.headers = response.headers
        self.body = body

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")

    @property
    def json(self):
        return json.loads(self.body)


class Client:
    def __init__(self, port, description=None, key=None):
        self.port = port
        self.key = key
        self.description = description or Description(self.ask("GET", "/openapi.json").json)

    def ask(self, method, target, headers=None, body=None, timeout=40):
        """Anything, described or not."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            headers = dict(headers or {})
            if self.key:
                headers.setdefault("Authorization", f"Bearer {self.key}")
            connection.request(method, target, body=body, headers=headers)
            response = connection.getresponse()
            return Answer(response, response.read())
        finally:
            connection.close()

    def call(self, name, status=200, *, path=None, query=None, headers=None, body=None, raw=None, kind=None):
        """An operation by its name. The answer has to have this status, and to be as described.

        body is sent as JSON, raw as it is, with the type `kind`.
        """
        headers = dict(headers or {})
        method, target = self.description.request(name, path or {}, query or {}, headers, body)
        data = raw if body is None else json.dumps(body).encode()
        if data is not None:
            headers.setdefault("Content-Type", kind or "application/json")
        answer = self.ask(method, target, headers, data)
        if answer.status != status:
            raise Wrong(f"{name}: {method} {target[:200]} answers {answer.status} and not {status}: {answer.text[:300]}")
        self.description.check(name, answer)
        return answer

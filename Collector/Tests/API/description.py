"""The description of the API, and what an answer has to look like by it.

Published, answers are open: a client ignores members that it does not know. Here they are closed, so that a member which the collector
sends and the description does not have is an error.
"""

import copy
import json
import re
from urllib.parse import quote, urlencode

from jsonschema import Draft202012Validator


class Wrong(AssertionError):
    """The collector does something else than it says."""


def closed(schema):
    """The same, with objects whose members are all known."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    result = {name: closed(value) for name, value in schema.items()}
    if isinstance(result.get("properties"), dict) and result.get("type") == "object":
        result.setdefault("additionalProperties", False)
    return result


def closed_document(document):
    """The document with closed answers; what a request may bring stays as it is."""
    result = copy.deepcopy(document)
    result["components"]["schemas"] = closed(result["components"]["schemas"])
    for path in result["paths"].values():
        for operation in path.values():
            operation["responses"] = closed(operation["responses"])
    return result


class Description:
    def __init__(self, document):
        self.document = closed_document(document)
        self.operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, methods in self.document["paths"].items() for method, operation in methods.items()
        }
        self.called = set()
        # Optional members of answers, and those that were there once.
        self.seen = set()

    def request(self, name, path, query, headers, body):
        """Method and target of an operation, after looking at whether it is described that way."""
        method, template, operation = self.operations[name]
        self.called.add(name)
        given = {("path", each) for each in path} | {("query", each) for each in query}
        known = {(each["in"], each["name"]) for each in operation.get("parameters", [])}
        required = {(each["in"], each["name"]) for each in operation.get("parameters", []) if each["required"]} - {("header", each) for each in headers}
        if given - known or required - given:
            raise Wrong(f"{name}: {sorted(given - known)} is not described, {sorted(required - given)} is missing")
        if body is not None:
            self._validate(name, "the request", operation["requestBody"]["content"]["application/json"]["schema"], body)
        target = re.sub(r"\{(\w+)\}", lambda match: quote(str(path[match[1]]), safe="!$&'()*+,=:@-._~"), template)
        return method, target + ("?" + urlencode(query, doseq=True) if query else "")

    def check(self, name, answer):
        """Whether an answer is one of those that are described."""
        method, _, operation = self.operations[name]
        described = operation["responses"].get(str(answer.status))
        if described and "$ref" in described:
            described = self.document["components"]["responses"][described["$ref"].rsplit("/", 1)[1]]
        if described is None:
            raise Wrong(f"{name}: the status {answer.status} is not described; the answer: {answer.text[:300]}")
        for header, what in described.get("headers", {}).items():
            if answer.status < 400 and what.get("required") and header not in answer.headers:
                raise Wrong(f"{name}: {answer.status} has no {header}")
        contents = described.get("content", {})
        if not contents or method == "HEAD":
            if answer.body:
                raise Wrong(f"{name}: {answer.status} has a body, and none is described: {answer.text[:300]}")
            return
        kind = answer.headers.get("Content-Type", "").split(";")[0]
        if kind not in contents:
            raise Wrong(f"{name}: {answer.status} is {kind or 'of no type'}; described: {', '.join(contents)}")
        if kind == "application/json":
            self._validate(name, f"the answer {answer.status}", contents[kind]["schema"], answer.json)
            self._note(contents[kind]["schema"], answer.json)
        # Protocols of others have errors of their own form.
        if answer.status >= 400 and kind == "application/json" and "error" in answer.json:
            self._check_code(name, described, answer)

    def _check_code(self, name, described, answer):
        code = answer.json["error"]["code"]
        text = described["description"]
        if f"`{code}`" not in text and not (code.startswith("invalid_") and "`invalid_…`" in text):
            raise Wrong(f"{name}: {answer.status} {code} is not described: refuses: [Refusal({answer.status}, \"{code}\", …)]")

    def _validate(self, name, what, schema, value):
        validator = Draft202012Validator({**schema, "components": self.document["components"]})
        errors = sorted(validator.iter_errors(value), key=lambda error: len(error.absolute_path))
        if errors:
            places = "; ".join(f"{'.'.join(map(str, each.absolute_path)) or 'top'}: {each.message[:300]}" for each in errors[:5])
            raise Wrong(f"{name}: {what} is not as described: {places}")

    # MARK: Members that are not always there

    def _resolved(self, schema):
        while "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            schema = {**self.document["components"]["schemas"][name], "name": name}
        return schema

    def _note(self, schema, value, place=""):
        schema = self._resolved(schema)
        place = schema.get("name", place)
        for each in schema.get("anyOf", []):
            self._note(each, value, place)
        if isinstance(value, dict):
            for member, inner in schema.get("properties", {}).items():
                if member in value:
                    self.seen.add(f"{place}.{member}")
                    self._note(inner, value[member], f"{place}.{member}")
        if isinstance(value, list) and isinstance(schema.get("items"), dict):
            for each in value:
                self._note(schema["items"], each, place)

    def never_seen(self):
        """Members of named schemas that no answer had."""
        missing = []
        for name, schema in self.document["components"]["schemas"].items():
            missing += [f"{name}.{member}" for member in schema.get("properties", {}) if f"{name}.{member}" not in self.seen]
        return missing

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Real outputs of pcounter against its schemas.

    validate.py SCHEMAS OUTPUTS [LEFT_OUT...]

SCHEMAS holds NAME.json, OUTPUTS N.json or N.jsonl, with the call that made it in N.json.call.  Every
output is valid; every member of every schema occurs in one, but for schemas that are LEFT_OUT; what
is always there is required.  And the schemas notice: in an output a member is renamed, taken away, given
another type or a value that it cannot have, each once, and that must be invalid.  An N.jsonl beside an N.json says
the same.
"""
import json
import os
import pathlib
import sys

from jsonschema import Draft202012Validator

failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAILED: " + text)


def no_constant(word):
    raise ValueError(word + " is no JSON")


def no_twice(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError("a member is there twice: " + ", ".join(names))
    return dict(pairs)


def parse(text):
    return json.loads(text, parse_constant=no_constant, object_pairs_hook=no_twice)


class Schema:
    def __init__(self, path):
        self.name = path.stem
        self.root = parse(path.read_text("utf-8"))
        Draft202012Validator.check_schema(self.root)
        if self.root.get("$id") != self.name:
            fail(f"{path.name} is not its $id")
        self.validator = Draft202012Validator(self.root)
        self.outputs = 0
        self.seen = {}  # (id of an object's schema, member): how many of its objects have it
        self.objects = {}  # id of an object's schema: how many there were
        self.tried = set()  # members that were changed already
        self.members = list(self.all_members(self.root, self.name))
        for _, name, where, member in self.members:
            if "description" not in self.resolve(member):
                fail(f"{where}.{name} has no description")

    def resolve(self, schema):
        while "$ref" in schema:
            schema = self.root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
        return schema

    def all_members(self, schema, where):
        """(schema of an object, member, where, its schema) of all that are described"""
        for name, member in schema.get("properties", {}).items():
            yield schema, name, where, member
            yield from self.all_members(member, f"{where}.{name}")
        for name, part in schema.get("$defs", {}).items():
            yield from self.all_members(part, f"{where}#{name}")
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                yield from self.all_members(schema[key], f"{where}.{key}")

    def parts(self, schema, value):
        """the schemas that are about the value itself"""
        schema = self.resolve(schema)
        yield schema
        for part in schema.get("allOf", []):
            yield from self.parts(part, value)
        if "if" in schema:
            branch = "then" if Draft202012Validator(schema["if"]).is_valid(value) else "else"
            if branch in schema:
                yield from self.parts(schema[branch], value)

    def walk(self, schema, value):
        """(schema of an object, the object, member, schema of the member) of all that are there"""
        for part in self.parts(schema, value):
            if isinstance(value, list) and "items" in part:
                for item in value:
                    yield from self.walk(part["items"], item)
            if isinstance(value, dict) and ("properties" in part or "additionalProperties" in part):
                self.objects[id(part)] = self.objects.get(id(part), 0) + 1
                known, others = part.get("properties", {}), part.get("additionalProperties")
                for name in list(value):
                    member = known.get(name, others if isinstance(others, dict) else None)
                    if member is not None:
                        yield part, value, name, member
                        yield from self.walk(member, value[name])

    def add(self, value, call):
        """one output"""
        self.outputs += 1
        errors = list(self.validator.iter_errors(value))
        for error in errors[:3]:
            fail(f"{call}\n  {self.name}: at {error.json_path}: {error.message[:300]}")
        if errors:
            return
        for part, owner, name, member in list(self.walk(self.root, value)):
            self.seen[id(part), name] = self.seen.get((id(part), name), 0) + 1
            if (id(part), name) not in self.tried:
                self.tried.add((id(part), name))
                self.try_member(value, part, owner, name, self.resolve(member), call)

    def try_member(self, value, part, owner, name, member, call):
        """each change of the member must be noticed"""
        global changes
        before = dict(owner)
        for what, change in changes_of(owner, name, member, part):
            change()
            changes += 1
            if self.validator.is_valid(value):
                fail(f"{call}\n  {self.name}: {name} {what}, and nobody notices")
            owner.clear()
            owner.update(before)

    def end(self):
        if not os.environ.get("PC_TEST_LONG"):
            return  # then not all calls are made
        if self.outputs == 0:
            fail(f"no output of {self.name}")
            return
        for part, name, where, _ in self.members:
            times = self.seen.get((id(part), name), 0)
            if times == 0:
                fail(f"no output has {where}.{name}")
            elif (name not in part.get("required", []) and not name.endswith("_number")
                  and times == self.objects[id(part)] and part is not self.root_of_lines()):
                fail(f"{where}.{name} is in every output, but not required")

    def root_of_lines(self):
        return self.root if "allOf" in self.root else None


changes = 0


def changes_of(owner, name, member, part):
    """(what, how to do it) for the changes that a member allows"""
    value = owner[name]

    def put(new):
        return lambda: owner.__setitem__(name, new)

    def rename():
        owner[name + "_"] = owner.pop(name)

    yield "is renamed", rename
    if name in part.get("required", []):
        yield "is taken away", lambda: owner.pop(name)
    others = {str: [1.5, True, {}], bool: ["true", 0.5], int: [str(value), True, []], float: [str(value), True],
              dict: [[], "x", 1.5], list: [{}, "x", 1.5], type(None): [{}, True]}
    for other in others[type(value)]:
        yield f"is {json.dumps(other)}", put(other)
    if "enum" in member or "const" in member or "pattern" in member:
        yield "has a value that it cannot have", put("~no such~")


def lines_of(text, call):
    """lines of --format jsonl: each report begins, is numbered, ends"""
    schema = None
    for line in text.splitlines():
        value = parse(line)
        if value["type"] in ("begin", "error"):
            if schema is not None:
                fail(f"{call}: a report begins within one")
            schema, seq = value["$schema"], 0
        if schema is None:
            fail(f"{call}: a line is in no report")
            return
        if value["seq"] != seq:
            fail(f"{call}: line {value['seq']} instead of {seq}")
        if value["type"] == "end" and value["items"] != seq - 1:
            fail(f"{call}: {value['items']} items, and not {seq - 1}")
        seq += 1
        yield schema, value
        if value["type"] in ("end", "error"):
            schema = None
    if schema is not None:
        fail(f"{call}: no end")


# the lists of a JSON, by what an item of them is called in lines
LISTS = {"event": "events", "metric": "metrics", "expectation": "expectations", "interval": "intervals",
         "window": "windows", "read": "reads", "difference": "shown", "register": "registers", "group": "groups",
         "not_compared": "not_compared", "row": "rows", "sum": "sums", "net": "nets",
         "value": "values", "clock": "clocks", "latency": "latencies", "check": "checks", "rule": "rules",
         "state_machine": "states", "level": "levels",
         "untried": "untried"}


def joined(text):
    """reports as lines, as the JSON that they are otherwise"""
    for line in text.splitlines():
        value = parse(line)
        if value["type"] in ("begin", "error"):
            report = {}
        for name, member in value.items():
            if value["type"] == "item" and name == "difference" and "description" in report:
                report.setdefault("differences", []).append(member)
            elif value["type"] == "item" and name in LISTS:
                report.setdefault(LISTS[name], []).append(member)
            elif name not in ("type", "seq", "$schema", "items"):
                report[name] = member
        if value["type"] in ("end", "error"):
            yield report


def compare(path, call):
    """the same report as JSON and as lines; what is partial is not complete"""
    one = parse(path.with_suffix(".json").read_text("utf-8"))
    lines = list(joined(path.read_text("utf-8")))
    ones = one if isinstance(one, list) else [one]
    for report, value in zip(lines, ones):
        del value["$schema"]
        if "complete" in value:
            value["partial"] = not value.pop("complete")
        elif "error" not in value:
            value.setdefault("partial", False)
        for name in [*LISTS.values(), "differences"]:
            if value.get(name) == [] and name not in report:
                del value[name]
    if lines != ones:
        fail(f"{call}: it is not what --format json says")


def outputs_of(path, call):
    text = path.read_bytes().decode("utf-8")
    if path.suffix == ".jsonl":
        yield from lines_of(text, call)
        return
    value = parse(text)
    for one in value if isinstance(value, list) else [value]:
        yield one["$schema"], one


def main():
    folder, outputs, left_out = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    schemas = {path.stem: Schema(path) for path in pathlib.Path(folder).glob("*.json")}
    count = 0
    pairs = 0
    # the small ones first: a change to an output is followed by a look at all of it
    for path in sorted([*outputs.glob("*.json"), *outputs.glob("*.jsonl")], key=lambda p: (p.stat().st_size, p)):
        call = pathlib.Path(f"{path}.call").read_text("utf-8").strip()
        try:
            if path.suffix == ".jsonl" and path.with_suffix(".json").exists():
                compare(path, call)
                pairs += 1
            for name, value in outputs_of(path, call):
                if name in schemas:
                    schemas[name].add(value, call)
                else:
                    fail(f"{call}\n  there is no schema {name}")
                count += 1
        except (ValueError, KeyError) as error:
            fail(f"{call}\n  {error!r}")
    for name, schema in sorted(schemas.items()):
        if name not in left_out:
            schema.end()
    print(f"{count} outputs of {len(schemas)} schemas, {changes} changes to them, {pairs} as lines, too; "
          f"{failures} failed")
    return 1 if failures or count < 50 or changes < 1000 or pairs < 20 else 0


sys.exit(main())

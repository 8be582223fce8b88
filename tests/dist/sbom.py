#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sbom.py SBOM TARBALL: an SBOM against what SPDX 2.3 asks for, and against tools/packages.txt of the tarball."""
import hashlib
import json
import re
import sys
import tarfile

with open(sys.argv[1], encoding="utf-8") as file:
    sbom = json.load(file)
with open(sys.argv[2], "rb") as file:
    digest = hashlib.sha256(file.read()).hexdigest()
with tarfile.open(sys.argv[2]) as tarball:
    top = tarball.getnames()[0].split("/")[0]
    text = tarball.extractfile(f"{top}/tools/packages.txt").read().decode()
rows = {tuple(line.split()) for line in text.splitlines() if line and not line.startswith("#")}

assert sbom["spdxVersion"] == "SPDX-2.3" and sbom["dataLicense"] == "CC0-1.0", sbom
assert sbom["SPDXID"] == "SPDXRef-DOCUMENT" and sbom["name"] == top, sbom["name"]
assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", sbom["creationInfo"]["created"])
assert all(re.match(r"(Tool|Person|Organization): ", creator) for creator in sbom["creationInfo"]["creators"])
assert re.fullmatch(r"[a-z]+:[^#\s]+", sbom["documentNamespace"]) and digest in sbom["documentNamespace"]
packages = {package["SPDXID"]: package for package in sbom["packages"]}
assert len(packages) == len(sbom["packages"]), "an id of two packages"
for identifier, package in packages.items():
    assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", identifier), identifier
    for key in ("name", "downloadLocation", "licenseConcluded", "licenseDeclared", "copyrightText"):
        assert package[key], (identifier, key)
    assert package["filesAnalyzed"] is False, identifier
own = packages["SPDXRef-pcounter"]
assert sbom["documentDescribes"] == ["SPDXRef-pcounter"]
assert own["checksums"] == [{"algorithm": "SHA256", "checksumValue": digest}], own
assert f"pcounter-{own['versionInfo']}" == top and own["packageFileName"] == f"{top}.tar.gz", own
names = {package["name"] for identifier, package in packages.items() if identifier != "SPDXRef-pcounter"}
assert names == {name for _, name in rows}, names ^ {name for _, name in rows}
related = set()
for relation in sbom["relationships"]:
    for end in ("spdxElementId", "relatedSpdxElement"):
        assert relation[end] in packages or relation[end] == "SPDXRef-DOCUMENT", relation
    related.add((relation["relationshipType"], packages.get(relation["spdxElementId"], own)["name"]))
means = {"build": "BUILD_DEPENDENCY_OF", "check": "TEST_DEPENDENCY_OF", "optional": "TEST_DEPENDENCY_OF",
         "python": "OPTIONAL_DEPENDENCY_OF", "deb": "BUILD_TOOL_OF", "bench": "DEV_TOOL_OF"}
assert related == {(means[kind], name) for kind, name in rows} | {("DESCRIBES", "pcounter")}
print(f"{len(names)} packages, {len(sbom['relationships'])} relationships")

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sbom.py SBOM TARBALL: an SBOM against what SPDX 2.3 asks for, and against tools/packages.txt of the tarball."""
import hashlib
import json
import re
import subprocess
import sys
import tarfile

with open(sys.argv[1], encoding="utf-8") as file:
    sbom = json.load(file)
with open(sys.argv[2], "rb") as file:
    digest = hashlib.sha256(file.read()).hexdigest()
with tarfile.open(sys.argv[2]) as tarball:
    top = tarball.getnames()[0].split("/")[0]
    text = tarball.extractfile(f"{top}/tools/packages.txt").read().decode()
    table = tarball.extractfile(f"{top}/tools/licences.txt").read().decode()
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
known = {line.split()[0]: line.split(None, 2)[1:] for line in table.splitlines() if line and not line.startswith("#")}
assert set(known) == {name for kind, name in rows if kind == "build"}, "tools/licences.txt has what the build needs"
extracted = {text["licenseId"] for text in sbom["hasExtractedLicensingInfos"]}
for package in packages.values():
    if package is own:
        continue
    want = known.get(package["name"], [None, "NOASSERTION"])
    assert [package.get("versionInfo"), package["licenseDeclared"]] == want, (package, want)
    assert set(re.findall(r"LicenseRef-[A-Za-z0-9.-]+", package["licenseDeclared"])) <= extracted, package
# On Debian 12 the versions are those that are installed.
with open("/etc/os-release", encoding="utf-8") as file:
    debian = 'ID=debian\n' in (text := file.read()) and 'VERSION_ID="12"' in text
for name, (version, _) in known.items() if debian else ():
    shown = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True, check=False)
    if shown.returncode == 0 and shown.stdout:
        assert re.sub(r"^\d+:|-[^-]*$", "", shown.stdout) == version, f"{name}: {shown.stdout} is installed, not {version}"
related = set()
for relation in sbom["relationships"]:
    for end in ("spdxElementId", "relatedSpdxElement"):
        assert relation[end] in packages or relation[end] == "SPDXRef-DOCUMENT", relation
    related.add((relation["relationshipType"], packages.get(relation["spdxElementId"], own)["name"]))
means = {"build": "BUILD_DEPENDENCY_OF", "check": "TEST_DEPENDENCY_OF", "optional": "TEST_DEPENDENCY_OF",
         "python": "OPTIONAL_DEPENDENCY_OF", "deb": "BUILD_TOOL_OF", "bench": "DEV_TOOL_OF", "lint": "DEV_TOOL_OF"}
assert related == {(means[kind], name) for kind, name in rows} | {("DESCRIBES", "pcounter")}
print(f"{len(names)} packages, {len(sbom['relationships'])} relationships")

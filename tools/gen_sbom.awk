# SPDX-License-Identifier: MIT
# The SBOM of a release, SPDX 2.3 in JSON: the tarball, and the Debian packages of tools/packages.txt with what needs them; of those
# that the build needs versions and licences as well. All of it is in the sources, so that the same sources make the same SBOM.
#   awk -v version=1.0.0 -v created=2026-01-01T00:00:00Z -v hash=SHA256 -f gen_sbom.awk tools/licences.txt tools/packages.txt

BEGIN {
    # What a kind of tools/packages.txt is in SPDX; for "deb", "bench" and "lint" a tool.
    kinds["build"] = "BUILD_DEPENDENCY_OF"
    kinds["check"] = "TEST_DEPENDENCY_OF"
    kinds["optional"] = "TEST_DEPENDENCY_OF"
    kinds["python"] = "OPTIONAL_DEPENDENCY_OF"
    kinds["deb"] = "BUILD_TOOL_OF"
    kinds["bench"] = "DEV_TOOL_OF"
    kinds["lint"] = "DEV_TOOL_OF"
    says["optional"] = "for tests that say SKIP without it"
    says["python"] = "for the Python package"
    says["deb"] = "for the Debian packages"
    says["bench"] = "for make bench"
    says["lint"] = "for make lint"
}

function fail(text) { print "gen_sbom: " text > "/dev/stderr"; bad = 1; exit 1 }

/^#/ || NF == 0 { next }
FILENAME ~ /licences\.txt$/ {
    if (NF < 3) fail("line " FNR " of licences.txt is not a package, a version and a licence: " $0)
    versions[$1] = $2
    licences[$1] = $3
    for (i = 4; i <= NF; i++) licences[$1] = licences[$1] " " $i
    next
}
NF != 2 || !($1 in kinds) { fail("line " FNR " is not a kind and a package: " $0) }
$2 !~ /^[a-z0-9][a-z0-9.+-]*$/ { fail("line " FNR ": not the name of a package: " $2) }
{
    if (!($2 in seen)) names[++count] = $2
    seen[$2] = 1
    if ($1 == "build" && !($2 in licences)) fail("no version and licence of " $2)
    row = kinds[$1] SUBSEP $2
    if (!(row in related)) {
        related[row] = ++rows
        relation[rows] = kinds[$1]
        from[rows] = $2
        comment[rows] = says[$1]
    }
}

# SPDX allows letters, digits, dots and dashes in an id: "+" is written as "plus".
function id(name) {
    gsub(/\+/, "plus", name)
    return "SPDXRef-debian-" name
}

# In a package URL "+" is %2B.
function purl(name) {
    gsub(/\+/, "%2B", name)
    return "pkg:deb/debian/" name
}

END {
    if (bad) exit 1
    if (!count) fail("no package was read")
    print "{"
    print "  \"spdxVersion\": \"SPDX-2.3\","
    print "  \"dataLicense\": \"CC0-1.0\","
    print "  \"SPDXID\": \"SPDXRef-DOCUMENT\","
    print "  \"name\": \"pcounter-" version "\","
    print "  \"documentNamespace\": \"urn:pcounter:spdx:" version ":" hash "\","
    print "  \"creationInfo\": { \"created\": \"" created "\", \"creators\": [\"Tool: tools/gen_sbom.awk\"] },"
    print "  \"documentDescribes\": [\"SPDXRef-pcounter\"],"
    print "  \"packages\": ["
    print "    { \"SPDXID\": \"SPDXRef-pcounter\", \"name\": \"pcounter\", \"versionInfo\": \"" version "\","
    print "      \"packageFileName\": \"pcounter-" version ".tar.gz\", \"downloadLocation\": \"NOASSERTION\","
    print "      \"filesAnalyzed\": false, \"checksums\": [{ \"algorithm\": \"SHA256\", \"checksumValue\": \"" hash "\" }],"
    print "      \"licenseConcluded\": \"MIT\", \"licenseDeclared\": \"MIT\", \"copyrightText\": \"2026 the pcounter authors\" },"
    for (i = 1; i <= count; i++) {
        known = names[i] in licences
        print "    { \"SPDXID\": \"" id(names[i]) "\", \"name\": \"" names[i] "\", \"downloadLocation\": \"NOASSERTION\","
        if (known)
            print "      \"versionInfo\": \"" versions[names[i]] "\", \"comment\": \"the version of Debian 12; others may do\","
        print "      \"filesAnalyzed\": false, \"licenseConcluded\": \"NOASSERTION\", \"licenseDeclared\": \"" \
            (known ? licences[names[i]] : "NOASSERTION") "\","
        print "      \"copyrightText\": \"NOASSERTION\", \"externalRefs\": [{ \"referenceCategory\": \"PACKAGE-MANAGER\","
        print "      \"referenceType\": \"purl\", \"referenceLocator\": \"" purl(names[i]) "\" }] }" (i < count ? "," : "")
    }
    print "  ],"
    print "  \"hasExtractedLicensingInfos\": ["
    print "    { \"licenseId\": \"LicenseRef-public-domain\", \"name\": \"public domain\","
    print "      \"extractedText\": \"liblzma is in the public domain.\" }"
    print "  ],"
    print "  \"relationships\": ["
    print "    { \"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\","
    print "      \"relatedSpdxElement\": \"SPDXRef-pcounter\" },"
    for (i = 1; i <= rows; i++)
        print "    { \"spdxElementId\": \"" id(from[i]) "\", \"relationshipType\": \"" relation[i] "\",\n" \
            "      \"relatedSpdxElement\": \"SPDXRef-pcounter\"" \
            (comment[i] != "" ? ", \"comment\": \"" comment[i] "\"" : "") " }" (i < rows ? "," : "")
    print "  ]"
    print "}"
}

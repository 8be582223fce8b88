# SPDX-License-Identifier: MIT
# A text as strings of C, one a line.
{
    gsub(/[\\"]/, "\\\\&")
    gsub(/\t/, "\\t")
    printf "\"%s\",\n", $0
}

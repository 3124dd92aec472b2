#!/bin/sh
# Makes the test certificates again: sh test/uptime/check/certificates/generate.sh. Needs openssl. The authority is trusted by the tests only.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/index.txt"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$work/ca.key" -out authority.pem -days 36500 -subj "/CN=Lookout test authority"
issue() { # name, host, start, end, extension (subjectAltName with the host)
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$1.key" -out "$work/$1.csr" -subj "/CN=$2"
  printf '[ca]\ndefault_ca=d\n[d]\ndatabase=%s/index.txt\nnew_certs_dir=%s\nrand_serial=yes\ndefault_md=sha256\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\n[e]\n%s\n' "$work" "$work" "${5-subjectAltName=DNS:$2}" > "$work/conf"
  openssl ca -batch -notext -config "$work/conf" -extensions e -cert authority.pem -keyfile "$work/ca.key" -in "$work/$1.csr" -out "$1.pem" -startdate "$3" -enddate "$4"
}
issue good localhost 20250101000000Z 21250101000000Z
issue expired localhost 20200101000000Z 20210101000000Z
issue otherHost elsewhere.example 20250101000000Z 21250101000000Z
issue commonName localhost 20250101000000Z 21250101000000Z keyUsage=digitalSignature
issue addressOnly localhost 20250101000000Z 21250101000000Z subjectAltName=IP:192.0.2.1
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout selfSigned.key -out selfSigned.pem -days 36500 -subj "/CN=localhost" -addext "subjectAltName=DNS:localhost"

#!/bin/sh
# Copies the shared protos and the lists of referrers and user agents into third_party/, so that generation works offline.
#   google/api, google/rpc       npm google-proto-files (Apache-2.0)
#   buf/validate                 Maven build.buf:protovalidate:1.0.0 (Apache-2.0): only the jar holds validate.proto
#   grpc/health, grpc/reflection Maven io.grpc:grpc-services:1.75.0 (Apache-2.0)
#   referrers                    github.com/matomo-org/searchengine-and-social-list (CC0 1.0), referrer-spam-list (public domain)
#   agents                       github.com/monperrus/crawler-user-agents, WhichBrowser/Parser-PHP (MIT): names of bots; samples for tests
# `sh third_party/vendor.sh referrers` copies the lists only.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for list in searchengine-and-social-list referrer-spam-list; do
  git clone --quiet --depth 1 "https://github.com/matomo-org/$list.git" "$work/$list"
done
node referrers/update.ts "$work/searchengine-and-social-list" "$work/referrer-spam-list"
for list in monperrus/crawler-user-agents WhichBrowser/Parser-PHP; do
  git clone --quiet --depth 1 "https://github.com/$list.git" "$work/${list#*/}"
done
node agents/names.ts "$work/crawler-user-agents"
node agents/update.ts "$work/crawler-user-agents" "$work/Parser-PHP"
[ "${1-}" = referrers ] && exit
mkdir -p google/api google/rpc
for f in annotations http; do cp ../node_modules/google-proto-files/google/api/$f.proto google/api/; done
cp ../node_modules/google-proto-files/google/rpc/error_details.proto google/rpc/
copy=org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy
mvn -q -B "$copy" -Dartifact=build.buf:protovalidate:1.0.0 -DoutputDirectory="$work"
mvn -q -B "$copy" -Dartifact=io.grpc:grpc-services:1.75.0 -DoutputDirectory="$work"
unzip -qo "$work/protovalidate-1.0.0.jar" 'buf/validate/*.proto' -d .
unzip -qo "$work/grpc-services-1.75.0.jar" 'grpc/health/v1/*.proto' 'grpc/reflection/*' -d .

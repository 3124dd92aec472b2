#!/bin/sh
# Entry of npm start, npm test and the other commands of package.json that work on a fresh clone:
#
#   sh stack/run.sh start | start:scale | move | recover | rotate-secrets | backup | restore | verify | test [arguments]
#
# Has bootstrap.mjs install the packages if necessary, then becomes Node 24. That takes a shell: the Node that runs npm
# may be 20, which cannot be replaced by another program and would stay in memory for as long as the product runs.

parent=$PPID
cd "$(dirname "$0")/.." || exit 1
# It prints the path of Node 24; messages for the user go to standard error.
node24=$(node stack/bootstrap.mjs) || exit

mode=$1
[ $# -gt 0 ] && shift
# The signal from the kernel when npm is killed: a command has to stop its servers, tests may end at once.
death=TERM
case $mode in
  start) set -- stack/start.ts "$parent" "$@" ;;
  start:scale) set -- stack/startScale.ts "$parent" "$@" ;;
  move) set -- stack/move.ts "$@" ;;
  recover) set -- stack/recover.ts "$@" ;;
  rotate-secrets) set -- stack/rotateSecrets.ts "$@" ;;
  backup | restore | verify) set -- "stack/$mode.ts" "$@" ;;
  test)
    death=KILL
    TMPDIR=${TMPDIR:-$(sh test/kit/stack/temporaryFolder.sh)}
    export TMPDIR
    set -- node_modules/vitest/vitest.mjs run "$@"
    ;;
  *)
    echo "Usage: sh stack/run.sh start | start:scale | move | recover | rotate-secrets | backup | restore | verify | test [arguments of vitest]" >&2
    exit 1
    ;;
esac

PATH=$PWD/node_modules/.bin:$(dirname "$node24"):$PATH
# Cache of compiled TypeScript files for us and the processes that we start. Without it Node loads a compiler of 17 MB.
NODE_COMPILE_CACHE=${NODE_COMPILE_CACHE:-$PWD/node_modules/.cache/node}
export PATH NODE_COMPILE_CACHE
if setpriv --pdeathsig $death -- true 2>/dev/null; then exec setpriv --pdeathsig $death -- "$node24" "$@"; fi
exec "$node24" "$@"

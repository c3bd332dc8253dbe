#!/bin/sh
# Tests a backup without touching anything else: restores it into a new folder, starts a process on a free port, checks
# that a turn completes, rebuilds the views from the events and compares them with those that were saved.
#
#   deploy/backup/drill.sh ARCHIVE.tar.gz
#
# It needs curl, and space for the backup in TMPDIR (else /tmp). Exit status: 0 when the backup is good, 64 for a wrong
# call, else 1.
set -eu

usage() {
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
}

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

case ${1:-} in
    -h | --help)
        usage
        exit 0
        ;;
esac
if [ $# -ne 1 ] || [ -z "$1" ]; then
    usage >&2
    exit 64
fi
command -v curl >/dev/null 2>&1 || fail "curl is not installed."
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
folder=$(mktemp -d)
process=
finish() {
    if [ -n "$process" ]; then
        kill -TERM "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    fi
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

# Isolated: no model, bot, broker, database, folder or address but the drill's own.
for name in $(env | sed -n -e 's/^\(PARLEY_[A-Z_]*\)=.*/\1/p' -e 's/^\(TELEGRAM_[A-Z_]*\)=.*/\1/p' -e 's/^\(OTEL_[A-Z_]*\)=.*/\1/p'); do
    case $name in
        PARLEY_JAVA | PARLEY_JAVA_OPTS | PARLEY_HEAP | PARLEY_MASTER_KEY | PARLEY_REGISTRY | PARLEY_LOG*) ;;
        *) unset "$name" ;;
    esac
done
PARLEY_ADMIN_KEY=$(od -An -N 24 -t x1 /dev/urandom | tr -d ' \n')
export PARLEY_ADMIN_KEY PARLEY_DATA="$folder/data" PARLEY_PORT=0 PARLEY_CONFIG="$folder/none.yml"

echo "1. Restoring ..."
"$here/deploy/backup/restore.sh" "$1" "$PARLEY_DATA" >"$folder/restore.txt" || exit 1

echo "2. Starting ..."
"$here/parley" dev >"$folder/log.txt" 2>&1 &
process=$!
url=
seconds=0
until [ -n "$url" ] && curl -fsS "$url/health/ready" >/dev/null 2>&1; do
    if [ $seconds -ge 120 ] || ! kill -0 "$process" 2>/dev/null; then
        tail -n 20 "$folder/log.txt" >&2
        fail "it does not start."
    fi
    sleep 1
    seconds=$((seconds + 1))
    url=$(sed -n 's/.*"url" *: *"\([^"]*\)".*/\1/p' "$PARLEY_DATA/runtime.json" 2>/dev/null || true)
done
ask() {
    path=$1
    shift
    curl -sS -m 90 -H "Authorization: Bearer $PARLEY_ADMIN_KEY" "$@" "$url$path" || true
}
reply=$(ask "/v1/sessions/drill:1/turns?wait=60s" -H 'Content-Type: application/json' -d '{"text":"!say restored"}')
case $reply in
    *COMPLETED*) ;;
    *) fail "a turn does not complete: $reply" ;;
esac
case $(ask "/v1/sessions?limit=1") in
    *'"key"'*) ;;
    *) fail "the list of sessions cannot be read." ;;
esac
# A backup of a running process has events that its views lack.
seconds=0
until sleep 2 && ask /prometheus |
    awk '/^parley_projection_lag_records/ { n++; if ($NF > 0) behind = 1 } END { exit n == 0 || behind }'; do
    [ $seconds -lt 120 ] || fail "the views do not reach the end of their topics."
    seconds=$((seconds + 2))
done
kill -TERM "$process"
wait "$process" || true
process=

echo "3. Rebuilding the views ..."
"$here/parley" replay >"$folder/replay.txt" 2>"$folder/log.txt" || {
    tail -n 20 "$folder/replay.txt" "$folder/log.txt" >&2
    fail "the events cannot be read."
}
cat "$folder/replay.txt"
grep -q "The views are equal" "$folder/replay.txt" || fail "the saved views differ from the rebuilt ones."

echo "OK: the process starts, a turn completes, and the views match the events."

#!/bin/sh
# Backs up an installation on one machine: its data folder, also while a process runs on it.
#
#   deploy/backup/backup.sh DATA ARCHIVE.tar.gz
#
# Local stores, which are restored from Kafka, and the binaries of Postgres are left out. The archive holds keys and all
# messages: protect it like the database. While a process runs, the folder is copied first, to DATA/copy.*, which needs
# the space of the database; the process is halted for a fraction of a second. Exit status: 0 when the archive is complete
# and on the disk, 64 for a wrong call, else 1.
set -eu

usage() {
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
}

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

digest() {
    if command -v sha256sum >/dev/null 2>&1; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

case ${1:-} in
    -h | --help)
        usage
        exit 0
        ;;
esac
if [ $# -ne 2 ] || [ -z "$1" ] || [ -z "$2" ]; then
    usage >&2
    exit 64
fi

[ -d "$1" ] || fail "There is no folder $1."
data=$(CDPATH='' cd -- "$1" && pwd -P)
[ -d "$(dirname -- "$2")" ] || fail "There is no folder $(dirname -- "$2") for the archive."
archive=$(CDPATH='' cd -- "$(dirname -- "$2")" && pwd -P)/$(basename -- "$2")

# Whether a process uses the folder.
is_used() {
    user=$(cat "$data/parley.lock" 2>/dev/null || true)
    case $(ps -p "${user:-0}" -o args= 2>/dev/null || true) in
        *dev.parley.server.Parley*) return 0 ;;
    esac
    return 1
}

# Fails if a process uses the folder or was killed there.
require_unused() {
    if is_used || [ -e "$data/runtime.json" ] || [ -e "$data/postgres/postmaster.pid" ]; then
        fail "A process uses $data that is not seen from here, or was killed there: run this where it runs, or start and stop it once. Nothing was backed up."
    fi
}

if [ ! -d "$data/kafka" ] || [ ! -d "$data/postgres" ]; then
    fail "$data is not a data folder of Parley with a broker and a database: it has no kafka/ and postgres/."
fi
case $archive in
    "$data"/*) fail "$archive would be inside the data folder: choose another place." ;;
esac
[ ! -e "$archive" ] && [ ! -e "$archive.sha256" ] || fail "$archive or its .sha256 exists: choose another name."

umask 077
copy=
part=$(mktemp "$archive.XXXXXX")
trap 'rm -rf "$part" "$part.sha256" ${copy:+"$copy"}' EXIT
trap 'exit 1' HUP INT TERM

if is_used; then
    here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
    copy=$(mktemp -d "$data/copy.XXXXXX")
    "${PARLEY:-$here/parley}" copy-data --data "$data" "$copy" || fail "Nothing was backed up."
    source=$copy
else
    require_unused
    source=$data
fi

# Folders only: files such as postgres.password must be kept.
set -- --exclude=./streams --exclude=./runtime.json --exclude="./copy.*" --exclude=./postgres.new --exclude=./blobs/incoming
for folder in "$data"/postgres-*/; do
    [ ! -d "$folder" ] || set -- "$@" "--exclude=./$(basename -- "$folder")"
done
# Through its output, for tar takes a name with a colon for one of another machine. Links to other disks are followed.
tar --create --gzip --dereference --directory "$source" "$@" --file - . >"$part" ||
    fail "The data folder could not be read, or there is no room for the archive. Nothing was backed up."
[ -n "$copy" ] || require_unused

printf '%s  %s\n' "$(digest <"$part")" "$(basename -- "$archive")" >"$part.sha256"
sync
mv "$part.sha256" "$archive.sha256"
mv "$part" "$archive"
echo "$archive: $(du -h "$archive" | cut -f 1), with its SHA-256 beside it."

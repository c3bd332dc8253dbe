#!/bin/sh
# Restores an archive of backup.sh into a folder that is empty or does not exist.
#
#   deploy/backup/restore.sh ARCHIVE.tar.gz DATA
#
# The folder is complete, or unchanged. Exit status: 0 when it is restored, 64 for a wrong call, else 1.
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
archive=$1

[ -f "$archive" ] || fail "There is no file $archive."
[ ! -e "$2" ] || [ -d "$2" ] || fail "$2 is not a folder: nothing is overwritten."
[ ! -d "$2" ] || [ -z "$(ls -A -- "$2")" ] || fail "$2 is not empty: nothing is overwritten."
mkdir -p -- "$(dirname -- "$2")"
data=$(CDPATH='' cd -- "$(dirname -- "$2")" && pwd -P)/$(basename -- "$2")

if [ -e "$archive.sha256" ]; then
    [ "$(digest <"$archive")" = "$(cut -d ' ' -f 1 <"$archive.sha256")" ] ||
        fail "$archive is damaged: its SHA-256 is not that of $archive.sha256. Nothing was restored."
else
    echo "There is no $archive.sha256: the archive cannot be verified." >&2
fi

umask 077
draft=$(mktemp -d "$data.XXXXXX")
trap 'rm -rf "$draft"' EXIT
trap 'exit 1' HUP INT TERM
# From its input, for tar takes a name with a colon for one of another machine.
tar --extract --gzip --directory "$draft" --preserve-permissions --file - <"$archive" ||
    fail "$archive is damaged, or there is not enough disk space. Nothing was restored."
[ -d "$draft/kafka" ] && [ -d "$draft/postgres" ] ||
    fail "$archive is not a backup of Parley: it has no kafka/ and postgres/. Nothing was restored."
chmod 700 "$draft"
sync
if [ -d "$data" ]; then
    rmdir "$data" 2>/dev/null ||
        fail "$data cannot be replaced, perhaps it is a mount point: name a new folder inside it. Nothing was restored."
fi
mv "$draft" "$data"
echo "$data is restored: start it with PARLEY_DATA='$data' ./parley dev"

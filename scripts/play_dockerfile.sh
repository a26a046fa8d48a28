#!/bin/sh
# Plays the steps of the Dockerfile without a container engine: builds into a folder of its own, then runs the
# entry point as another user and asks for its health. Needs root (to become that user); leaves nothing behind.
# usage: scripts/play_dockerfile.sh [PYTHON]      PYTHON: an interpreter that has venv and that every user may run,
#                                                 default python3
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
python=${1:-python3}
user=10001
place=$(mktemp -d)
port=${PORT:-18080}
server=
trap 'test -z "$server" || kill "$server" 2>/dev/null || true; rm -rf "$place"' EXIT
grep -q '^USER 10001:10001$' "$here/Dockerfile"
extras=$(sed -n "s/^ *'\\.\\(\\[.*\\]\\)'$/\\1/p" "$here/Dockerfile")
test -n "$extras"

echo "build: a virtual environment with $extras"
mkdir "$place/src" && cp -r "$here/pyproject.toml" "$here/constraints.txt" "$here/README.md" "$here/LICENSE" "$here/src" "$place/src"
"$python" -m venv "$place/opt"
(cd "$place/src" && "$place/opt/bin/pip" install --quiet --no-cache-dir --disable-pip-version-check -c constraints.txt ".$extras")

echo "run: as user $user, with nothing writable but its data"
install -d -o "$user" -g "$user" -m 0700 "$place/data"
chmod 0755 "$place"
cd "$place/data"
setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs env -i PATH="$place/opt/bin:/usr/bin:/bin" HOME="$place/data" \
    PYTHONDONTWRITEBYTECODE=1 JURYRANK_STORAGE="sqlite:///$place/data/juryrank.db" \
    "$place/opt/bin/juryrank" serve --port "$port" >/dev/null &
server=$!
for _ in $(seq 100); do
    if "$place/opt/bin/python" -c "import urllib.request as u; u.urlopen('http://127.0.0.1:$port/healthz/write', timeout=4)" 2>/dev/null; then
        echo "well: /healthz/write answers 200"
        test "$(stat -c %u "$place/data/juryrank.db")" = "$user" && echo "well: the database belongs to user $user, mode $(stat -c %a "$place/data/juryrank.db")"
        exit 0
    fi
    sleep 0.3
done
echo "the server did not become healthy" >&2
exit 1

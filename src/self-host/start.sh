#!/bin/sh
# Starts Edgeboard on this machine. What it needs is in the environment:
#   EDGEBOARD_OPERATOR_TOKEN, EDGEBOARD_SIGNING_KEY   32 characters or more each
#   EDGEBOARD_SIGNING_KEY_PREVIOUS                    only while the signing key is being changed
#   EDGEBOARD_BOARD_MAX_BYTES                         from which size on a board takes in nothing new; 9 GB
#   EDGEBOARD_LISTEN                                  where it listens; 127.0.0.1:8787
#   EDGEBOARD_BOARDS                                  the folder of the boards; boards, beside this file
set -eu
here=$(cd "$(dirname "$0")" && pwd)
boards=${EDGEBOARD_BOARDS:-$here/boards}

long_enough() {
  [ "${#2}" -ge 32 ] || { echo "$1 has to have 32 characters or more: openssl rand -hex 32 makes one" >&2; exit 1; }
}
long_enough EDGEBOARD_OPERATOR_TOKEN "${EDGEBOARD_OPERATOR_TOKEN:-}"
long_enough EDGEBOARD_SIGNING_KEY "${EDGEBOARD_SIGNING_KEY:-}"

# Nobody but who runs it reads the boards.
umask 077
mkdir -p "$boards"
exec "$here/workerd" serve "$here/config.capnp" \
  --socket-addr "http=${EDGEBOARD_LISTEN:-127.0.0.1:8787}" \
  --directory-path "boards=$boards" --directory-path "page-files=$here/web"

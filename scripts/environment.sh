# Sourced by the other scripts: finds a uv that works, and brings .venv up to date with uv.lock.
# Nothing is left outside the clone but uv's own cache.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
export UV_PYTHON_INSTALL_DIR="$PWD/.uv/python"
unset VIRTUAL_ENV
# Where byte code may not be written, each of the many processes would compile all it imports.
unset PYTHONDONTWRITEBYTECODE

fail() {
  printf '%s\n' "$1" >&2
  exit 2
}

# The oldest uv that reads this project, from pyproject.toml.
oldest_uv() {
  sed -n 's/^required-version = ">=\([0-9.]*\)"$/\1/p' pyproject.toml
}

# A uv counts when it runs (a pyenv shim may be on PATH and fail) and is new enough.
uv_works() {
  local version
  version=$("$1" --version 2>/dev/null | awk 'NR == 1 {print $2}') || return 1
  [ -n "$version" ] &&
    [ "$(printf '%s\n' "$(oldest_uv)" "$version" | sort -V | head -n 1)" = "$(oldest_uv)" ]
}

python_with_pip() {
  local candidate
  for candidate in python3 python python3.14 python3.13 python3.12 python3.11 python3.10 \
    /usr/bin/python3; do
    if "$candidate" -m pip --version >/dev/null 2>&1; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  fail 'No Python 3 with pip was found on PATH; install one, such as the package python3-pip.'
}

find_uv() {
  if uv_works uv; then
    UV=uv
  elif uv_works .uv/uv/bin/uv; then
    UV=.uv/uv/bin/uv
  else
    local python
    python=$(python_with_pip)
    printf 'Installing uv into .uv\n' >&2
    rm -rf .uv/uv
    "$python" -m pip install --quiet --no-cache-dir --disable-pip-version-check \
      --root-user-action ignore --target .uv/uv "uv>=$(oldest_uv)" >&2 ||
      fail 'uv could not be installed with pip; is a Python package index reachable?'
    UV=.uv/uv/bin/uv
    uv_works "$UV" || fail 'The uv that pip installed does not run on this machine.'
  fi
}

# sync_environment run|dev: a stamp of all that decides the environment makes a second run free.
sync_environment() {
  local stamp=".venv/.synced-$1" wanted
  wanted="$PWD $(cat uv.lock pyproject.toml .python-version | cksum)"
  if [ -x .venv/bin/silver ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
    return
  fi
  find_uv
  case $1 in
    run) "$UV" sync --quiet --frozen --inexact --no-dev ;;
    dev) "$UV" sync --quiet --frozen ;;
  esac || fail 'The environment could not be made; the lines above say why.'
  printf '%s' "$wanted" >"$stamp"
}

#!/usr/bin/env bash
# Makes a virtual environment with toolworld and everything to work on it: setup.sh VENV [PYTHON]
set -euo pipefail

venv=$1
# The system's own first: distributions compile their Python with profiles, version managers mostly
# do not, and tasks are then made up to a fifth faster.
candidates=(${2:-/usr/bin/python3 python3 python3.13 python3.12 python3.11 python})

usable() { "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

if ! usable "$venv/bin/python"; then
    for python in "${candidates[@]}"; do
        if usable "$python"; then
            found=$python
            break
        fi
    done
    if [ -z "${found:-}" ]; then
        echo "toolworld needs Python 3.11 or newer with its venv module; tried: ${candidates[*]}." >&2
        echo "Install one (Debian and Ubuntu: apt install python3 python3-venv), or name yours:" >&2
        echo "  make setup PYTHON=/path/to/python3.12" >&2
        exit 1
    fi
    echo "Setting up $venv with $("$found" --version) ..." >&2
    "$found" -m venv --clear "$venv"
fi

"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable '.[dev]'

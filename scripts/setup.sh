#!/usr/bin/env bash
# Makes sure that what Carrel is built and run with is on this machine.
#
#   scripts/setup.sh run     what `make run` needs
#   scripts/setup.sh test    what `make test` needs: the same, a browser, a mail server and a client of archives
#
# As root on Debian or Ubuntu it installs what is missing; elsewhere it says what to install. Python's packages
# go into .carrel/python, whoever runs it. When nothing is missing it does nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly purpose=${1:?run or test}
readonly oldest_postgres=15
readonly oldest_rust=1.95.0
readonly oldest_node=20.19.0
readonly node_to_install=20
readonly python_packages=tests/archivessnake/requirements.txt

has() { command -v "$1" >/dev/null 2>&1; }

# at_least OLDEST VERSION
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

has_postgres() {
    local dir version
    for dir in "${CARREL_POSTGRES_BIN_DIR:-}" ${PATH//:/ } /usr/lib/postgresql/*/bin /usr/pgsql-*/bin \
        /usr/libexec/postgresql* /opt/homebrew/opt/postgresql@*/bin /usr/local/opt/postgresql@*/bin; do
        [ -x "$dir/postgres" ] && [ -x "$dir/initdb" ] || continue
        version=$("$dir/postgres" --version | grep -oE '[0-9]+(\.[0-9]+)*' | head -n 1)
        at_least "$oldest_postgres" "$version" && return 0
    done
    return 1
}

has_rust() { has cargo && has rustc && at_least "$oldest_rust" "$(rustc --version | awk '{ print $2 }')"; }
has_rust_tools() { cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1; }
has_node() { has npm && has node && at_least "$oldest_node" "$(node --version | tr -d v)"; }
has_browser() { [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; }
# A mail server for tests: Python's aiosmtpd.
has_mail_server() { /usr/bin/python3 -c 'import aiosmtpd' >/dev/null 2>&1; }
# ArchivesSnake, in the version that the tests expect: a copy of the list that was installed lies beside it.
has_archivessnake() {
    cmp -s "$python_packages" .carrel/python/installed.txt && .carrel/python/bin/python -c 'import asnake' >/dev/null 2>&1
}
has_venv() { /usr/bin/python3 -c 'import ensurepip, venv' >/dev/null 2>&1; }

# Debian's names of what is missing.
missing_packages() {
    has_postgres || echo postgresql
    { has cc && has make; } || echo build-essential
    has pkg-config || echo pkg-config
    { has curl && [ -d /etc/ssl/certs ]; } || echo curl ca-certificates
    has npm || echo nodejs npm
    [ "$purpose" != test ] || has_browser || echo chromium
    [ "$purpose" != test ] || has_mail_server || echo python3-aiosmtpd
    [ "$purpose" != test ] || has_archivessnake || has_venv || echo python3-venv
}

may_install() { [ "$(id -u)" = 0 ] && has apt-get; }

# Debian's package would create and start a cluster of its own; Carrel needs only the programs.
without_a_system_cluster() {
    local setting=/etc/postgresql-common/createcluster.d/carrel.conf
    mkdir -p "$(dirname "$setting")"
    echo 'create_main_cluster = false' >"$setting"
    "$@" || { rm -f "$setting"; return 1; }
    rm -f "$setting"
}

install_packages() {
    local packages=("$@")
    echo "Installing with apt-get: ${packages[*]}"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    without_a_system_cluster apt-get install -qq --yes --no-install-recommends "${packages[@]}" >/dev/null
}

# Debian's own Rust is older than ours needs; rustup brings the current one.
install_rust() {
    if ! has rustup && ! apt-get install -qq --yes --no-install-recommends rustup >/dev/null 2>&1; then
        curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs |
            sh -s -- -y --profile minimal --component rustfmt --component clippy ||
            give_up "Rust $oldest_rust or later: see https://rustup.rs"
        export PATH="$HOME/.cargo/bin:$PATH"
    fi
    rustup toolchain install stable --profile minimal --component rustfmt --component clippy
    rustup default >/dev/null 2>&1 || rustup default stable
}

# Debian 12's own Node is older than the web build needs. The npm registry has the programs too.
install_node() {
    local machine
    case "$(uname -m)" in
    x86_64) machine=linux-x64 ;;
    aarch64) machine=linux-arm64 ;;
    *) give_up "Node.js $oldest_node or later: see https://nodejs.org" ;;
    esac
    echo "Installing Node.js $node_to_install in .carrel/node"
    npm install --no-audit --no-fund --loglevel=error --prefix .carrel/node "node-$machine@$node_to_install" ||
        give_up "Node.js $oldest_node or later: see https://nodejs.org"
}

install_archivessnake() {
    echo "Installing ArchivesSnake in .carrel/python"
    rm -rf .carrel/python
    /usr/bin/python3 -m venv .carrel/python &&
        .carrel/python/bin/pip install --quiet --disable-pip-version-check --require-hashes -r "$python_packages" &&
        cp "$python_packages" .carrel/python/installed.txt ||
        give_up "ArchivesSnake: pip could not install $python_packages in .carrel/python"
}

give_up() {
    {
        echo "Carrel needs some programs that are not on this machine. Please install:"
        printf '  %s\n' "$@"
        echo "Then run the command again. (As root on Debian or Ubuntu it installs them itself.)"
    } >&2
    exit 1
}

explain() {
    has_postgres || echo "PostgreSQL $oldest_postgres or later, the server programs (Debian: postgresql;" \
        "Fedora: postgresql-server postgresql-contrib; macOS: brew install postgresql@17)"
    { has cc && has make; } || echo "a C compiler and make (Debian: build-essential; macOS: xcode-select --install)"
    has pkg-config || echo "pkg-config"
    has curl || echo "curl"
    has_node || echo "Node.js $oldest_node or later with npm (https://nodejs.org)"
    has_rust || echo "Rust $oldest_rust or later (https://rustup.rs)"
    has_rust_tools || echo "rustfmt and clippy (rustup component add rustfmt clippy)"
    [ "$purpose" != test ] || has_browser ||
        echo "Chromium, at /usr/bin/chromium or named in the variable CHROMIUM (Debian: chromium)"
    [ "$purpose" != test ] || has_mail_server ||
        echo "aiosmtpd for /usr/bin/python3 (Debian: python3-aiosmtpd)"
    [ "$purpose" != test ] || has_archivessnake || has_venv ||
        echo "venv and ensurepip for /usr/bin/python3 (Debian: python3-venv)"
}

if may_install; then
    mapfile -t packages < <(missing_packages | tr ' ' '\n')
    [ "${#packages[@]}" = 0 ] || install_packages "${packages[@]}"
    has_rust || install_rust
    has_node || install_node
fi
mapfile -t needs < <(explain)
[ "${#needs[@]}" = 0 ] || give_up "${needs[@]}"
[ "$purpose" != test ] || has_archivessnake || install_archivessnake

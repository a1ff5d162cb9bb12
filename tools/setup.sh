# Sourced by the scripts of this folder: from a bare machine to a built target, quietly.
# The caller has set `root` (the project). Everything said here goes to stderr, because stdout
# belongs to the program.
# shellcheck shell=bash

# A build folder elsewhere, for a tree that is not ours to write to.
build=$(realpath -m -- "${FLOTILLA_BUILD_DIR:-$root/build}")
log=$build/setup.log
packages=(g++ cmake ninja-build pkgconf libsimgrid-dev nlohmann-json3-dev libboost-dev libcli11-dev
  catch2)

say() { printf 'flotilla: %s\n' "$*" >&2; }
die() {
  say "$@"
  exit 1
}

# One caller at a time in a build folder; the lock goes when the process does, however it ends.
lock_build_folder() {
  mkdir -p -- "$build" 2>/dev/null || true
  local file
  for file in "$build" "$build"/{.lock,setup.log,CMakeCache.txt,.ninja_log}; do
    # All of them, because another user may have left some.
    if [ ! -w "$file" ] && { [ -e "$file" ] || [ "$file" = "$build" ]; }; then
      die "cannot write to $file as $(id -un): set FLOTILLA_BUILD_DIR to a folder of your own"
    fi
  done
  exec 9>>"$build/.lock"
  flock -w 2 9 || {
    say "waiting for another build in $build ..."
    flock 9
  }
}

# Closed before anything that outlives the build, which would otherwise go on holding the lock.
unlock_build_folder() { exec 9>&-; }

missing_packages() {
  local installed
  # It fails when a package is unknown, which is just what we ask.
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null) || true
  for package in "$@"; do
    case $'\n'$installed$'\n' in
      *$'\n'"installed $package"$'\n'*) ;;
      *) printf '%s\n' "$package" ;;
    esac
  done
}

install_packages() {
  command -v dpkg-query >/dev/null || return 0 # not Debian: CMake says what it does not find
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0

  local command="apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  if (($(id -u) != 0)); then
    # Without a terminal, sudo can only be used where it asks for no password.
    if command -v sudo >/dev/null && { [ -t 2 ] || sudo -n true 2>/dev/null; }; then
      as_root=(sudo)
    else
      die "these packages are missing: ${missing[*]}
Install them as root, then run this again:
  $command"
    fi
  fi
  say "installing ${missing[*]} ..."
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y
    -o DPkg::Lock::Timeout=600)
  {
    # An index that cannot be refreshed may still be good enough; the install decides.
    "${apt[@]}" update
    "${apt[@]}" install --no-install-recommends "${missing[@]}"
  } </dev/null >"$log" 2>&1 9>&- || {
    cat "$log" >&2
    die "could not install ${missing[*]}; as root, try:
  $command"
  }
}

# configure [CMake option]...: only what is new, or moved, or was interrupted.
configure() {
  # A copied tree carries a build folder that points to the original: start afresh.
  local cache=$build/CMakeCache.txt
  if [ -f "$cache" ] && grep -qxF 'CMAKE_PROJECT_NAME:STATIC=flotilla' "$cache" &&
    ! { grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" &&
      grep -qxF "CMAKE_CACHEFILE_DIR:INTERNAL=$build" "$cache"; }; then
    find "$build" -mindepth 1 -maxdepth 1 ! -name .lock -exec rm -rf -- {} +
  fi
  if [ -f "$build/build.ninja" ] && (($# == 0)); then return 0; fi
  cmake -S "$root" -B "$build" -G Ninja "$@" </dev/null >"$log" 2>&1 || {
    cat "$log" >&2
    die "could not configure the build in $build"
  }
}

# build_target TARGET: silent when there is nothing to do.
build_target() {
  local said=
  if [ ! -e "$build/$1" ]; then
    say "building $1 (minutes, the first time) ..."
    said=yes
  fi
  # ccache fails, instead of doing without, where it cannot write.
  [ -n "${CCACHE_DIR:-}" ] || [ -w "${HOME:-/nonexistent}" ] || export CCACHE_DISABLE=1
  cmake --build "$build" --target "$1" --parallel "$(nproc)" </dev/null 2>&1 |
    while IFS= read -r line; do
      if [ -z "$said" ] && [[ $line == '['[1-9]*/* ]]; then
        say "building $1 ..."
        said=yes
      fi
      printf '%s\n' "$line"
      # Somebody who watches sees it move; a log keeps to the one line.
      if [ -t 2 ] && [[ $line =~ ^\[([1-9][0-9]*/[0-9]+)\] ]]; then
        printf '\r%s\033[K' "${BASH_REMATCH[1]}" >&2
        [[ ${BASH_REMATCH[1]%/*} != "${BASH_REMATCH[1]#*/}" ]] || printf '\r\033[K' >&2
      fi
    done >"$log" || {
    grep -v '^\[[0-9]*/[0-9]*\] ' "$log" >&2 || true
    die "could not build $1 (all of the output: $log)"
  }
}

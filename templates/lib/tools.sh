# shellcheck shell=sh
# The external programs that the wrappers call, one function each: nothing else in lib/ starts a program by name.
#
# Full paths where macOS and Linux agree on them, so that a `mkdir` from some other package with other manners, first
# on the job's PATH, is never asked (uutils' once answered 0 for a folder that was there).

t_date() { /bin/date "$@"; }
t_link() { /bin/ln -s -- "$1" "$2"; }
t_make_folder() { /bin/mkdir -- "$1"; }
t_make_folders() { /bin/mkdir -p -- "$@"; }
t_move() { /bin/mv -f -- "$1" "$2"; }
t_processes() { /bin/ps "$@"; }
t_read_link() { /usr/bin/readlink "$1"; }
t_remove() { /bin/rm -f -- "$@"; }
t_remove_folder() { /bin/rmdir -- "$@"; }
t_search() { /usr/bin/grep -q -i -E -e "$1"; }
t_size() { /usr/bin/wc -c <"$1"; }
t_sleep() { /bin/sleep "$1"; }
t_take() { /bin/rm -- "$1"; }
t_tail() { /usr/bin/tail -c "+$1" -- "$2"; }

# What may be missing: looked for by lib/flock.sh.
t_flock=/usr/bin/flock
t_zsh=/bin/zsh

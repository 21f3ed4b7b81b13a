# shellcheck shell=sh
# shellcheck disable=SC2034 # used by the other files
# The external programs that the wrappers call: nothing else in lib/ starts a program by its name.
#
# Full paths where macOS and Linux agree on them, so that a `mkdir` from some other package with other manners, first
# on the job's PATH, is never asked (uutils' once answered 0 for a folder that was there).

t_curl=/usr/bin/curl
t_date=/bin/date
t_grep=/usr/bin/grep
t_link=/bin/ln
t_make_folder=/bin/mkdir
t_move=/bin/mv
t_processes=/bin/ps
t_read_link=/usr/bin/readlink
t_remove=/bin/rm
t_remove_folder=/bin/rmdir
t_size=/usr/bin/wc
t_sleep=/bin/sleep
t_tail=/usr/bin/tail

# These may be missing; who uses them looks first.
t_flock=/usr/bin/flock
t_perl=/usr/bin/perl
t_setsid=/usr/bin/setsid
t_zsh=/bin/zsh

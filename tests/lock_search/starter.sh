# shellcheck shell=sh
# shellcheck disable=SC1091,SC2034,SC2154 # the shipped files that it sources, and their variables
# One starter that takes and gives back the lock with the shipped tools.sh and lock.sh, step by step as it is told.
#
#   SHELL starter.sh LIB_FOLDER        requests go to stdout, answers come from stdin, one line each
#
# Before each step it says what it is about to do, and waits: "yes TEXT" and "no" are the answer of a step that somebody
# else has taken or imagines, "do" means to take it (it then says "did STATUS TEXT"), "stop" ends the round.

exec 3>&1 4<&0
s_lib=$1

s_ask() {
    printf '%s\n' "$*" >&3
    # Not 0: this may be the shell of a command substitution in a loop, which has to end as well.
    read -r s_answer s_text <&4 || exit 1
    [ "$s_answer" != stop ] || exit 1
}

# s_step PROGRAM ARGUMENTS: what the answer says.
s_step() {
    case $s_answer in
        do)
            s_text=$("$@")
            s_status=$?
            printf '%s\n' "did $s_status $s_text" >&3
            ;;
        yes) s_status=0 ;;
        *) s_status=1 ;;
    esac
    [ -z "$s_text" ] || printf '%s\n' "$s_text"
    return "$s_status"
}

# In the place of the programs that change or read the lock's folder, with the arguments that they get.
s_link() {
    [ "$# $1 $2" = '4 -sn --' ] || s_unexpected "$@"
    s_ask link "${4##*/}" "$3"
    s_step "$s_real_link" "$@"
}

s_remove() {
    [ "$# $1 $2" = '3 -f --' ] || s_unexpected "$@"
    s_ask remove "${3##*/}"
    s_step "$s_real_remove" "$@"
}

s_read_link() {
    [ $# = 1 ] || s_unexpected "$@"
    s_ask read "${1##*/}"
    s_step "$s_real_read_link" "$@"
}

s_pause() {
    s_ask sleep
}

s_unexpected() {
    printf '%s\n' "unexpected $*" >&3
    exit 1
}

# In the place of `[`: only a look at a link is a step.
s_test() {
    case $1 in
        -L)
            s_ask exists "${2##*/}"
            s_step command [ "$@"
            ;;
        *) command [ "$@" ;;
    esac
}

# In the place of `kill`: the look at a group is the step, the looks at its leader that follow get the same answer.
kill() {
    [ "$1" = -0 ] || s_unexpected kill "$@"
    case $2 in
        -*)
            s_ask lives "${2#-}"
            s_step command kill "$@"
            s_alive=$?
            ;;
    esac
    return "$s_alive"
}

w_refuse() {
    s_ask end refused
    exit 0
}

# The list of the folder is a pattern of the shell's, and no step that it could wait at: it waits before.
s_round() {
    if ! l_take "$s_folder" "$s_wait"; then
        s_ask end lost
        exit 0
    fi
    s_ask hold
    s_ask list
    l_give_back "$s_folder"
    s_ask end 'done'
}

# zsh as sh expands no alias of a builtin's name.
[ -z "${ZSH_VERSION-}" ] || unsetopt posixaliases
alias [=s_test
. "$s_lib/tools.sh"
. "$s_lib/lock.sh"
unalias [

t_date=s_unexpected t_make_folder=s_unexpected t_move=s_unexpected t_remove_folder=s_unexpected
s_real_link=$t_link s_real_remove=$t_remove s_real_read_link=$t_read_link
t_link=s_link t_remove=s_remove t_read_link=s_read_link t_sleep=s_pause

jobs_name=job
l_ticks_of $$
printf '%s\n' "$$ $l_ticks" >&3
while :; do
    printf '%s\n' ready >&3
    read -r k_epoch s_wait s_folder <&4 || exit 0
    (s_round)
done

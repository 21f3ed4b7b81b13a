# shellcheck shell=sh
# One holder per lock, without a kernel lock: a chain of symlinks in a folder that stays.
#
#   LOCK/owner -> ID        made with symlink(2), which creates and writes in one step or fails: no ownerless moment
#   LOCK/after.X -> ID      who succeeds the dead holder X; exclusive as well, so there is one successor per dead holder
#
# The holder is the last link of the chain that begins at `owner`. Nobody ever removes a link of somebody else's lock:
# a starter that finds the last link dead adds one, and then walks again from `owner`; only if the chain still leads
# to it does it hold the lock, else it takes its link back. Releasing removes one's own chain, `owner` first.
#
# ID is PID.EPOCH.TICKS.JOB: the process group that holds, when it took the lock, and the start time of its leader in
# the kernel's own ticks (0 where there is no /proc). The *group* counts, not the leader: after a kill -9 of the wrapper
# its job may live on, and a second one must not start beside it. The contender does the costly part, looking whether
# a living process is the holder or has only its number.

l_loaded=1

# l_take FOLDER WAIT: hold the lock, or 1 when somebody else does after WAIT seconds; sets l_holder to his ID.
l_take() {
    l_waited=0
    while :; do
        l_try "$1" && return 0
        [ "$l_waited" -lt "$2" ] || return 1
        "$t_sleep" 1
        l_waited=$((l_waited + 1))
    done
}

# l_try FOLDER: one attempt.
# shellcheck disable=SC2154 # jobs_name: the wrapper; k_epoch: clock.sh
l_try() {
    l_holder=''
    if ! [ -d "$1" ]; then
        "$t_make_folder" -p -- "$1" || w_refuse "cannot make the lock's folder $1"
    fi
    l_ticks_of $$
    l_me=$$.$k_epoch.$l_ticks.$jobs_name
    l_rounds=0
    while [ "$l_rounds" -lt 100 ]; do
        l_rounds=$((l_rounds + 1))
        if "$t_link" -sn -- "$l_me" "$1/owner" 2>/dev/null; then
            return 0
        fi
        if ! [ -L "$1/owner" ]; then
            # Given back at this moment: try again. Unless links cannot be made here at all.
            l_can_link "$1"
            continue
        fi
        l_walk "$1" || continue
        l_holder=$l_last
        if l_lives "$l_last"; then
            return 1
        fi
        "$t_link" -sn -- "$l_me" "$1/after.$l_last" 2>/dev/null || continue
        if l_walk "$1" && [ "$l_last" = "$l_me" ]; then
            return 0
        fi
        # The chain was given up while the link was made: the link hangs in the air.
        "$t_remove" -f -- "$1/after.$l_holder"
    done
    return 1
}

# l_can_link FOLDER: ends the wrapper when the lock's folder takes no links (read-only, disk full).
l_can_link() {
    if "$t_link" -sn -- probe "$1/probe.$l_me" 2>/dev/null; then
        "$t_remove" -f -- "$1/probe.$l_me"
    elif ! [ -L "$1/owner" ]; then
        w_refuse "cannot make a link in $1 (read-only, or the disk is full)"
    fi
}

# l_walk FOLDER: sets l_last, the last link of the chain, and l_chain, the files of the chain in order. 1: no chain.
l_walk() {
    l_chain=$1/owner
    l_last=$("$t_read_link" "$1/owner" 2>/dev/null) || return 1
    while l_next=$("$t_read_link" "$1/after.$l_last" 2>/dev/null); do
        l_chain="$l_chain
$1/after.$l_last"
        l_last=$l_next
    done
}

# l_give_back FOLDER: release. Only the holder calls it.
l_give_back() {
    for l_after in "$1"/after.*; do
        if [ -L "$l_after" ]; then
            l_give_back_chain "$1"
            return 0
        fi
    done
    "$t_remove" -f -- "$1/owner"
}

# Some starter died with this lock, so there may be a chain before this holder: `owner` goes first, since whoever
# walks later starts there.
l_give_back_chain() {
    l_walk "$1" || return 0
    case $l_last in
        $$.*) ;;
        *) return 0 ;;
    esac
    l_ifs=$IFS
    IFS='
'
    set -f
    # shellcheck disable=SC2086 # one file a line
    set -- $l_chain
    set +f
    IFS=$l_ifs
    for l_file in "$@"; do
        "$t_remove" -f -- "$l_file"
    done
}

# l_lives ID: whether the holder, or anything of its process group, is alive. In doubt: yes.
l_lives() {
    l_pid=${1%%.*}
    l_rest=${1#*.}
    l_taken=${l_rest%%.*}
    l_rest=${l_rest#*.}
    l_began=${l_rest%%.*}
    case $1:$l_pid:$l_taken:$l_began in
        *.*.*.*:*[!0-9:]* | *:: | *::*) return 0 ;;
        *.*.*.*:*) ;;
        *) return 0 ;;
    esac
    if ! kill -0 "-$l_pid" 2>/dev/null && ! kill -0 "$l_pid" 2>/dev/null; then
        return 1
    fi
    if ! kill -0 "$l_pid" 2>/dev/null || l_is_zombie "$l_pid"; then
        # The leader is gone. While anything of its group lives, the kernel gives its number to nobody else.
        g_members "$l_pid"
        [ -n "$g_left" ]
        return
    fi
    l_ticks_of "$l_pid"
    if [ "$l_ticks" != 0 ] && [ "$l_began" != 0 ]; then
        [ "$l_ticks" = "$l_began" ]
        return
    fi
    l_age_of "$l_pid"
    # Started after the lock was taken: another process with the same number.
    [ -z "$l_age" ] || [ $((k_epoch - l_age)) -le $((l_taken + 2)) ]
}

# l_ticks_of PID: sets l_ticks to the process's start in the kernel's ticks, or 0 without /proc.
l_ticks_of() {
    l_ticks=0
    [ -r "/proc/$1/stat" ] || return 0
    { read -r l_line <"/proc/$1/stat"; } 2>/dev/null || return 0
    l_fields "${l_line##*) }"
}

# l_fields STATE PPID ...: the fields of /proc/PID/stat from the third on; starttime is the 22nd.
l_fields() {
    # shellcheck disable=SC2086 # fields by design
    set -- $1
    shift 19
    l_ticks=$1
}

# l_is_zombie PID: dead, but not yet waited for by its parent.
l_is_zombie() {
    if [ -r "/proc/$1/stat" ] && { read -r l_line <"/proc/$1/stat"; } 2>/dev/null; then
        case ${l_line##*) } in
            Z*) return 0 ;;
        esac
        return 1
    fi
    case $("$t_processes" -o stat= -p "$1" 2>/dev/null) in
        Z*) return 0 ;;
    esac
    return 1
}

# l_age_of PID: sets l_age, the seconds since the process started ([[dd-]hh:]mm:ss of ps), or nothing.
l_age_of() {
    l_age=''
    l_line=$("$t_processes" -o etime= -p "$1" 2>/dev/null) || return 0
    l_days=0
    case $l_line in
        *-*)
            l_days=${l_line%%-*}
            l_line=${l_line#*-}
            ;;
    esac
    l_ifs=$IFS
    IFS=' :'
    # shellcheck disable=SC2086 # numbers by design
    set -- $l_line
    IFS=$l_ifs
    [ $# -ge 2 ] || return 0
    l_age=0
    for l_part in "$@"; do
        l_age=$((l_age * 60 + ${l_part#0}))
    done
    l_age=$((l_age + l_days * 86400))
}

# g_members GROUP: sets g_left to the processes of a group, without this shell and without the dead.
#
# Linux tells it without a process of its own. Only what is younger than the group's leader can belong to it, that is,
# has a number between his and the last one given (/proc/loadavg), round the end of the numbers if need be. When those
# are few, they are asked one by one; else /proc is listed.
g_members() {
    g_left=''
    if [ -r /proc/loadavg ] && read -r g_line </proc/loadavg; then
        g_last=${g_line##* }
        if [ "$1" -le "$g_last" ] && [ $((g_last - $1)) -lt 300 ]; then
            g_pid=$1
            while [ "$g_pid" -le "$g_last" ]; do
                [ ! -r "/proc/$g_pid/stat" ] || g_look "$1" "$g_pid"
                g_pid=$((g_pid + 1))
            done
            return 0
        fi
        for g_file in /proc/[0-9]*; do
            g_pid=${g_file#/proc/}
            if [ "$1" -le "$g_last" ]; then
                # shellcheck disable=SC2015 # either test decides
                [ "$g_pid" -ge "$1" ] && [ "$g_pid" -le "$g_last" ] || continue
            else
                [ "$g_pid" -ge "$1" ] || [ "$g_pid" -le "$g_last" ] || continue
            fi
            g_look "$1" "$g_pid"
        done
        return 0
    fi
    g_list=$("$t_processes" -A -o pid= -o pgid= -o stat= 2>/dev/null) || {
        # Without a list nothing can be said to be gone.
        g_left=' unknown'
        return 0
    }
    # shellcheck disable=SC2086 # three fields a process by design
    set -- "$1" $g_list
    g_group=$1
    shift
    while [ $# -ge 3 ]; do
        if [ "$2" = "$g_group" ] && [ "$1" != $$ ]; then
            case $3 in
                Z*) ;;
                # ps itself is in the list and gone by now.
                *) kill -0 "$1" 2>/dev/null && g_left="$g_left $1" ;;
            esac
        fi
        shift 3
    done
    return 0
}

# g_look GROUP PID: adds a process to g_left if it belongs to the group and lives (/proc/PID/stat: PID (NAME) STATE
# PARENT GROUP ...).
g_look() {
    [ "$2" != $$ ] || return 0
    { read -r g_line <"/proc/$2/stat"; } 2>/dev/null || return 0
    g_line=${g_line##*) }
    case $g_line in
        Z* | X*) return 0 ;;
    esac
    g_line=${g_line#* }
    g_line=${g_line#* }
    [ "${g_line%% *}" != "$1" ] || g_left="$g_left $2"
}

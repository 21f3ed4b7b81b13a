# shellcheck shell=sh
# The run itself: lock, claim, job. Sourced by wrapper.sh when there is something to run; finish.sh has the rest.
#
# The wrapper leads the process group in which the job runs (under launchd it does so by birth), because a group is
# what can be stopped as a whole, and what the lock counts as its holder. Signals to the group reach the wrapper too:
# it ignores them from the moment it sends one.

# shellcheck disable=SC2154 # jobs_: the wrapper; k_, w_, l_, g_: clock.sh, wrapper.sh, lock.sh
r_main() {
    r_lead
    r_check
    r_stop='' r_child='' r_locked='' r_timer='' r_left='' r_made='' r_signals=0 r_reason=''
    trap 'r_terminate stopped' TERM INT HUP
    trap 'r_alarm' ALRM
    # shellcheck source=templates/lib/hooks.sh
    [ -z "$jobs_hooks" ] || . "$jobs_lib/hooks.sh"
    r_lock
    [ -z "$w_slot" ] || r_look_again
    r_claim
    r_open_log
    r_start
    r_load_rest
    r_wait
    r_clean_group
    r_measure
    r_judge
    r_finish
}

# Become the leader of a process group of one's own, unless launchd (or `jobsctl run`) has seen to it. Started from a
# script, the group is the script's, and stopping it would stop him. Before any lock is taken: a lock's holder is a
# group, and what one of its programs may still do after a kill -9 counts.
#
# `kill -0 -PID` and no other form: busybox knows no `--`, dash and mksh no negative number behind -s.
r_lead() {
    if kill -0 "-$$" 2>/dev/null; then
        return 0
    fi
    if [ -z "${JOBS_LEADER-}" ]; then
        JOBS_LEADER=1
        JOBS_TRIGGER=$w_trigger
        export JOBS_LEADER JOBS_TRIGGER
        if [ -x "$t_setsid" ]; then
            exec "$t_setsid" "$jobs_self"
        elif [ -x "$t_perl" ]; then
            # shellcheck disable=SC2016 # expanded by perl
            exec "$t_perl" -e 'setpgrp(0, 0); exec { $ARGV[0] } @ARGV' "$jobs_self"
        fi
    fi
    w_refuse "needs a process group of its own: start it with jobsctl run $jobs_name"
}

r_drop_canaries() {
    for w_name in $w_canaries; do
        w_drop_canary "$w_name"
    done
}

# What would make the job fail before its first line, looked at before anything is claimed: the slot stays due.
r_check() {
    r_fault=''
    if ! [ -d "$jobs_cwd" ]; then
        r_fault="its folder is not there: $jobs_cwd"
    elif ! [ -r "$jobs_cwd" ] || ! [ -x "$jobs_cwd" ]; then
        r_fault="its folder may not be read (file rights, or macOS privacy rights): $jobs_cwd"
    elif [ -n "$jobs_env_file" ] && ! [ -r "$jobs_env_file" ]; then
        r_fault="its env_file is not there or may not be read: $jobs_env_file"
    fi
    [ -n "$r_fault" ] || return 0
    r_drop_canaries
    w_record end not-started ',"exit":66'
    w_say "not started: $r_fault"
    exit 66
}

r_lock() {
    [ -n "$jobs_lock" ] || return 0
    case $jobs_lock_method in
        flock)
            # shellcheck source=templates/lib/flock.sh
            . "$jobs_lib/flock.sh"
            f_take && r_locked=flock
            ;;
        *) l_take "$jobs_state/lock/$jobs_lock" "$jobs_lock_wait" && r_locked=links ;;
    esac
    if [ -n "$r_locked" ]; then
        return 0
    fi
    r_drop_canaries
    [ -z "$w_slot" ] || w_count_missed
    w_record skip lock ",\"holder\":\"$l_holder\""
    w_say "skipped: lock $jobs_lock is held by ${l_holder#*.*.*.} (process group ${l_holder%%.*})"
    w_move_cursor lock
    exit 0
}

# Under the lock: another start may have run this slot, and moved the cursor, since it was found.
r_look_again() {
    if [ -d "$jobs_state/claims/$jobs_name/$w_slot" ]; then
        if [ "$w_trigger" = manual ]; then
            w_slot='' w_wall='' w_late=''
            return 0
        fi
        r_give_up not-due "slot $w_slot has run meanwhile"
    fi
    w_read_cursor
    w_count_missed
}

# r_give_up REASON WORDS: end without a run, everything given back.
r_give_up() {
    w_record skip "$1" ''
    w_say "skipped: $2"
    r_drop_canaries
    r_unlock
    exit 0
}

# The markers of the slot and of the period: making the folder is the claim. With mark = "success" the lock alone
# keeps others out, and the markers are made when the run was good: a crash then leaves nothing claimed.
r_claim() {
    r_claims=$jobs_state/claims/$jobs_name
    r_period=''
    case $jobs_once in
        '' | slot) ;;
        *)
            k_period "$jobs_once" "${w_wall:-$k_wall}"
            r_period=$r_claims/$k_id
            ;;
    esac
    r_mark=''
    [ -z "$w_slot" ] || r_mark=$r_claims/$w_slot
    if [ -n "$r_period" ] && [ -d "$r_period" ] && [ -z "$w_force" ]; then
        r_once
    fi
    if [ "$jobs_mark" = success ]; then
        return 0
    fi
    if [ -n "$r_period" ]; then
        if "$t_make_folder" -- "$r_period" 2>/dev/null; then
            r_made=${r_period##*/}
        else
            [ -d "$r_period" ] || r_cannot_claim "$r_period"
            [ -n "$w_force" ] || r_once
        fi
    fi
    if [ -n "$r_mark" ]; then
        if "$t_make_folder" -- "$r_mark" 2>/dev/null; then
            r_made="$r_made ${r_mark##*/}"
        else
            [ -d "$r_mark" ] || r_cannot_claim "$r_mark"
            r_give_up not-due "slot $w_slot was taken by another start"
        fi
    fi
}

# Take back what this run claimed. In the claims' folder itself: the names are the tool's own and need no quoting.
r_unclaim() {
    # shellcheck disable=SC2086
    [ -z "$r_made" ] || (cd "$r_claims" && "$t_remove_folder" -- $r_made) 2>/dev/null
}

r_once() {
    w_move_cursor once
    r_give_up once "it has run already in ${r_period##*/}; to run it all the same: jobsctl run --force $jobs_name"
}

# Without a marker nobody could know later that the slot ran: better a record of a slot not run than a second run.
r_cannot_claim() {
    r_unclaim
    r_drop_canaries
    r_unlock
    w_refuse "cannot make the marker $1 (disk full, or read-only)"
}

# The log as stdout and stderr. What earlier runs left in it was measured when they ended, and kept in the cursor's
# file: r_before bytes are old. (A log that somebody cut since then is shorter than that, and new from its start.)
r_open_log() {
    exec </dev/null
    if true >>"$jobs_log"; then
        exec >>"$jobs_log" 2>&1
    fi
}

r_start() {
    r_begun=$k_epoch
    w_record start "$w_trigger" ",\"missed\":$w_missed"
    w_say "start (${w_slot:-no slot}, $w_trigger${w_late:+, $w_late s late})"
    # A TERM may have come since the trap was set.
    [ -z "$r_stop" ] || return 0
    [ -z "$jobs_hooks" ] || r_tell start
    (
        case $r_locked in flock) f_close ;; esac
        umask "$jobs_umask"
        cd "$jobs_cwd" || exit 66
        unset JOBS_NOW JOBS_FORCE JOBS_LEADER JOBS_LOCK_FD
        JOBS_NAME=$jobs_name JOBS_SLOT=$w_slot JOBS_TRIGGER=$w_trigger JOBS_LATE=${w_late:-0} JOBS_MISSED=$w_missed
        export JOBS_NAME JOBS_SLOT JOBS_TRIGGER JOBS_LATE JOBS_MISSED
        # From here on the variables are the user's: theirs may have names that this shell uses, too.
        set -- "$jobs_env_file"
        set +u
        jobs_environment 2>/dev/null # mksh warns of a LANG that the machine lacks
        if [ -n "$1" ]; then
            set -a
            # shellcheck disable=SC1090 # the user's own file
            . "$1"
            set +a
        fi
        jobs_command
    ) &
    r_child=$!
    if [ -n "$r_stop" ]; then
        r_stop_group
    elif [ "$jobs_timeout" -gt 0 ]; then
        r_set_timer "$jobs_timeout"
    fi
}

# What follows the job is read while the job runs: that costs no time, and a build that changes these files during a
# long run meets a wrapper that has them all.
r_load_rest() {
    # shellcheck source=templates/lib/finish.sh
    . "$jobs_lib/finish.sh"
    # shellcheck source=templates/lib/guard.sh
    [ -z "$jobs_guards" ] || . "$jobs_lib/guard.sh"
}

# r_set_timer SECONDS: an ALRM to this shell then. sleep counts time awake: a Mac that sleeps stops the clock, too.
r_set_timer() {
    (
        # Ignored signals stay ignored in children, but this one has to end with its group.
        trap - TERM INT HUP ALRM
        case $r_locked in flock) f_close ;; esac
        "$t_sleep" "$1" && kill -ALRM $$
    ) >/dev/null 2>&1 &
    r_timer=$!
}

# Wait for the job's own end. Traps interrupt `wait`; they do their work themselves, so that no signal is lost between
# a look at a variable and the wait.
r_wait() {
    r_status=''
    while [ -n "$r_child" ]; do
        r_seen=$r_signals
        # Some shells tell of a killed child, with half of this file, on stderr.
        { wait "$r_child"; } 2>/dev/null
        r_got=$?
        # 127 after an answer: the answer was the job's own, and a signal came right behind it.
        [ "$r_got" -eq 127 ] && [ -n "$r_status" ] || r_status=$r_got
        [ "$r_seen" -ne "$r_signals" ] || break
    done
    r_status=${r_status:-143}
    # yash counts signals from 384, ksh from 256, the others from 128.
    if [ "$r_status" -gt 384 ]; then
        r_status=$((r_status - 256))
    elif [ "$r_status" -gt 256 ]; then
        r_status=$((r_status - 128))
    fi
}

# r_terminate WORD: TERM to the group, and KILL to what is left after kill_after.
r_terminate() {
    r_signals=$((r_signals + 1))
    [ -z "$r_stop" ] || return 0
    r_stop=$1
    trap '' TERM INT HUP
    [ -z "$r_child" ] || r_stop_group
}

r_stop_group() {
    kill -TERM "-$$" 2>/dev/null
    r_set_timer "$jobs_kill_after"
}

r_alarm() {
    r_signals=$((r_signals + 1))
    if [ -z "$r_stop" ]; then
        r_terminate timeout
    else
        r_kill_rest
    fi
}

# KILL to everything of the group but this shell, until nothing is left: a process may fork while it is looked for.
r_kill_rest() {
    r_tries=0
    while [ "$r_tries" -lt 50 ]; do
        g_members $$
        [ -n "$g_left" ] || return 0
        # shellcheck disable=SC2086 # a list of numbers
        kill -KILL $g_left 2>/dev/null
        r_tries=$((r_tries + 1))
    done
}

r_unlock() {
    case $r_locked in
        links)
            # What could not be killed, or may live on, still holds it.
            [ -n "$r_left" ] || l_give_back "$jobs_state/lock/$jobs_lock"
            ;;
        flock)
            [ -n "$r_left" ] || f_give_back
            ;;
    esac
}

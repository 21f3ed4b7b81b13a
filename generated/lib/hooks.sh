# shellcheck shell=sh
# The manifest's `notify` hooks: which are due, and their run. Sourced by run.sh for jobs that have some.

# shellcheck disable=SC2154 # jobs_: the wrapper; w_, r_, q_: wrapper.sh, run.sh, guard.sh

# Which of the manifest's `notify` hooks are due: sets r_due_hooks. A quota stop is told by the run that opened the
# breaker, and by no other of the same outage. w_last is what became of the last run, kept in the cursor's file.
r_choose_hooks() {
    case $r_reason in
        ok)
            r_due_hooks=success
            case $w_last in '' | - | ok) ;; *) r_due_hooks='success recovery' ;; esac
            ;;
        quota | billing) [ "${q_before-closed}" != closed ] || r_due_hooks=failure ;;
        *) r_due_hooks=failure ;;
    esac
}

# r_tell EVENT: run the hook, for half a minute at the most. What it does cannot change the run's own result.
r_tell() {
    case " $jobs_hooks " in
        *" $1 "*) ;;
        *) return 0 ;;
    esac
    (
        case $r_locked in flock) f_close ;; esac
        trap - TERM INT HUP ALRM
        JOBS_EVENT=$1 JOBS_NAME=$jobs_name JOBS_REASON=$r_reason JOBS_SLOT=$w_slot JOBS_LOG=$jobs_log
        export JOBS_EVENT JOBS_NAME JOBS_REASON JOBS_SLOT JOBS_LOG
        jobs_hook "$1"
    ) &
    r_telling=$!
    (
        trap - TERM INT HUP ALRM
        case $r_locked in flock) f_close ;; esac
        "$t_sleep" 30 && kill -KILL "$r_telling"
    ) >/dev/null 2>&1 &
    r_watch=$!
    { wait "$r_telling"; } 2>/dev/null || w_say "the hook for $1 failed"
    # Nothing but the hook is in the group now: the job is not there yet, or not any more. (Unless the plist lets its
    # children live on.)
    kill -KILL "$r_watch" 2>/dev/null
    { wait "$r_watch"; } 2>/dev/null
    [ -n "$jobs_abandon" ] || r_kill_rest
}

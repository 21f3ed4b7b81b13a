# shellcheck shell=sh
# After the job: nothing of its group lives on, the output is judged, the end is recorded. Sourced by run.sh while the
# job runs.

# shellcheck disable=SC2154 # jobs_: the wrapper; k_, w_, r_, g_: clock.sh, wrapper.sh, run.sh, lock.sh

# Nothing of the group outlives the run, as launchd itself would have it (TERM to the group when the main process
# ends), but with proof. A plist with AbandonProcessGroup leaves the job's children alone: then the lock stays with
# them.
r_clean_group() {
    trap '' TERM INT HUP
    trap ':' ALRM
    if [ -n "$jobs_abandon" ]; then
        [ -z "$r_timer" ] || kill -KILL "$r_timer" 2>/dev/null
        g_members $$
        r_left=$g_left
        return 0
    fi
    # A TERM that comes before the timer has reset its traps is lost on it, and a job can be as quick as that.
    [ -z "$r_timer" ] || kill -KILL "$r_timer" 2>/dev/null
    kill -TERM "-$$" 2>/dev/null
    [ -z "$r_timer" ] || wait "$r_timer" 2>/dev/null
    r_waited=0
    while [ "$r_waited" -lt 3 ]; do
        # What dies at once needs no second of sleep.
        g_members $$
        [ -n "$g_left" ] || return 0
        r_waited=$((r_waited + 1))
    done
    r_waited=0
    while [ "$r_waited" -lt "$jobs_kill_after" ]; do
        "$t_sleep" 1
        g_members $$
        [ -n "$g_left" ] || return 0
        r_waited=$((r_waited + 1))
    done
    w_say "still there after TERM, killed:$g_left"
    r_kill_rest
    r_left=$g_left
    [ -z "$r_left" ] || w_say "cannot be killed:$r_left; the lock stays with them"
}

# The end: the time, and the sizes of the log and of the records, in one subshell. Sets what k_now sets, and r_size,
# r_before, r_written.
r_measure() {
    r_size=0 r_records=0
    set -f
    # shellcheck disable=SC2046 # TIME (8 words) SIZE - SIZE PATH ...: the path may fall into any number of words
    set -- $(
        if [ -n "${JOBS_NOW-}" ]; then
            k_now && printf '%s\n' "$k_answer"
        else
            [ -z "$jobs_zone" ] || export TZ="$jobs_zone"
            "$t_date" "+$k_fields"
        fi
        "$t_size" -c - "$jobs_state/runs/$jobs_name.jsonl" <"$jobs_log" 2>/dev/null
    )
    set +f
    if k_take "$@"; then
        shift 8
    fi
    if [ $# -ge 4 ] && w_is_number "$1$3"; then
        r_size=$1 r_records=$3
    fi
    r_size=$((r_size - w_said)) # without the lines of this tool, whose number goes on growing
    r_before=$w_log_size
    [ "$r_before" -le "$r_size" ] || r_before=0
    r_written=$((r_size - r_before))
}

# Sets r_reason and r_exit from the status, and from what the job said if it is guarded.
r_judge() {
    r_exit=$r_status
    r_fields=",\"exit\":$r_status"
    if [ "$r_status" -eq 0 ]; then
        r_reason=ok
    elif [ "$r_status" -gt 128 ] && [ "$r_status" -lt 192 ]; then
        r_reason=killed
        r_fields="$r_fields,\"signal\":$((r_status - 128))"
    else
        r_reason=failed
    fi
    case $r_stop in
        timeout)
            r_reason=timeout
            r_exit=124
            ;;
        stopped)
            r_reason=killed
            r_exit=143
            ;;
        '')
            # A good run that said nothing needs no judge, unless it was the canary.
            if [ -n "$jobs_guards" ] && [ "$r_status:$r_written:$w_canaries:$w_force" != 0:0:: ]; then
                q_judge
            fi
            ;;
    esac
}

r_finish() {
    r_seconds=$((k_epoch - r_begun))
    [ "$r_seconds" -ge 0 ] || r_seconds=0
    if [ "$jobs_mark" = success ] && [ "$r_reason" = ok ]; then
        for r_folder in "$r_period" "$r_mark"; do
            if [ -n "$r_folder" ] && ! [ -d "$r_folder" ]; then
                "$t_make_folder" -- "$r_folder" || w_say "cannot make the marker $r_folder"
            fi
        done
    fi
    w_record end "$r_reason" "$r_fields,\"seconds\":$r_seconds"
    w_say "end: $r_reason (exit $r_status, $r_seconds s)"
    w_log_size=$((r_size + w_said))
    r_prune
    r_rotate
    r_due_hooks=''
    [ -z "$jobs_hooks" ] || r_choose_hooks
    w_last=$r_reason
    case $r_reason:$jobs_mark in
        quota:* | billing:*)
            # The tool refused: that is a skip, only found out later. The slot is due again.
            r_unclaim
            w_move_cursor guard
            ;;
        ok:* | *:start)
            w_missed=0
            w_move_cursor ran
            ;;
        *) w_move_cursor failed ;;
    esac
    r_drop_canaries
    r_unlock
    for r_hook in $r_due_hooks; do
        r_tell "$r_hook"
    done
    exit "$r_exit"
}

r_rotate() {
    [ "$w_log_size" -ge "$jobs_log_max" ] || return 0
    w_log_size=0
    r_number=$jobs_log_keep
    [ "$r_number" -gt 0 ] || "$t_remove" -f -- "$jobs_log"
    while [ "$r_number" -gt 0 ]; do
        r_older=$jobs_log.$r_number
        r_number=$((r_number - 1))
        r_newer=$jobs_log.$r_number
        [ "$r_number" -gt 0 ] || r_newer=$jobs_log
        [ ! -f "$r_newer" ] || "$t_move" -f -- "$r_newer" "$r_older"
    done
}

# Old markers and records. Markers go by count, the oldest first, and many at a time: the newest are what keeps a slot
# from running twice, whatever their age.
r_prune() {
    for r_kind in 2 day- hour- week- month-; do
        set -- "$r_claims/$r_kind"*
        if [ $# -gt 400 ]; then
            r_old=''
            while [ $# -gt 200 ]; do
                r_old="$r_old ${1##*/}"
                shift
            done
            # shellcheck disable=SC2086 # as in r_unclaim
            (cd "$r_claims" && "$t_remove_folder" -- $r_old) 2>/dev/null
        fi
    done
    if [ "$r_records" -gt 4000000 ]; then
        "$t_move" -f -- "$jobs_state/runs/$jobs_name.jsonl" "$jobs_state/runs/$jobs_name.jsonl.1"
    fi
}

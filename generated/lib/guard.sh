# shellcheck shell=sh
# After a guarded run: did the tool stop for its quota? Then the breaker opens, or closes.
#
# The exact judge is `jobsctl guard judge`. It is asked only when a cheap look says that there may be something to
# judge: the run wrote anything at all, and among it one of the words that the known messages have.

# shellcheck disable=SC2154 # jobs_: the wrapper; k_, w_, r_: clock.sh, wrapper.sh, run.sh
q_judge() {
    for w_guard in $jobs_guards; do
        w_breaker=$jobs_state/guard/$w_guard
        q_judge_one
        q_apply
    done
}

# Sets q_verdict (ok, failed, quota, billing, auth, throttle), q_until (epoch, 0: unknown), q_text.
q_judge_one() {
    q_until=0 q_text='' q_verdict=failed
    [ "$r_status" -ne 0 ] || q_verdict=ok
    # 75 is EX_TEMPFAIL: the job itself says that the quota is out.
    [ "$r_status" -ne 75 ] || q_verdict=quota
    q_suspicious || return 0
    q_find_program
    if [ -n "$q_program" ] && q_answer=$(jobs_ask_judge "$w_guard" "$q_program" guard judge \
        --exit "$r_status" --offset "$r_before" --now "$k_epoch" "$jobs_log" 2>/dev/null); then
        q_word=${q_answer%% *}
        q_rest=${q_answer#* }
        case $q_word in
            quota | billing | auth | throttle)
                q_verdict=$q_word
                q_text=${q_rest#* }
                w_is_number "${q_rest%% *}" && q_until=${q_rest%% *}
                return 0
                ;;
            ok | failed) return 0 ;;
        esac
    fi
        # Nobody to ask (no Python, or the tool was moved): the record says so. Plain words of a stop are taken for one of
    # unknown length, in a failed run, and in a good one that said next to nothing else. Other suspicious words are
    # too common for that.
    r_fields="$r_fields,\"judge\":\"missing\""
    w_say "guard $w_guard: the judge (jobsctl) was not found"
    if [ "$r_status" -ne 0 ] || [ "$r_written" -le 200 ]; then
        if q_text=$("$t_tail" -c "+$((r_before + 1))" -- "$jobs_log" | "$t_grep" -i -E -e "$q_stop_words"); then
            q_verdict=quota
            q_text=${q_text##*
}
        fi
    fi
}

# Whether this run's own output may hold a stop message. A good run is suspicious only when it said little: then the
# exit status may have been lost on the way.
q_suspicious() {
    [ "$r_written" -gt 0 ] || return 1
    [ "$r_status" -ne 0 ] || [ "$r_written" -le 20000 ] || return 1
    # Patterns of the user's own are the judge's to try.
    [ -z "$jobs_own_patterns" ] || return 0
    q_output_has "$q_words"
}

# q_output_has WORDS: whether this run's own output holds one of the words (an extended regular expression).
q_output_has() {
    "$t_tail" -c "+$((r_before + 1))" -- "$jobs_log" | "$t_grep" -q -i -E -e "$1"
}

# What every message that a detector knows has in it: cheap_words() of runtime/detect, and tested to be the same.
q_words='limit|quota|usage|credit|spend cap|cap reached|overloaded|capacity|exhausted|high demand|throttled|too many requests|log(ged)? ?in|api key|auth|oauth|token|litellm|429|(error|status|code|failed|http)[": (]+[45][0-9][0-9]|upgrade to|no key found'

# What says of itself that a quota is used up.
q_stop_words="(usage|session|weekly|hour|monthly|daily) limit (has been )?reached|hit your [a-z0-9 -]*limit|quota (exceeded|exhausted)|out of (extra )?(usage|credits)|exhausted your [a-z]* ?quota|credit balance is too low"

# Sets q_program: the tool as the installation noted it, or from where people install programs.
q_find_program() {
    q_program=''
    [ ! -r "$jobs_state/tool" ] || read -r q_program <"$jobs_state/tool" || :
    [ -z "$q_program" ] || ! [ -x "$q_program" ] || return 0
    q_program=$(command -v jobsctl 2>/dev/null) && return 0
    for q_program in "$HOME/.local/bin/jobsctl" /opt/homebrew/bin/jobsctl /usr/local/bin/jobsctl; do
        [ ! -x "$q_program" ] || return 0
    done
    q_program=''
}

# What the verdict does to the breaker and to the run's own result. The arithmetic is the table of runtime/breaker.py,
# and tests/runtime/breaker_vectors.py holds both to it.
q_apply() {
    case $q_verdict in
        quota | billing)
            r_exit=75
            r_reason=$q_verdict
            q_trip
            r_fields="$r_fields,\"guard\":\"$w_guard\",\"until\":$q_until"
            ;;
        auth | throttle)
            case $r_reason in quota | billing) ;; *) r_reason=$q_verdict ;; esac
            ;;
        ok)
            if q_is_canary && [ -e "$w_breaker" ] && w_read_breaker && ! q_is_held; then
                "$t_remove" -f -- "$w_breaker"
                w_say "guard $w_guard: works again, closed"
            fi
            ;;
    esac
}

# Whether this run tries the breaker: it went while it was half-open, or by force.
q_is_canary() {
    [ -z "$w_force" ] || return 0
    case " $w_canaries " in
        *" $w_guard "*) return 0 ;;
    esac
    return 1
}

# Whether somebody holds the breaker open by hand.
q_is_held() {
    [ "$w_kind" = manual ] && q_is_open
}

q_is_open() {
    [ "$w_until" -eq 0 ] || [ "$w_until" -gt "$k_epoch" ]
}

# Open the breaker, or keep it open longer. q_until is the reset that the tool named (0: none), and becomes what the
# breaker holds.
q_trip() {
    q_attempt=0 q_began=$k_epoch q_before=closed
    if [ -e "$w_breaker" ] && w_read_breaker; then
        q_attempt=$w_attempt q_began=$w_began q_before=half-open
        q_is_open && q_before=open
        if q_is_held; then
            q_until=$w_until
            return 0
        fi
    fi
    if [ "$q_verdict" = billing ]; then
        q_until=0 q_attempt=0
    elif [ "$q_until" -gt "$k_epoch" ] && [ "$q_until" -le $((k_epoch + 691200 - 120)) ]; then
        q_until=$((q_until + 120)) q_attempt=0
    elif [ "$q_before" = open ]; then
        # Another run has said it, and knows as much.
        q_until=$w_until
        return 0
    elif [ "$q_before" = closed ] && [ "$q_until" -gt 0 ] && [ "$q_until" -le "$k_epoch" ] &&
        [ "$q_until" -ge $((k_epoch - 3600)) ]; then
        # Just passed: due now, for one run.
        q_until=$((k_epoch + 120)) q_attempt=1
    else
        q_attempt=$((q_attempt + 1))
        q_step
        q_until=$((k_epoch + q_pause))
    fi
    if printf '%s\n' "1 open $q_until $q_verdict $q_attempt $q_began $jobs_name" "$q_text" >"$w_breaker.$$"; then
        "$t_move" -f -- "$w_breaker.$$" "$w_breaker"
    else
        "$t_remove" -f -- "$w_breaker.$$"
        w_say "guard $w_guard: cannot write its file"
    fi
    [ "$q_before" != closed ] || w_say "guard $w_guard: opened ($q_verdict) until $q_until: $q_text"
}

# Sets q_pause, the back-off of refusal number q_attempt: the cooldown, doubled each time, up to two hours.
q_step() {
    q_pause=$(jobs_cooldown "$w_guard")
    q_longest=7200
    [ "$q_pause" -le "$q_longest" ] || q_longest=$q_pause
    q_count=1
    while [ "$q_count" -lt "$q_attempt" ] && [ "$q_pause" -lt "$q_longest" ]; do
        q_pause=$((q_pause * 2))
        q_count=$((q_count + 1))
    done
    [ "$q_pause" -le "$q_longest" ] || q_pause=$q_longest
}

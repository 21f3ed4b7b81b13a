# shellcheck shell=sh
# After a guarded run: did the tool stop for its quota? Then the breaker opens, or closes.
#
# The exact judge is `jobsctl guard judge`. It is asked only when a cheap look says that there may be something to
# judge: the run wrote anything at all, and among it one of the words that every known stop message has.

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
    # Nobody to ask (no Python, or the tool was moved). A failed run that speaks of limits is taken for a quota stop
    # of unknown length; the record says on what ground.
    if [ "$r_status" -ne 0 ]; then
        q_verdict=quota
        r_fields="$r_fields,\"judge\":\"missing\""
        w_say "guard $w_guard: the judge (jobsctl) was not found, so the words alone count"
    fi
}

# Whether this run's own output may hold a stop message. A good run is suspicious only when it said little: then the
# exit status may have been lost on the way.
q_suspicious() {
    [ "$r_written" -gt 0 ] || return 1
    [ "$r_status" -ne 0 ] || [ "$r_written" -le 20000 ] || return 1
    # Patterns of the user's own are the judge's to try.
    [ -z "$jobs_own_patterns" ] || return 0
    "$t_tail" -c "+$((r_before + 1))" -- "$jobs_log" | "$t_grep" -q -i -E -e "$q_words"
}

# Every stop message of every detector holds one of these words (tested against all of them).
q_words='limit|quota|credit|usage|exhausted|capacity|allowance|allocation|log[- ]?in|api key|unauthorized|overloaded|429|529'

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

# What the verdict does to the breaker and to the run's own result.
q_apply() {
    case $q_verdict in
        quota | billing)
            r_exit=75
            r_reason=$q_verdict
            k_now || :
            q_trip
            r_fields="$r_fields,\"guard\":\"$w_guard\",\"until\":$q_until"
            ;;
        auth | throttle)
            case $r_reason in quota | billing) ;; *) r_reason=$q_verdict ;; esac
            ;;
        ok)
            case " $w_canaries " in
                *" $w_guard "*)
                    "$t_remove" -f -- "$w_breaker"
                    w_say "guard $w_guard: works again, closed"
                    ;;
            esac
            ;;
    esac
}

# Open the breaker, or keep it open longer. The arithmetic is that of runtime/breaker.py: a reset time that the tool
# named, plus two minutes; else cooldown, doubled with every refusal in a row up to two hours; a billing stop until
# somebody resets it. q_until becomes what the breaker holds.
q_trip() {
    q_attempt=0 q_began=$k_epoch q_news=1
    if [ -e "$w_breaker" ] && w_read_breaker; then
        q_attempt=$w_attempt q_began=$w_began q_news=''
        case " $w_canaries " in
            *" $w_guard "*) ;;
            *)
                # Opened by another run while this one was on its way: the same refusal, told twice.
                if [ "$w_until" -eq 0 ] || { [ "$q_verdict" = quota ] && [ "$q_until" -eq 0 ] && [ "$w_until" -gt "$k_epoch" ]; }; then
                    q_until=$w_until
                    return 0
                fi
                ;;
        esac
    fi
    if [ "$q_verdict" = billing ]; then
        q_until=0
    elif [ "$q_until" -gt 0 ]; then
        [ "$q_until" -ge "$k_epoch" ] || q_until=$k_epoch
        q_until=$((q_until + 120))
        q_attempt=0
    else
        q_attempt=$((q_attempt + 1))
        q_pause=$(jobs_cooldown "$w_guard")
        q_longest=7200
        [ "$q_pause" -le "$q_longest" ] || q_longest=$q_pause
        q_step=1
        while [ "$q_step" -lt "$q_attempt" ] && [ "$q_pause" -lt "$q_longest" ]; do
            q_pause=$((q_pause * 2))
            q_step=$((q_step + 1))
        done
        [ "$q_pause" -le "$q_longest" ] || q_pause=$q_longest
        q_until=$((k_epoch + q_pause))
    fi
    if printf '%s\n' "1 open $q_until $q_verdict $q_attempt $q_began $jobs_name" "$q_text" >"$w_breaker.$$"; then
        "$t_move" -f -- "$w_breaker.$$" "$w_breaker"
    else
        "$t_remove" -f -- "$w_breaker.$$"
        w_say "guard $w_guard: cannot write its file"
    fi
    [ -z "$q_news" ] || w_say "guard $w_guard: opened ($q_verdict) until $q_until: $q_text"
}

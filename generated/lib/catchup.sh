# shellcheck shell=sh
# The catch-up's own job: on most days there is nothing to make up, and then nothing but this shell is started.
#
# jobs_catchup holds a line a job: NAME;WORDS;GUARDS. WORDS are the cursor's words that leave a slot to be made up
# (slots/NAME, see wrapper.sh), or `always` for jobs whose missed slots only the exact calendar can tell.

# shellcheck disable=SC2154 # jobs_: bin/catchup; k_, w_, q_: clock.sh, wrapper.sh, guard.sh
c_main() {
    umask 077
    w_said=0 w_slot='' w_trigger=interval w_late=''
    unset CDPATH
    k_now || exit 69
    w_folders
    c_wanted || exit 0
    q_find_program
    if [ -z "$q_program" ]; then
        w_say 'something is to be made up, but jobsctl was not found: install it, or run "jobsctl install" once more'
        exit 69
    fi
    exec </dev/null
    if true >>"$jobs_log"; then
        exec >>"$jobs_log" 2>&1
    fi
    exec "$q_program" catchup --manifest "$jobs_manifest"
}

# Whether any job has something to make up, and a guard that lets it through.
c_wanted() {
    c_ifs=$IFS
    IFS='
'
    # shellcheck disable=SC2086 # one job a line
    set -- $jobs_catchup
    IFS=$c_ifs
    for c_line in "$@"; do
        c_name=${c_line%%;*}
        c_rest=${c_line#*;}
        c_words=${c_rest%%;*}
        if c_is_waiting && c_may_pass "${c_rest#*;}"; then
            return 0
        fi
    done
    return 1
}

c_is_waiting() {
    [ "$c_words" != always ] || return 0
    [ -f "$jobs_state/slots/$c_name" ] || return 1
    c_word=''
    read -r _ c_word _ <"$jobs_state/slots/$c_name" || :
    k_has "$c_words" "$c_word"
}

# c_may_pass GUARDS: no guard of the job is open. Half-open is for the catch-up to try.
c_may_pass() {
    for w_guard in $1; do
        w_breaker=$jobs_state/guard/$w_guard
        if [ -e "$w_breaker" ] && w_read_breaker; then
            if [ "$w_until" -eq 0 ] || [ "$w_until" -gt "$k_epoch" ]; then
                return 1
            fi
        fi
    done
}

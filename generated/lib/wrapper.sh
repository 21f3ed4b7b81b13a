# shellcheck shell=sh
# What happens when launchd fires a job: find the slot, ask the guard; run.sh does the rest if there is something to run.
#
# The wrapper (bin/NAME) sets jobs_... and calls w_main. A skip ends here and costs one process, `date`.
# Variables: jobs_ what the manifest says, w_ this run, k_ clock.sh, l_ lock.sh, t_ tools.sh.
#
# Exit statuses of the wrapper's own: 0 ran well or skipped, 66 folder or env_file missing, 69 state unusable,
# 75 quota, 124 time-out, 143 stopped; else the job's.

# shellcheck disable=SC2154 # jobs_... are set by the wrapper that sources this
w_main() {
    umask 077
    w_trigger=$jobs_trigger
    case ${JOBS_TRIGGER-} in
        manual | catchup) w_trigger=$JOBS_TRIGGER ;;
    esac
    w_force=${JOBS_FORCE-}
    w_slot='' w_wall='' w_late='' w_missed=0 w_canaries='' w_said=0
    unset CDPATH
    if ! k_now; then
        printf '%s\n' "jobs: $jobs_name: date gives no answer: not run" >&2
        exit 69
    fi
    w_folders
    w_request
    w_read_cursor
    if [ -n "$jobs_slots" ]; then
        # shellcheck source=templates/lib/slots.sh
        . "$jobs_lib/slots.sh"
        # shellcheck source=templates/lib/due.sh
        . "$jobs_lib/due.sh"
        w_find_slot
    fi
    [ -n "$w_force" ] || w_ask_guards
    w_load
    r_main
}

# The rest of the library: a skip, most often, needs none of it.
w_load() {
    [ -z "${l_loaded-}" ] || return 0
    # shellcheck source=templates/lib/slots.sh
    [ -n "$jobs_slots" ] || . "$jobs_lib/slots.sh"
    # shellcheck source=templates/lib/lock.sh
    . "$jobs_lib/lock.sh"
    # shellcheck source=templates/lib/run.sh
    . "$jobs_lib/run.sh"
}

# The folders of the log and of the state. State that belongs to someone else is not trusted: its locks and markers
# would be his to plant.
w_folders() {
    [ -d "${jobs_log%/*}" ] || "$t_make_folder" -p -- "${jobs_log%/*}" 2>/dev/null || :
    if ! [ -d "$jobs_state/runs" ] || ! [ -d "$jobs_state/slots" ] || ! [ -d "$jobs_state/claims/$jobs_name" ]; then
        "$t_make_folder" -p -- "$jobs_state/runs" "$jobs_state/slots" "$jobs_state/lock" "$jobs_state/guard" \
            "$jobs_state/canary" "$jobs_state/requests" "$jobs_state/since" "$jobs_state/claims/$jobs_name" ||
            w_refuse "cannot make the state folder $jobs_state"
    fi
    if [ -L "$jobs_state/runs" ] || ! [ -O "$jobs_state" ] || ! [ -O "$jobs_state/runs" ]; then
        w_refuse "the state folder $jobs_state belongs to another user"
    fi
}

# w_refuse WORDS: the run cannot be kept safe, so there is none.
w_refuse() {
    w_say "not run: $1"
    exit 69
}

# w_say WORDS: a line in the log (or, if there is none, to launchd's), and on a terminal if one looks on. Lines of
# this tool start with "[jobs ": the detectors of quota stops pass them over.
w_say() {
    w_line="[jobs $k_stamp] $jobs_name: $1"
    { printf '%s\n' "$w_line" >>"$jobs_log"; } 2>/dev/null || printf '%s\n' "$w_line" >&2
    w_said=$((w_said + ${#w_line} + 1))
    if [ -t 2 ]; then
        printf '%s\n' "jobs: $jobs_name: $1" >&2
    fi
}

# w_record EVENT REASON FIELDS: one line of runs/NAME.jsonl, in one write. FIELDS is JSON that starts with a comma, or
# nothing. Every value is a number or of a safe alphabet.
w_record() {
    w_line="{\"time\":\"$k_stamp\",\"epoch\":$k_epoch,\"job\":\"$jobs_name\",\"event\":\"$1\",\"reason\":\"$2\""
    if [ -n "$w_slot" ] && [ "$1" != missed ]; then
        w_line="$w_line,\"slot\":\"$w_slot\""
    fi
    w_line="$w_line,\"trigger\":\"$w_trigger\""
    if [ -n "$w_late" ] && [ "$1" != missed ]; then
        w_line="$w_line,\"late\":$w_late"
    fi
    printf '%s\n' "$w_line$3,\"pid\":$$}" 2>/dev/null >>"$jobs_state/runs/$jobs_name.jsonl" ||
        w_say "cannot write the record of $1 $2"
}

# What catch-up asked for, if it did: requests/NAME holds TRIGGER SLOT EXPIRES. Only one taker can remove the file.
w_request() {
    w_file=$jobs_state/requests/$jobs_name
    [ -f "$w_file" ] || return 0
    w_word='' w_expires=0
    read -r w_word _ w_expires <"$w_file" || :
    "$t_remove" -- "$w_file" 2>/dev/null || return 0
    w_is_number "$w_expires" || return 0
    if [ "$w_word" = catchup ] && [ "$w_expires" -ge "$k_epoch" ]; then
        w_trigger=catchup
    fi
}

w_is_number() {
    case $1 in
        '' | *[!0-9]*) return 1 ;;
    esac
}

# Sets w_cursor, w_cursor_word, w_cursor_wall, w_cursor_missed, w_log_size, w_last; a cursor that cannot be read counts as none.
w_read_cursor() {
    w_cursor='' w_cursor_word='' w_cursor_wall=0 w_cursor_missed=0 w_log_size=0 w_last='' w_cursor_line=''
    [ -f "$jobs_state/slots/$jobs_name" ] || return 0
    read -r w_cursor w_cursor_word w_cursor_wall w_cursor_missed w_log_size w_last <"$jobs_state/slots/$jobs_name" || :
    w_is_number "$w_cursor_wall" || w_cursor_wall=0
    w_is_number "$w_cursor_missed" || w_cursor_missed=0
    w_is_number "$w_log_size" || w_log_size=0
    w_cursor_line="$w_cursor $w_cursor_word $w_cursor_wall $w_cursor_missed $w_log_size $w_last"
}

# w_move_cursor WORD: remember what became of the slot; w_missed goes with it until a run takes it.
w_move_cursor() {
    if [ -z "$w_slot" ]; then
        # A run without a slot leaves the slots' story as it is.
        set -- "${w_cursor_word:--}"
        w_missed=$w_cursor_missed
    fi
    w_line="${w_slot:-${w_cursor:--}} $1 ${w_wall:-$w_cursor_wall} $w_missed $w_log_size ${w_last:--}"
    [ "$w_line" != "$w_cursor_line" ] || return 0
    printf '%s\n' "$w_line" 2>/dev/null >"$jobs_state/slots/$jobs_name" ||
        w_say 'cannot write the cursor'
}

# Ask every breaker of the job. Closed: no file. Open: skip; the slot stays due. Past its reset time: one run goes
# as the canary, the others skip.
#
# guard/NAME, first line: 1 open UNTIL KIND ATTEMPT SINCE JOB. A file that cannot be read as that, or that comes from
# the future (the clock was set back), counts as closed: a breaker that cannot be trusted must not stop the jobs.
w_ask_guards() {
    # shellcheck disable=SC2154 # set by the wrapper
    for w_guard in $jobs_guards; do
        w_breaker=$jobs_state/guard/$w_guard
        [ -e "$w_breaker" ] || continue
        w_read_breaker || continue
        if [ "$w_until" -eq 0 ] || [ "$w_until" -gt "$k_epoch" ]; then
            w_skip_guard guard
        fi
        # Half-open. The breaker is read again under the canary's lock: the last canary may just have closed it.
        w_load
        r_lead
        l_take "$jobs_state/canary/$w_guard" 0 || w_skip_guard canary
        w_canaries="$w_canaries $w_guard"
        if ! [ -e "$w_breaker" ] || ! w_read_breaker; then
            w_canaries=${w_canaries% *}
            w_drop_canary "$w_guard"
            continue
        fi
        if [ "$w_until" -eq 0 ] || [ "$w_until" -gt "$k_epoch" ]; then
            w_skip_guard guard
        fi
    done
}

# Sets w_until, w_kind, w_attempt, w_began from the breaker's file; 1: counts as closed.
w_read_breaker() {
    w_version='' w_state='' w_until='' w_kind='' w_attempt='' w_began=''
    { read -r w_version w_state w_until w_kind w_attempt w_began _ <"$w_breaker"; } 2>/dev/null || :
    if [ "$w_version" != 1 ] || [ "$w_state" != open ] || ! w_is_number "$w_until" ||
        ! w_is_number "$w_attempt" || ! w_is_number "$w_began"; then
        w_say "guard $w_guard: its file cannot be read, taken as closed: $w_breaker"
        return 1
    fi
    if [ "$w_began" -gt $((k_epoch + 3600)) ] ||
        { [ "$w_kind" != manual ] && [ "$w_until" -gt $((k_epoch + 691200)) ]; }; then
        w_say "guard $w_guard: its file is from the future, taken as closed: $w_breaker"
        return 1
    fi
}

# w_skip_guard REASON: guard (open) or canary (another run tries it). One record per slot is enough.
w_skip_guard() {
    for w_name in $w_canaries; do
        w_drop_canary "$w_name"
    done
    if [ -z "$w_slot" ] || [ "$w_wall" -ne "$w_cursor_wall" ] || [ "$w_cursor_word" != "$1" ]; then
        [ -z "$w_slot" ] || w_count_missed
        w_record skip "$1" ",\"guard\":\"$w_guard\",\"until\":$w_until"
        w_say "skipped: guard $w_guard is open ($1)"
        w_move_cursor "$1"
    fi
    exit 0
}

# w_drop_canary GUARD: give the canary's lock back.
w_drop_canary() {
    l_give_back "$jobs_state/canary/$1"
}

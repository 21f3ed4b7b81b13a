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

# The newest slot that is due and has no claim: sets w_slot, w_wall, w_late, w_missed. Ends the wrapper when there is
# none and the trigger needs one.
#
# slots/NAME, the cursor, remembers the newest slot that was looked at, the log's size and the last result, in one line: SLOT WORD
# WALL MISSED SIZE LAST. It is for counting what was missed and for telling a late first fire from a second one; that a slot
# runs once is up to the claims alone.
w_find_slot() {
    # Before its install a job has no slots. Without an install (a wrapper started by hand or by some other timer)
    # the last day counts.
    w_since=$((k_epoch - 86400))
    if [ -f "$jobs_state/since/$jobs_name" ]; then
        w_is_number_in "$jobs_state/since/$jobs_name" && w_since=$w_number
    elif [ "$w_cursor_wall" -gt 0 ]; then
        w_since=0
    fi
    k_reached "$w_cursor_wall"
    w_lowest=$((k_limit - jobs_deadline / 60 - 181))
    k_newest "$k_limit" "$w_lowest"
    if [ -z "$k_slot" ]; then
        w_not_due ''
        return 0
    fi
    w_wall=$k_slot
    k_name "$w_wall"
    w_slot=$k_id
    if [ "$w_wall" -lt "$w_cursor_wall" ]; then
        # The clock was set back: what lies before the cursor was handled when it came for the first time.
        w_not_due "$w_slot"
        return 0
    fi
    if [ -d "$jobs_state/claims/$jobs_name/$w_slot" ]; then
        w_not_due "$w_slot"
        return 0
    fi
    if [ "$w_wall" -eq "$w_cursor_wall" ] && [ "$w_trigger" != manual ]; then
        case $w_cursor_word in
            expired | once)
                w_not_due "$w_slot"
                return 0
                ;;
        esac
    fi
    k_slot_epoch "$w_wall"
    if [ "$k_instant" -lt "$w_since" ]; then
        w_not_due "$w_slot"
        return 0
    fi
    w_late=$((k_epoch - k_instant))
    [ "$w_late" -ge 0 ] || w_late=0
    if w_too_late && [ "$w_trigger" != manual ]; then
        w_expire
    fi
}

# Sets w_cursor, w_cursor_word, w_cursor_wall, w_cursor_missed, w_log_size, w_last; a cursor that cannot be read counts as none.
w_read_cursor() {
    w_cursor='' w_cursor_word='' w_cursor_wall=0 w_cursor_missed=0 w_log_size=0 w_last=''
    [ -f "$jobs_state/slots/$jobs_name" ] || return 0
    read -r w_cursor w_cursor_word w_cursor_wall w_cursor_missed w_log_size w_last <"$jobs_state/slots/$jobs_name" || :
    w_is_number "$w_cursor_wall" || w_cursor_wall=0
    w_is_number "$w_cursor_missed" || w_cursor_missed=0
    w_is_number "$w_log_size" || w_log_size=0
}

# w_is_number_in FILE: sets w_number to the number in the file's first line.
w_is_number_in() {
    w_number=''
    read -r w_number <"$1" || :
    w_is_number "$w_number"
}

# Whether the slot's time is over. A first look has until the deadline; a slot that was looked at before and skipped
# (guard, lock) or failed is made up within the window only.
w_too_late() {
    [ "$w_late" -le "$jobs_deadline" ] || return 0
    if [ "$w_wall" -ne "$w_cursor_wall" ] && [ "$w_trigger" != catchup ]; then
        return 1
    fi
    case $jobs_window in
        today) [ $((w_wall / 1440)) -ne $((k_wall / 1440)) ] ;;
        *) [ "$w_late" -gt "$jobs_window" ] ;;
    esac
}

# The slots between the cursor and this one that nobody ran get a line in the records, and the job is told their
# number. Called when the fate of this slot is known, under the job's lock if it runs.
w_count_missed() {
    [ -n "$w_slot" ] || return 0
    w_missed=$w_cursor_missed
    [ "$w_wall" -gt "$w_cursor_wall" ] || return 0
    w_from=$((w_cursor_wall + 1))
    if [ "$w_cursor_wall" -eq 0 ]; then
        # No cursor yet: from the install on, if there was one.
        w_from=$w_wall
        if [ "$w_since" -gt 0 ] && [ -f "$jobs_state/since/$jobs_name" ]; then
            w_from=$((w_since / 60 + k_zone + 1))
        fi
    fi
    # Two months are enough to know that a machine was off for long.
    [ "$w_from" -ge $((w_wall - 89280)) ] || w_from=$((w_wall - 89280))
    w_count=0 w_first='' w_newest='' w_back=$((w_wall - 1))
    while [ "$w_count" -lt 1000 ]; do
        k_newest "$w_back" "$w_from"
        [ -n "$k_slot" ] || break
        w_back=$((k_slot - 1))
        k_name "$k_slot"
        [ ! -d "$jobs_state/claims/$jobs_name/$k_id" ] || continue
        w_count=$((w_count + 1))
        w_first=$k_id
        [ -n "$w_newest" ] || w_newest=$k_id
    done
    if [ "$w_count" -gt 0 ]; then
        w_missed=$((w_missed + w_count))
        w_record missed not-fired ",\"slot\":\"$w_first\",\"to\":\"$w_newest\",\"count\":$w_count"
        w_say "missed $w_count slot(s), $w_first to $w_newest: nothing started the job then"
    fi
    case $w_cursor_word in
        guard | canary | lock | failed)
            if ! [ -d "$jobs_state/claims/$jobs_name/$w_cursor" ]; then
                w_missed=$((w_missed + 1))
                w_record missed superseded ",\"slot\":\"$w_cursor\",\"to\":\"$w_cursor\",\"count\":1"
            fi
            ;;
    esac
}

# w_move_cursor WORD: remember what became of the slot; w_missed goes with it until a run takes it.
w_move_cursor() {
    if [ -z "$w_slot" ]; then
        # A run without a slot leaves the slots' story as it is.
        set -- "${w_cursor_word:--}"
        w_missed=$w_cursor_missed
    fi
    printf '%s\n' "${w_slot:-${w_cursor:--}} $1 ${w_wall:-$w_cursor_wall} $w_missed $w_log_size ${w_last:--}" 2>/dev/null \
        >"$jobs_state/slots/$jobs_name" ||
        w_say 'cannot write the cursor'
}

# The slot's time is over: it becomes a record, once.
w_expire() {
    if [ "$w_wall" -ne "$w_cursor_wall" ] || [ "$w_cursor_word" != expired ]; then
        w_count_missed
        w_missed=$((w_missed + 1))
        w_record missed expired ",\"slot\":\"$w_slot\",\"to\":\"$w_slot\",\"count\":1"
        w_say "slot $w_slot dropped: $w_late s late"
        w_move_cursor expired
    fi
    exit 0
}

# w_not_due SLOT: nothing is due; SLOT is the newest one, or empty. Manual runs and events go on without a slot.
w_not_due() {
    w_slot='' w_wall=''
    [ "$w_trigger" != manual ] || return 0
    if [ -n "$jobs_event" ] && [ "$w_trigger" = schedule ]; then
        w_trigger=$jobs_event
        return 0
    fi
    w_record skip not-due ''
    # A plist that fires more often than the manifest asks (jobs_coarse) is no news.
    if [ -z "$jobs_coarse" ]; then
        w_say "nothing is due (newest slot: ${1:-none}); to run it now all the same: jobsctl run $jobs_name"
    fi
    exit 0
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
        w_count_missed
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

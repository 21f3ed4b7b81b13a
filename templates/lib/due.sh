# shellcheck shell=sh
# shellcheck disable=SC2154 # jobs_: the wrapper; k_, w_: clock.sh, slots.sh, wrapper.sh
# Which slot of a calendar job is due, and what became of those before it.

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
        if [ -d "$jobs_state/claims/$jobs_name/$k_id" ]; then
            w_was_begun "$k_id" || w_tell_cut_off "$k_id"
            continue
        fi
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

# Whether a claimed slot has the record of a start. Asked of claims that the cursor knows nothing of: their wrapper was
# killed, or it is at work. After a kill -9 between claim and record only the claim is left.
w_was_begun() {
    for w_file in "$jobs_state/runs/$jobs_name.jsonl" "$jobs_state/runs/$jobs_name.jsonl.1"; do
        if "$t_grep" -q "\"event\":\"start\".*\"slot\":\"$1\"" "$w_file" 2>/dev/null; then
            return 0
        fi
    done
    return 1
}

w_tell_cut_off() {
    w_missed=$((w_missed + 1))
    w_record missed cut-off ",\"slot\":\"$1\",\"to\":\"$1\",\"count\":1"
    w_say "missed slot $1: its wrapper was killed before it started the job"
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
    # A plist that fires more often than the manifest asks (jobs_coarse) is no news: 96 times a day with a zone of its own.
    # Whoever asked for a start (catch-up) gets his answer.
    if [ -z "$jobs_coarse" ] || [ "$w_trigger" != schedule ]; then
        w_record skip not-due ''
        w_say "nothing is due (newest slot: ${1:-none}); to run it now all the same: jobsctl run $jobs_name"
    fi
    exit 0
}

# shellcheck shell=sh
# shellcheck disable=SC2154 # jobs_: the wrapper; k_: clock.sh
# The slots of a schedule, found without a calendar program.
#
# A slot is due once the wall clock has reached it. In spring the clock jumps over some slots: they are due at the
# first instant after the gap, which the comparison gives by itself. In autumn it reads some times twice: the slot
# belongs to the first pass, so during the second pass the clock *has* reached times that it does not show now. Only
# there (k_reached) is `date` asked again.
#
# src/jobs/schedule/slots.py is the other writing of the same meaning, and tests/wrapper/test_clock.py compares them.

# k_civil DAYS: sets k_y, k_m, k_d.
k_civil() {
    k_z=$(($1 + 719468))
    k_era=$((k_z / 146097))
    k_z=$((k_z - k_era * 146097))
    k_y=$(((k_z - k_z / 1460 + k_z / 36524 - k_z / 146096) / 365))
    k_z=$((k_z - (365 * k_y + k_y / 4 - k_y / 100)))
    k_m=$(((5 * k_z + 2) / 153))
    k_d=$((k_z - (153 * k_m + 2) / 5 + 1))
    k_y=$((k_y + k_era * 400))
    if [ "$k_m" -lt 10 ]; then
        k_m=$((k_m + 3))
    else
        k_m=$((k_m - 9))
        k_y=$((k_y + 1))
    fi
}

# k_month_length YEAR MONTH: sets k_length.
k_month_length() {
    case $2 in
        4 | 6 | 9 | 11) k_length=30 ;;
        2)
            k_length=28
            if [ $(($1 % 4)) -eq 0 ] && { [ $(($1 % 100)) -ne 0 ] || [ $(($1 % 400)) -eq 0 ]; }; then
                k_length=29
            fi
            ;;
        *) k_length=31 ;;
    esac
}

# k_two NUMBER: sets k_text, at least two digits.
k_two() {
    k_text=$1
    [ "$1" -gt 9 ] || k_text=0$1
}

# k_name WALL: sets k_id, the slot's name: 20261201T0930.
k_name() {
    k_civil $(($1 / 1440))
    k_two "$k_m"
    k_id=$k_y$k_text
    k_two "$k_d"
    k_id=$k_id$k_text
    k_two $(($1 % 1440 / 60))
    k_id=${k_id}T$k_text
    k_two $(($1 % 60))
    k_id=$k_id$k_text
}

# k_newest LIMIT LOWEST: sets k_slot to the newest slot in [LOWEST, LIMIT] (wall minutes), or to nothing.
#
# jobs_slots holds the rules, separated by blanks: MINUTES;HOURS;DAYS;MONTHS;WEEKDAYS;MODE. Lists are descending and
# separated by commas, or "any"; day 0 is the last of the month, weekday 0 is Sunday; MODE both: day and weekday must
# match, either: one is enough.
k_newest() {
    k_slot=
    k_low=$2
    # shellcheck disable=SC2154 # jobs_slots is set by the wrapper
    for k_rule in $jobs_slots; do
        k_ifs=$IFS
        IFS=';'
        # shellcheck disable=SC2086 # six fields by design
        set -- "$1" $k_rule
        IFS=$k_ifs
        k_newest_of_rule "$@"
    done
}

# k_newest_of_rule LIMIT MINUTES HOURS DAYS MONTHS WEEKDAYS MODE: raises k_slot and k_low to what the rule has.
k_newest_of_rule() {
    k_at=$(($1 / 1440))
    k_left=$(($1 % 1440))
    k_civil "$k_at"
    k_month_length "$k_y" "$k_m"
    while [ $((k_at * 1440 + k_left)) -ge "$k_low" ]; do
        if ! k_has "$5" "$k_m"; then
            # Not this month: on to the last day of the one before.
            k_at=$((k_at - k_d))
            k_left=1439
            k_civil "$k_at"
            k_month_length "$k_y" "$k_m"
            continue
        fi
        if k_date_matches "$4" "$6" "$7" && k_time_before "$2" "$3"; then
            if [ $((k_at * 1440 + k_found)) -ge "$k_low" ]; then
                k_slot=$((k_at * 1440 + k_found))
                k_low=$((k_slot + 1))
            fi
            return 0
        fi
        k_at=$((k_at - 1))
        k_left=1439
        k_d=$((k_d - 1))
        if [ "$k_d" -eq 0 ]; then
            k_civil "$k_at"
            k_month_length "$k_y" "$k_m"
        fi
    done
}

# k_date_matches DAYS WEEKDAYS MODE: whether k_at (k_y, k_m, k_d) is a day of the rule.
k_date_matches() {
    if k_has "$1" "$k_d" || { [ "$k_d" -eq "$k_length" ] && case ,$1, in *,0,*) : ;; *) false ;; esac }; then
        [ "$3" = either ] || k_has "$2" $(((k_at + 4) % 7))
    else
        [ "$3" = either ] && k_has "$2" $(((k_at + 4) % 7))
    fi
}

# k_time_before MINUTES HOURS: sets k_found to the rule's latest minute of the day that is not after k_left; 1: none.
k_time_before() {
    k_hour=$((k_left / 60))
    k_minute=$((k_left % 60))
    if [ "$2" = any ]; then
        if k_minute_before "$1" "$k_minute"; then
            k_found=$((k_hour * 60 + k_found))
            return 0
        fi
        [ "$k_hour" -gt 0 ] || return 1
        k_minute_before "$1" 59
        k_found=$((k_hour * 60 - 60 + k_found))
        return 0
    fi
    k_ifs=$IFS
    IFS=,
    # shellcheck disable=SC2086 # a list by design
    set -- "$1" $2
    IFS=$k_ifs
    k_list=$1
    shift
    for k_h in "$@"; do
        [ "$k_h" -le "$k_hour" ] || continue
        k_last=59
        [ "$k_h" -lt "$k_hour" ] || k_last=$k_minute
        if k_minute_before "$k_list" "$k_last"; then
            k_found=$((k_h * 60 + k_found))
            return 0
        fi
    done
    return 1
}

# k_minute_before MINUTES LAST: sets k_found to the latest minute of the list that is not after LAST; 1: none.
k_minute_before() {
    if [ "$1" = any ]; then
        k_found=$2
        return 0
    fi
    k_ifs=$IFS
    IFS=,
    # shellcheck disable=SC2086 # a list by design
    set -- "$2" $1
    IFS=$k_ifs
    k_found=$1
    shift
    for k_m2 in "$@"; do
        if [ "$k_m2" -le "$k_found" ]; then
            k_found=$k_m2
            return 0
        fi
    done
    return 1
}

# k_reached NEWEST_HANDLED: sets k_limit, the latest wall minute that the clock has reached, 30 s from now included
# (a timer may fire a moment early). Beyond the minute that it shows now only in the second pass of an autumn hour:
# looked into only at night, and only when it could matter, when some slot that is not handled yet lies within the
# three hours ahead.
k_reached() {
    k_limit=$((k_wall + (k_second + 30) / 60))
    k_night || return 0
    if [ "$k_limit" -gt "$k_wall" ]; then
        # The half minute ahead may hold the change itself: the clock jumps over some slots, or goes back before this one.
        k_offset_at $((k_epoch + 30))
        if [ "$k_minutes" -gt "$k_zone" ]; then
            k_limit=$((k_limit + k_minutes - k_zone))
        elif [ "$k_minutes" -lt "$k_zone" ]; then
            k_limit=$k_wall
        fi
    fi
    k_newest $((k_limit + 180)) $((k_limit + 1))
    if [ -z "$k_slot" ] || [ "$k_slot" -le "${1:-0}" ]; then
        return 0
    fi
    k_offset_at $((k_epoch - 10800))
    if [ "$k_minutes" -le "$k_zone" ]; then
        return 0
    fi
    k_before=$k_minutes
    k_change $((k_epoch - 10800)) "$k_epoch" "$k_before"
    k_last=$((k_instant / 60 + k_before - 1))
    if [ "$k_last" -gt "$k_limit" ]; then
        k_limit=$k_last
    fi
}

# k_night: whether the clock may be near a change: all zones of today change between 22:00 and 04:00.
k_night() {
    k_hour=$((k_wall % 1440 / 60))
    [ "$k_hour" -lt 4 ] || [ "$k_hour" -ge 22 ]
}

# k_change FROM TO OFFSET: sets k_instant to the first instant in (FROM, TO] at which the offset is no longer OFFSET.
k_change() {
    k_from=$1
    k_instant=$2
    while [ $((k_instant - k_from)) -gt 1 ]; do
        k_middle=$((k_from + (k_instant - k_from) / 2)) # the sum of two instants needs 33 bits
        k_offset_at "$k_middle"
        if [ "$k_minutes" -eq "$3" ]; then
            k_from=$k_middle
        else
            k_instant=$k_middle
        fi
    done
}

# k_slot_epoch WALL: sets k_instant, the instant of a slot. By day and on time (within a minute of now) the present
# offset is right; else the offsets on both sides of the slot are looked up.
k_slot_epoch() {
    k_instant=$((($1 - k_zone) * 60))
    k_late=$((k_epoch - k_instant))
    if [ "$k_late" -lt 60 ] && [ "$k_late" -gt -60 ] && ! k_night; then
        return 0
    fi
    k_offset_at $((k_instant - 10800))
    k_before=$k_minutes
    k_offset_at $((k_instant + 10800))
    k_after=$k_minutes
    k_instant=$((($1 - k_before) * 60))
    [ "$k_before" -ne "$k_after" ] || return 0
    # A clock change is near. The first pass is the one with the older offset, if the clock shows the slot there.
    k_offset_at "$k_instant"
    [ "$k_minutes" -ne "$k_before" ] || return 0
    if [ "$k_before" -gt "$k_after" ]; then
        k_instant=$((($1 - k_after) * 60))
        return 0
    fi
    k_instant=$((($1 - k_after) * 60))
    k_offset_at "$k_instant"
    [ "$k_minutes" -ne "$k_after" ] || return 0
    # The clock never shows it: the slot is due when the gap ends.
    k_change "$k_instant" $((($1 - k_before) * 60)) "$k_before"
}

# k_period PER WALL: sets k_id to the name of the hour, day, ISO week or month that holds a wall minute.
k_period() {
    k_name "$2"
    case $1 in
        hour) k_id=hour-${k_id%??} ;;
        day) k_id=day-${k_id%T*} ;;
        month)
            k_id=${k_id%T*}
            k_id=month-${k_id%??}
            ;;
        week)
            # ISO 8601: a week belongs to the year of its Thursday.
            k_at=$(($2 / 1440))
            k_at=$((k_at - (k_at + 3) % 7 + 3))
            k_civil "$k_at"
            k_day_number "$k_y" 1 1
            k_two $(((k_at - k_day) / 7 + 1))
            k_id=week-${k_y}W$k_text
            ;;
    esac
}

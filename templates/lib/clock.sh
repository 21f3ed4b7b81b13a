# shellcheck shell=sh
# The present, and the zone: what is asked of `date`, once a run.
#
# Everything else is arithmetic on wall minutes: minutes since 1970-01-01T00:00 on the wall clock, as if there were no
# zones. They fit into 32 bits, which is all that some shells have.
#
# Functions leave their results in variables (k_...): a command substitution would cost a process each.

# k_now: the present, from one call of date. Sets k_epoch, k_zone (offset, minutes), k_second, k_wall (wall minute),
# k_stamp (ISO 8601). JOBS_NOW, an epoch, stands in for the clock in tests and simulations.
k_now() {
    k_fields='%s %Y %m %d %H %M %S %z'
    if [ -n "${JOBS_NOW-}" ]; then
        k_ask_at "$JOBS_NOW" "$k_fields"
    else
        k_ask "+$k_fields"
    fi
    # shellcheck disable=SC2086 # eight words by design
    k_take $k_answer
}

# k_take EIGHT WORDS ...: the present from what date said; 1: that was no answer.
k_take() {
    [ $# -ge 8 ] || return 1
    case $8 in [+-][0-9][0-9][0-9][0-9]) ;; *) return 1 ;; esac
    k_epoch=$1
    k_second=$((1$7 - 100))
    k_offset "$8"
    k_zone=$k_minutes
    k_day_number "$2" $((1$3 - 100)) $((1$4 - 100))
    k_wall=$((k_day * 1440 + (1$5 - 100) * 60 + 1$6 - 100))
    k_stamp=$2-$3-$4T$5:$6:$7$8
}

# k_ask ARGUMENTS: sets k_answer to what date says, in the job's zone.
# shellcheck disable=SC2154 # jobs_zone: the wrapper; t_date: tools.sh
k_ask() {
    if [ -n "$jobs_zone" ]; then
        k_answer=$(TZ=$jobs_zone "$t_date" "$@")
    else
        k_answer=$("$t_date" "$@")
    fi
}

# k_ask_at EPOCH FORMAT: the same of an instant. BSD takes -r SECONDS, GNU and busybox -d @SECONDS.
k_ask_at() {
    if [ "${k_date_form-r}" = r ]; then
        if k_ask -r "$1" "+$2" 2>/dev/null; then
            return 0
        fi
        k_date_form=d
    fi
    k_ask -d "@$1" "+$2"
}

# k_offset +HHMM: sets k_minutes.
k_offset() {
    k_minutes=${1#?}
    k_minutes=$(((1${k_minutes%??} - 100) * 60 + 1${k_minutes#??} - 100))
    case $1 in -*) k_minutes=$((-k_minutes)) ;; esac
}

# k_offset_at EPOCH: sets k_minutes, the zone's offset at an instant. One or two processes; asked only when a slot is
# late, or at night when a clock change may be near.
k_offset_at() {
    k_ask_at "$1" %z
    k_offset "$k_answer"
}

# k_day_number YEAR MONTH DAY: sets k_day, days since 1970-01-01 (proleptic Gregorian).
k_day_number() {
    k_year=$1
    k_day=$(((153 * (($2 + 9) % 12) + 2) / 5 + $3 - 1))
    [ "$2" -gt 2 ] || k_year=$((k_year - 1))
    k_day=$((k_year * 365 + k_year / 4 - k_year / 100 + k_year / 400 + k_day - 719468))
}

# k_has LIST VALUE: whether a comma-separated list holds a value; "any" holds all.
k_has() {
    case ,$1, in
        ,any, | *,"$2",*) return 0 ;;
    esac
    return 1
}

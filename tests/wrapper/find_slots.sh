# Reads lines EPOCH SECOND OFFSET WALL RULES and prints the newest due slot and its instant for each, as w_find_slot finds
# them: SLOT EPOCH, or - when the schedule has none in the last 400 days. $1 is the library's folder, $2 the table of
# the zone's changes: lines FROM OFFSET, oldest first.
set -u
. "$1/tools.sh"
. "$1/clock.sh"
. "$1/slots.sh"
jobs_zone=''
changes=$2

# Instead of a call of date: the offset at an instant, from the table.
k_offset_at() {
    k_minutes=0
    for k_row in $changes; do
        [ "${k_row%:*}" -le "$1" ] || break
        k_minutes=${k_row#*:}
    done
}

while read -r k_epoch k_second k_zone k_wall jobs_slots; do
    k_reached 0
    k_newest "$k_limit" $((k_limit - 576000))
    if [ -z "$k_slot" ]; then
        echo -
        continue
    fi
    k_found_slot=$k_slot
    k_slot_epoch "$k_slot"
    k_name "$k_found_slot"
    echo "$k_id $k_instant"
done

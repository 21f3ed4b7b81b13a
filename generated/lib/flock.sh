# shellcheck shell=sh
# lock.method = "flock": the kernel's own lock, freed by the kernel when its holder ends, however it ends.
#
# Linux has flock(1), which locks an open descriptor: 9, kept from the job's children. macOS has no such program, but
# every Mac has zsh, whose `zsystem flock` takes a record lock. That one belongs to the process, so zsh takes it and
# becomes this wrapper again by exec: JOBS_LOCK_FD tells the second coming that it holds the lock, or that it is busy.
#
# The kernel knows nothing of the job's process group. The file holds the ID of its last holder, so that a wrapper
# that was killed while its job lives on is seen here, too.

# shellcheck disable=SC2154 # jobs_, k_, l_: the wrapper, clock.sh, lock.sh
f_take() {
    f_file=$jobs_state/lock/$jobs_lock.flock
    l_holder='' f_id=''
    true >>"$f_file" || w_refuse "cannot open the lock's file $f_file"
    if [ -x "$t_flock" ]; then
        # Some shells close what `exec` opened when they start a program: hence 9>&9.
        exec 9>>"$f_file"
        if [ "$jobs_lock_wait" -gt 0 ]; then
            "$t_flock" -w "$jobs_lock_wait" 9 9>&9 || f_busy || return 1
        else
            "$t_flock" -n 9 9>&9 || f_busy || return 1
        fi
    elif [ -n "${JOBS_LOCK_FD-}" ]; then
        [ "$JOBS_LOCK_FD" != busy ] || f_busy || return 1
    elif [ -x "$t_zsh" ]; then
        r_drop_canaries
        JOBS_TRIGGER=$w_trigger
        export JOBS_TRIGGER
        # shellcheck disable=SC2016 # expanded by zsh
        exec "$t_zsh" -f -c 'zmodload zsh/system
            if zsystem flock -e -t "$1" -f fd "$2"; then JOBS_LOCK_FD=$fd; else JOBS_LOCK_FD=busy; fi
            export JOBS_LOCK_FD; exec "$3"' zsh "$jobs_lock_wait" "$f_file" "$jobs_self"
    else
        w_refuse 'this machine has no kernel lock for scripts (flock, zsh): use lock.method = "mkdir"'
    fi
    # The last holder's group, if its wrapper was killed.
    f_read_holder
    if [ -n "$f_id" ] && [ "${f_id%%.*}" != $$ ] && l_lives "$f_id"; then
        l_holder=$f_id
        return 1
    fi
    l_ticks_of $$
    printf '%s\n' "$$.$k_epoch.$l_ticks.$jobs_name" >"$jobs_state/lock/$jobs_lock.holder"
}

# The kernel frees the lock while this process ends, a moment before it looks dead: so the file forgets it first.
f_give_back() {
    true >"$jobs_state/lock/$jobs_lock.holder"
}

f_busy() {
    f_read_holder
    l_holder=${f_id:-unknown}
    return 1
}

f_read_holder() {
    f_id=''
    [ ! -r "$jobs_state/lock/$jobs_lock.holder" ] || read -r f_id <"$jobs_state/lock/$jobs_lock.holder" || :
}

# In children of the wrapper: they must not keep the lock.
f_close() {
    exec 9>&-
}

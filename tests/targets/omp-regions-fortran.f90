! SPDX-License-Identifier: Apache-2.0
! The same as omp-regions.c by Fortran: regions whose imbalance and waits are known.
! Prints a line for each of them, with times in us.
!
! build: -O1 -g -fopenmp -fno-optimize-sibling-calls
module measured
    use iso_c_binding
    use omp_lib
    implicit none
    integer, parameter :: team = 3, rounds = 4, wait_end = 1, wait_critical = 3, &
                          wait_task = 5
    real(8) :: total(5) = 0, work = 0, elapsed = 0, imbalance = 0, save = 0
    real(8) :: serial = 0, last_end = -1, tasks_work = 0
    real(8) :: part_begin(team), part_end(team), waits(5, team), tasks(team), &
               tasks_before(team)
    integer :: count = 0, ntasks = 0
    interface
        function c_usleep(us) bind(c, name="usleep") result(e)
            import :: c_int
            integer(c_int), value :: us
            integer(c_int) :: e
        end function
    end interface
contains
    subroutine nap(ms)
        integer, intent(in) :: ms
        integer(c_int) :: e
        e = c_usleep(int(ms * 1000, c_int))
    end subroutine

    integer function me()
        me = omp_get_thread_num() + 1
    end function

    subroutine begin(since)
        real(8), intent(out) :: since
        waits = 0
        tasks = 0
        since = omp_get_wtime()
        if (last_end > 0) serial = serial + since - last_end
    end subroutine

    subroutine leave_part
        tasks_before(me()) = tasks(me())
        part_end(me()) = omp_get_wtime()
    end subroutine

    subroutine finish(since)
        real(8), intent(in) :: since
        real(8) :: till, own(team)
        integer :: i
        till = omp_get_wtime()
        last_end = till
        elapsed = elapsed + till - since
        count = count + 1
        do i = 1, team
            own(i) = part_end(i) - part_begin(i) - sum(waits(:, i)) &
                     + tasks(i) - tasks_before(i)
            waits(wait_end, i) = till - part_end(i) - (tasks(i) - tasks_before(i))
            total = total + waits(:, i)
        end do
        work = work + sum(own)
        imbalance = imbalance + team * maxval(own) - sum(own)
        save = save + maxval(own) - sum(own) / team
    end subroutine

    subroutine tell(name)
        character(*), intent(in) :: name
        print '(a,i2,i2,10(1x,i0))', name // ' ', count, team, us(elapsed), us(work), &
            us(total(1)), us(total(2)), us(total(3)), us(total(4)), us(total(5)), &
            us(imbalance), us(save)
        total = 0
        work = 0
        elapsed = 0
        imbalance = 0
        save = 0
        count = 0
    end subroutine

    integer(8) function us(seconds)
        real(8), intent(in) :: seconds
        us = nint(seconds * 1e6, 8)
    end function
end module

subroutine region_skewed
    use measured
    real(8) :: since
    call begin(since)
    !$omp parallel
    part_begin(me()) = omp_get_wtime()
    call nap(10 * me())
    call leave_part
    !$omp end parallel
    call finish(since)
end subroutine

subroutine region_critical
    use measured
    real(8) :: since, asked
    call begin(since)
    !$omp parallel private(asked)
    part_begin(me()) = omp_get_wtime()
    asked = omp_get_wtime()
    !$omp critical(turns)
    waits(wait_critical, me()) = omp_get_wtime() - asked
    call nap(10)
    !$omp end critical(turns)
    call leave_part
    !$omp end parallel
    call finish(since)
end subroutine

subroutine region_lock
    use measured
    real(8) :: since, asked
    integer(omp_lock_kind) :: lock
    call omp_init_lock(lock)
    call begin(since)
    !$omp parallel private(asked)
    part_begin(me()) = omp_get_wtime()
    asked = omp_get_wtime()
    call omp_set_lock(lock)
    waits(wait_critical, me()) = omp_get_wtime() - asked
    call nap(10)
    call omp_unset_lock(lock)
    call leave_part
    !$omp end parallel
    call finish(since)
    call omp_destroy_lock(lock)
end subroutine

subroutine work_on_task
    use measured
    real(8) :: took
    took = omp_get_wtime()
    call nap(10)
    took = omp_get_wtime() - took
    tasks(me()) = tasks(me()) + took
    !$omp critical(adding)
    tasks_work = tasks_work + took
    ntasks = ntasks + 1
    !$omp end critical(adding)
end subroutine

subroutine region_tasks
    use measured
    real(8) :: since, asked, before
    integer :: i
    call begin(since)
    !$omp parallel private(asked, before, i)
    part_begin(me()) = omp_get_wtime()
    !$omp single
    do i = 1, 10
        !$omp task
        call work_on_task
        !$omp end task
    end do
    before = tasks(me())
    asked = omp_get_wtime()
    !$omp taskwait
    waits(wait_task, me()) = omp_get_wtime() - asked - (tasks(me()) - before)
    call nap(10)
    !$omp end single nowait
    call leave_part
    !$omp end parallel
    call finish(since)
end subroutine

program regions
    use measured
    integer :: i
    call omp_set_dynamic(.false.)
    call omp_set_num_threads(team)
    do i = 1, rounds
        call nap(5)
        call region_skewed
    end do
    call tell('skewed')
    do i = 1, rounds
        call nap(5)
        call region_critical
    end do
    call tell('critical')
    do i = 1, rounds
        call nap(5)
        call region_lock
    end do
    call tell('lock')
    do i = 1, rounds
        call nap(5)
        call region_tasks
    end do
    call tell('tasks')
    print '(a,i0,1x,i0)', 'tasks ', ntasks, us(tasks_work)
    print '(a,i0)', 'serial ', us(serial)
end program

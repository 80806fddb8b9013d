! SPDX-License-Identifier: Apache-2.0
! OpenMP by Fortran: each construct in a subroutine run_NAME, whose threads or tasks
! call mark_NAME, which allocates a block. Prints "NAME CALLS"; stops with 1 when a
! result is wrong.
!
! build: -O1 -g -fopenmp -fno-optimize-sibling-calls -fno-inline
module marks
    use iso_c_binding
    implicit none
    integer :: calls(4) = 0
    logical :: wrong = .false.
    interface
        function c_malloc(bytes) bind(c, name="malloc") result(p)
            import :: c_ptr, c_size_t
            integer(c_size_t), value :: bytes
            type(c_ptr) :: p
        end function
        subroutine c_free(p) bind(c, name="free")
            import :: c_ptr
            type(c_ptr), value :: p
        end subroutine
    end interface
contains
    subroutine touch(i)
        integer, intent(in) :: i
        !$omp atomic
        calls(i) = calls(i) + 1
    end subroutine
end module

subroutine mark_region
    use marks
    type(c_ptr) :: p
    p = c_malloc(100_c_size_t)
    call c_free(p)
    call touch(1)
end subroutine

subroutine mark_loop
    use marks
    type(c_ptr) :: p
    p = c_malloc(100_c_size_t)
    call c_free(p)
    call touch(2)
end subroutine

subroutine mark_task
    use marks
    type(c_ptr) :: p
    p = c_malloc(100_c_size_t)
    call c_free(p)
    call touch(3)
end subroutine

subroutine mark_workshare
    use marks
    type(c_ptr) :: p
    p = c_malloc(100_c_size_t)
    call c_free(p)
    call touch(4)
end subroutine

subroutine run_region
    !$omp parallel num_threads(3)
    call mark_region
    !$omp end parallel
end subroutine

subroutine run_loop(total)
    integer, intent(out) :: total
    integer :: i
    total = 0
    !$omp parallel do num_threads(3) schedule(dynamic, 2) reduction(+:total)
    do i = 1, 20
        total = total + i
        call mark_loop
    end do
    !$omp end parallel do
end subroutine

subroutine run_task(total)
    integer, intent(out) :: total
    integer :: i
    total = 0
    !$omp parallel num_threads(3)
    !$omp single
    do i = 1, 10
        !$omp task firstprivate(i) shared(total)
        call mark_task
        !$omp critical
        total = total + i
        !$omp end critical
        !$omp end task
    end do
    !$omp taskwait
    !$omp end single
    !$omp end parallel
end subroutine

subroutine run_workshare(values)
    real, intent(inout) :: values(100)
    !$omp parallel num_threads(3)
    !$omp workshare
    values = values * 2
    !$omp end workshare
    call mark_workshare
    !$omp end parallel
end subroutine

program fortran
    use marks
    implicit none
    integer :: total
    real :: values(100)
    call run_region
    call run_loop(total)
    wrong = wrong .or. total /= 210
    call run_task(total)
    wrong = wrong .or. total /= 55
    values = 1.5
    call run_workshare(values)
    wrong = wrong .or. any(values /= 3.0)
    print '(a,i0)', 'region ', calls(1)
    print '(a,i0)', 'loop ', calls(2)
    print '(a,i0)', 'task ', calls(3)
    print '(a,i0)', 'workshare ', calls(4)
    if (wrong) stop 1
end program

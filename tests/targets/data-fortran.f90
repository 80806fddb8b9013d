! SPDX-License-Identifier: Apache-2.0
! build: -O1 -g -fno-inline
!
! Writes known numbers of pages of a module's array, a common block, a saved array and
! an allocated one; prints PAGES NAME for each.
module store
    integer(1) :: held(40 * 4096)
end module

subroutine write_to(data, pages)
    integer, intent(in) :: pages
    integer(1), intent(inout) :: data(pages * 4096)
    integer :: i
    do i = 0, pages - 1
        data(1 + i * 4096) = 1_1
    end do
end subroutine

program main
    use store
    implicit none
    integer(1) :: shared(30 * 4096)
    common /block/ shared
    integer(1), save :: kept(20 * 4096)
    integer(1), allocatable :: made(:)

    call write_to(held, 40)
    call write_to(shared, 30)
    call write_to(kept, 20)
    allocate (made(50 * 4096))
    call write_to(made, 50)
    print '(a)', '40 held', '30 shared', '20 kept', '50 made'
    if (sum(int(made(1::4096))) /= 50) stop 1
    deallocate (made)
end program

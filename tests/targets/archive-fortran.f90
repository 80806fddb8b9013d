! SPDX-License-Identifier: Apache-2.0
! build: -O2 -g
module shapes
contains
    pure real function square(x)
        real, intent(in) :: x
        square = x * x
    end function
end module

program main
    use shapes
    real :: total
    integer :: i
    total = 0
    do i = 1, 100
        total = total + square(real(i)) + root(i)
    end do
    print *, total > 0
contains
    real function root(k)
        integer, intent(in) :: k
        root = sqrt(real(k))
    end function
end program

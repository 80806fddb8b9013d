! SPDX-License-Identifier: Apache-2.0
! A ring in Fortran, with the module that has types of its own, and with plain integers.
! build: name=mpich cc=mpif90.mpich -g -cpp -ffree-line-length-none
! build: name=openmpi cc=mpif90.openmpi -g -cpp -ffree-line-length-none
! build: name=mpich-old cc=mpif90.mpich -g -cpp -ffree-line-length-none -DOLD
! build: name=openmpi-old cc=mpif90.openmpi -g -cpp -ffree-line-length-none -DOLD
#ifdef OLD
#define MODULE mpi
#define AND_ERR , ierr
#define ERR_ALONE (ierr)
#define STATUS(x) integer :: x(MPI_STATUS_SIZE)
#else
#define MODULE mpi_f08
#define AND_ERR
#define ERR_ALONE ()
#define STATUS(x) type(MPI_Status) :: x
#endif
program ring
  use MODULE
  implicit none
  integer :: r, n, i, left, right, ierr
  integer :: v(100), w(100)
  character(len=16) :: name
  STATUS(st)
  ierr = 0
  call MPI_Init ERR_ALONE
  call MPI_Comm_rank(MPI_COMM_WORLD, r AND_ERR)
  call MPI_Comm_size(MPI_COMM_WORLD, n AND_ERR)
  v = r
  left = mod(r + n - 1, n)
  right = mod(r + 1, n)
  do i = 1, 3
    if (mod(r, 2) == 0) then
      call MPI_Send(v, 5 + r, MPI_INTEGER, right, 7, MPI_COMM_WORLD AND_ERR)
      call MPI_Recv(w, 100, MPI_INTEGER, left, 7, MPI_COMM_WORLD, st AND_ERR)
    else
      call MPI_Recv(w, 100, MPI_INTEGER, left, 7, MPI_COMM_WORLD, &
        MPI_STATUS_IGNORE AND_ERR)
      call MPI_Send(v, 5 + r, MPI_INTEGER, right, 7, MPI_COMM_WORLD AND_ERR)
    end if
  end do
  call MPI_Allreduce(v, w, 10, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD AND_ERR)
  call MPI_Bcast(v, 10, MPI_INTEGER, 0, MPI_COMM_WORLD AND_ERR)
  call MPI_Finalize ERR_ALONE
  write (name, '(a, i0)') 'truth.', r
  open (unit=10, file=trim(name))
  write (10, '(a)') 'call MPI_Init 1 0 0', 'call MPI_Comm_rank 1 0 0', &
    'call MPI_Comm_size 1 0 0', 'call MPI_Finalize 1 0 0', 'call MPI_Allreduce 1 40 40'
  write (10, '(a, i0, a)') 'call MPI_Send 3 ', 3 * 4 * (5 + r), ' 0'
  write (10, '(a, i0)') 'call MPI_Recv 3 0 ', 3 * 4 * (5 + left)
  write (10, '(a, i0, a, i0)') 'call MPI_Bcast 1 ', merge(40, 0, r == 0), ' ', &
    merge(0, 40, r == 0)
  write (10, '(a, i0, a, i0)') 'to ', right, ' 3 ', 3 * 4 * (5 + r)
  write (10, '(a, i0, a, i0)') 'from ', left, ' 3 ', 3 * 4 * (5 + left)
  close (10)
end program

! SPDX-License-Identifier: Apache-2.0
! Regions of libcollector.h for Fortran: compile this file with the program. There is
! nothing to link; without a collector the calls do nothing.
!
!   use libcollector
!   call collector_region_begin('solve')
!   call collector_region_next('write')
!   call collector_region_end()
module libcollector
   use, intrinsic :: iso_c_binding
   implicit none
   private
   public :: collector_region_begin, collector_region_next, collector_region_end
   public :: collector_region_number, collector_region_text
   public :: collector_pause, collector_resume

   abstract interface
      subroutine with_name(name) bind(c)
         import :: c_char
         character(kind=c_char), intent(in) :: name(*)
      end subroutine
      subroutine with_number(number) bind(c)
         import :: c_long_long
         integer(c_long_long), value :: number
      end subroutine
      subroutine with_nothing() bind(c)
      end subroutine
   end interface

   interface
      type(c_funptr) function dlsym(handle, name) bind(c, name='dlsym')
         import :: c_funptr, c_ptr, c_char
         type(c_ptr), value :: handle
         character(kind=c_char), intent(in) :: name(*)
      end function
   end interface

   ! Set by the first call, the same by every thread.
   procedure(with_name), pointer, save :: p_begin => null(), p_next => null()
   procedure(with_name), pointer, save :: p_text => null()
   procedure(with_number), pointer, save :: p_number => null()
   procedure(with_nothing), pointer, save :: p_end => null(), p_pause => null()
   procedure(with_nothing), pointer, save :: p_resume => null()
   logical, save, volatile :: found = .false.

contains

   type(c_funptr) function look_up(name)
      character(*), intent(in) :: name
      look_up = dlsym(c_null_ptr, name // c_null_char)
   end function

   subroutine find_all()
      type(c_funptr) :: f
      f = look_up('collector_region_begin')
      if (c_associated(f)) then
         call c_f_procpointer(f, p_begin)
         call c_f_procpointer(look_up('collector_region_next'), p_next)
         call c_f_procpointer(look_up('collector_region_end'), p_end)
         call c_f_procpointer(look_up('collector_region_text'), p_text)
         call c_f_procpointer(look_up('collector_region_number'), p_number)
         call c_f_procpointer(look_up('collector_pause'), p_pause)
         call c_f_procpointer(look_up('collector_resume'), p_resume)
      end if
      found = .true.
   end subroutine

   subroutine collector_region_begin(name)
      character(*), intent(in) :: name
      if (.not. found) call find_all()
      if (associated(p_begin)) call p_begin(trim(name) // c_null_char)
   end subroutine

   subroutine collector_region_next(name)
      character(*), intent(in) :: name
      if (.not. found) call find_all()
      if (associated(p_next)) call p_next(trim(name) // c_null_char)
   end subroutine

   subroutine collector_region_end()
      if (.not. found) call find_all()
      if (associated(p_end)) call p_end()
   end subroutine

   subroutine collector_region_number(number)
      integer, intent(in) :: number
      if (.not. found) call find_all()
      if (associated(p_number)) call p_number(int(number, c_long_long))
   end subroutine

   subroutine collector_region_text(text)
      character(*), intent(in) :: text
      if (.not. found) call find_all()
      if (associated(p_text)) call p_text(trim(text) // c_null_char)
   end subroutine

   subroutine collector_pause()
      if (.not. found) call find_all()
      if (associated(p_pause)) call p_pause()
   end subroutine

   subroutine collector_resume()
      if (.not. found) call find_all()
      if (associated(p_resume)) call p_resume()
   end subroutine
end module

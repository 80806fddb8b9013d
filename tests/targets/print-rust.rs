// SPDX-License-Identifier: Apache-2.0
// Nearly all of its time is in print_rust::lab::fib. Its linker does not start the text
// segment at a page boundary.
mod lab {
    #[inline(never)]
    pub fn fib(n: u32) -> u64 {
        if n < 2 {
            n as u64
        } else {
            fib(n - 1) + fib(n - 2)
        }
    }
}

fn main() {
    let mut sum = 0u64;
    for i in 0..60 {
        sum += lab::fib(32 + (i & 1));
    }
    println!("{}", sum);
}

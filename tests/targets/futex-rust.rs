// SPDX-License-Identifier: Apache-2.0
// Rust's Mutex and Condvar, which wait by futex(). Prints for how long: ns.
// build: -C opt-level=1 -g
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

static LOCK: Mutex<u64> = Mutex::new(0);
static READY: Mutex<bool> = Mutex::new(false);
static CHANGED: Condvar = Condvar::new();

#[inline(never)]
fn hold(rest: Duration) -> u64 {
    let mut value = LOCK.lock().unwrap();
    let mut ready = READY.lock().unwrap();
    *ready = true;
    CHANGED.notify_all();
    drop(ready);
    thread::sleep(rest);
    *value += 1;
    drop(value);
    std::hint::black_box(1)
}

#[inline(never)]
fn want() -> u128 {
    let since = Instant::now();
    *LOCK.lock().unwrap() += 1;
    since.elapsed().as_nanos()
}

fn main() {
    let rest = Duration::from_millis(150);
    let holder = thread::spawn(move || {
        thread::sleep(rest);
        hold(rest);
    });
    let since = Instant::now();
    let mut ready = READY.lock().unwrap();
    while !*ready {
        ready = CHANGED.wait(ready).unwrap();
    }
    drop(ready);
    println!("CHANGED {}", since.elapsed().as_nanos());
    println!("LOCK {}", want());
    holder.join().unwrap();
}

// SPDX-License-Identifier: Apache-2.0
//! Regions of libcollector.h for Rust: `mod libcollector;`. There is nothing to link;
//! without a collector the calls do nothing.
//!
//!     let _region = libcollector::Region::new(c"solve");
#![allow(dead_code)]

use std::ffi::{c_char, c_longlong, c_ulonglong, c_void, CStr};
use std::sync::OnceLock;

extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

struct Calls {
    begin: extern "C" fn(*const c_char),
    next: extern "C" fn(*const c_char),
    end: extern "C" fn(),
    number: extern "C" fn(c_longlong),
    text: extern "C" fn(*const c_char),
    interval_begin: extern "C" fn(*const c_char) -> c_ulonglong,
    interval_end: extern "C" fn(c_ulonglong),
}

fn find(name: &'static [u8]) -> *mut c_void {
    // SAFETY: the name ends with a zero; the null handle searches all objects.
    unsafe { dlsym(std::ptr::null_mut(), name.as_ptr() as *const c_char) }
}

fn calls() -> Option<&'static Calls> {
    static CALLS: OnceLock<Option<Calls>> = OnceLock::new();
    CALLS
        .get_or_init(|| {
            if find(b"collector_region_begin\0").is_null() {
                return None;
            }
            // SAFETY: these are the types that libcollector.h has.
            unsafe {
                use std::mem::transmute;
                Some(Calls {
                    begin: transmute(find(b"collector_region_begin\0")),
                    next: transmute(find(b"collector_region_next\0")),
                    end: transmute(find(b"collector_region_end\0")),
                    number: transmute(find(b"collector_region_number\0")),
                    text: transmute(find(b"collector_region_text\0")),
                    interval_begin: transmute(find(b"collector_interval_begin\0")),
                    interval_end: transmute(find(b"collector_interval_end\0")),
                })
            }
        })
        .as_ref()
}

/// A region that ends with its scope.
pub struct Region {
    _not_send: std::marker::PhantomData<*const ()>,
}

impl Region {
    pub fn new(name: &CStr) -> Region {
        if let Some(calls) = calls() {
            (calls.begin)(name.as_ptr());
        }
        Region { _not_send: std::marker::PhantomData }
    }

    /// End this region, and begin another one in its place.
    pub fn next(&self, name: &CStr) {
        if let Some(calls) = calls() {
            (calls.next)(name.as_ptr());
        }
    }

    pub fn number(&self, number: i64) {
        if let Some(calls) = calls() {
            (calls.number)(number);
        }
    }

    pub fn text(&self, text: &CStr) {
        if let Some(calls) = calls() {
            (calls.text)(text.as_ptr());
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        if let Some(calls) = calls() {
            (calls.end)();
        }
    }
}

/// It nests in nothing, and any thread may end it, by dropping it.
pub struct Interval(u64);

impl Interval {
    pub fn new(name: &CStr) -> Interval {
        Interval(calls().map_or(0, |calls| (calls.interval_begin)(name.as_ptr())))
    }
}

impl Drop for Interval {
    fn drop(&mut self) {
        if let Some(calls) = calls() {
            (calls.interval_end)(self.0);
        }
    }
}

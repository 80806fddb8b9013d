// SPDX-License-Identifier: Apache-2.0
// build: -C opt-level=2 -g
use std::collections::HashMap;

#[inline(always)]
fn mix(x: u64) -> u64 {
    x.wrapping_mul(31).rotate_left(7)
}

struct Pile {
    values: Vec<u64>,
}

impl Pile {
    fn total(&self) -> u64 {
        self.values.iter().map(|x| mix(*x)).filter(|x| x % 3 != 0).sum()
    }
}

fn main() {
    let mut m: HashMap<String, u64> = HashMap::new();
    for i in 0..1000u64 {
        *m.entry(format!("k{}", i % 17)).or_insert(0) += mix(i);
    }
    let p = Pile { values: m.values().cloned().collect() };
    println!("{}", p.total() > 0);
}

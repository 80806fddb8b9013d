# SPDX-License-Identifier: Apache-2.0
"""A report over a small shop: one query lists the orders, one more is made for each."""
import sqlite3

shop = sqlite3.connect(":memory:")
shop.executescript("""
    create table item(id integer primary key, name text, price real);
    create table bill(id integer primary key, item integer, count integer);
""")
shop.executemany("insert into item(name, price) values(?, ?)",
                 (("item %d" % i, i * 0.5) for i in range(2000)))
shop.executemany("insert into bill(item, count) values(?, ?)",
                 ((i * 7 % 2000, i % 5) for i in range(3000)))


def price(item):
    name = "item %d" % item
    query = "select price from item where name = '%s'" % name
    return shop.execute(query).fetchone()[0]


total = 0
for item, count in shop.execute("select item, count from bill").fetchall():
    total += price(item) * count
print("total %.2f" % total)

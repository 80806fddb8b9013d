/* SPDX-License-Identifier: Apache-2.0 */
/* A table of any length: only the rows that are seen are made. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const ROW = 22;
const LEAST = 160; /* px of the column of the rest */

/*
 * columns: [{ key, title, sub, width (px, 0 = the rest), number, cell(row), sort, order }].
 * Where all columns have no room, that of the rest, which names rows, stays at the left.
 * rows: any values; selected: index or -1; label: for readers of the screen; still: the
 * selected row need not be in sight.
 */
export function Grid({ columns, rows, selected, onSelect, onActivate, onSort, label,
    rowClass, still }) {
    const at = useRef(), [top, setTop] = useState(0), [height, setHeight] = useState(600);
    const [room, setRoom] = useState(1000);
    useLayoutEffect(() => {
        const box = at.current;
        const observer = new ResizeObserver(() => {
            setHeight(box.clientHeight);
            setRoom(box.clientWidth);
        });
        observer.observe(box);
        return () => observer.disconnect();
    }, []);
    useLayoutEffect(() => {
        const box = at.current, head = box.firstChild.firstChild.offsetHeight;
        if (selected < 0 || still)
            return;
        const y = selected * ROW;
        if (y < box.scrollTop)
            box.scrollTop = y;
        else if (y + ROW + head > box.scrollTop + box.clientHeight)
            box.scrollTop = y + ROW + head - box.clientHeight;
    }, [selected]);
    const first = Math.max(0, Math.floor(top / ROW) - 10);
    const last = Math.min(rows.length, Math.ceil((top + height) / ROW) + 10);
    const fixed = columns.filter(c => c.width), rest = fixed.length < columns.length;
    const narrow = rest && fixed.reduce((w, c) => w + c.width, 0) + LEAST > room;
    const style = {
        gridTemplateColumns: (narrow ? [Math.min(LEAST, room * 0.45) + 'px'] : [])
            .concat((narrow ? fixed : columns).map(c => c.width ? c.width + 'px'
                : 'minmax(' + LEAST + 'px, 1fr)')).join(' '),
    };
    const kind = c => 'cell' + (c.number ? ' number' : '') +
        (narrow && !c.width ? ' stays' : '');
    const onKey = e => {
        const page = Math.max(1, Math.floor(height / ROW) - 2);
        const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page,
            Home: -rows.length, End: rows.length }[e.key];
        if (by && rows.length) {
            onSelect(Math.min(rows.length - 1, Math.max(0, (selected < 0 ? -1 : selected) +
                by)));
            e.preventDefault();
        } else if (e.key === 'Enter' && onActivate && selected >= 0) {
            onActivate(selected);
            e.preventDefault();
        }
    };
    return (
        <div class="grid" ref={at} tabIndex="0" role="grid" aria-label={label}
            aria-rowcount={rows.length + 1} onScroll={e => setTop(e.target.scrollTop)}
            onKeyDown={onKey}
            aria-activedescendant={selected >= first && selected < last
                ? label.replace(/\W/g, '') + selected : undefined}>
            <div class="wide" role="presentation">
                <div class="line head" role="row" style={style}>
                    {columns.map(c => (
                        <div key={c.key} role="columnheader"
                            class={kind(c) + (c.order ? ' sorted' : '')}
                            aria-sort={c.order || undefined}>
                            {onSort && c.sort !== undefined
                                ? <button class="plain" onClick={() => onSort(c.sort)}
                                    title={c.doc}>
                                    {c.title}<small>{c.sub}</small></button>
                                : <span title={c.doc}>{c.title}
                                    <small>{c.sub}</small></span>}
                        </div>))}
                </div>
                <div role="presentation" style={{ height: first * ROW + 'px' }} />
                {rows.slice(first, last).map((row, i) => (
                    <div key={first + i} role="row" id={label.replace(/\W/g, '') +
                        (first + i)} aria-rowindex={first + i + 2}
                    aria-selected={first + i === selected}
                    class={'line' + (first + i === selected ? ' selected' : '') +
                        (rowClass ? ' ' + rowClass(row) : '')} style={style}
                    onClick={() => onSelect(first + i)}
                    onDblClick={() => onActivate && onActivate(first + i)}>
                        {columns.map(c => (
                            <div key={c.key} role="gridcell" class={kind(c)}>
                                {c.cell(row)}</div>))}
                    </div>))}
                <div role="presentation"
                    style={{ height: (rows.length - last) * ROW + 'px' }} />
            </div>
        </div>
    );
}

/* How wide a column of numbers must be. */
export function widthOf(texts, least = 56) {
    let n = 0;
    for (const t of texts)
        n = Math.max(n, t.length);
    return Math.max(least, n * 7.6 + 18);
}

export function Bar({ share }) {
    if (!(share > 0))
        return null;
    return <span class="bar" aria-hidden="true"
        style={{ width: Math.max(0, Math.min(1, share)) * 52 + 'px' }} />;
}

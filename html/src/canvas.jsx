/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boxes on a canvas, as flame graphs have them: with a tree beside it that readers of the
 * screen see, and a tip at the pointer.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { theme } from './state.js';
import { palette } from './palette.js';

export const ROW = 19, LEAST = 0.5; /* px: of a row, and of a box that is drawn */

const LISTED = 250; /* boxes in the tree */

/* [ref, [width, height]] of an element that may change its size. */
export function useSize(first) {
    const box = useRef(), [size, setSize] = useState(first);
    useLayoutEffect(() => {
        const observer = new ResizeObserver(() =>
            setSize([box.current.clientWidth, box.current.clientHeight - 4]));
        observer.observe(box.current);
        return () => observer.disconnect();
    }, []);
    return [box, size];
}

/* A canvas of that size in px, cleared, and what draws on it. */
export function begin(canvas, width, height, font = 12) {
    const ratio = devicePixelRatio || 1, p = palette(), c = canvas.getContext('2d');
    canvas.width = Math.max(1, width * ratio);
    canvas.height = Math.max(1, height * ratio);
    c.scale(ratio, ratio);
    c.fillStyle = p.ground;
    c.fillRect(0, 0, width, height);
    c.font = font + 'px ' + getComputedStyle(document.body).fontFamily;
    c.textBaseline = 'middle';
    return { c, p };
}

/* As much of a text as has room. */
function fitting(c, text, room, dots) {
    const wide = c.measureText(text).width;
    if (wide <= room)
        return text;
    let n = Math.floor(text.length * room / wide);
    while (n > 0 && c.measureText(text.slice(0, n)).width + dots > room)
        n--;
    return n > 1 ? text.slice(0, n) + '…' : '';
}

function paint(canvas, boxes, width, height, focus, look) {
    const { c, p } = begin(canvas, width, height), dots = c.measureText('…').width;
    for (const { of, x, w, y } of boxes) {
        const hit = look.hit(of), fill = hit ? p.found : look.colour(of, p);
        c.globalAlpha = hit === false ? 0.45 : 1;
        c.fillStyle = fill;
        c.fillRect(x, y * ROW, Math.max(w - (w > 2 ? 1 : 0), LEAST), ROW - 1);
        c.globalAlpha = 1;
        if (w > 26) {
            c.fillStyle = look.ink && !hit ? look.ink(of, fill, p) : p.ink;
            c.fillText(fitting(c, look.text(of), w - 9, dots), x + 5, y * ROW + ROW / 2);
        }
        if (of === focus) {
            c.strokeStyle = p.focus;
            c.lineWidth = 2;
            c.strokeRect(x + 1, y * ROW + 1, Math.max(w - 3, 1), ROW - 3);
        }
    }
}

export function Tip({ tip }) {
    if (!tip)
        return null;
    return <div class="tip" style={{ left: Math.max(4, Math.min(tip.x + 12,
        innerWidth - 380)) + 'px', top: tip.y + 16 + 'px' }}>{tip.text}</div>;
}

/*
 * place: what useSize() gave; boxes: [{ of, x, w (px), y (row) }]; look: { colour(of, p),
 * text(of), hit(of): true, false, or null when nothing is searched for, ink(of, fill, p) };
 * describe(of): a sentence; hint: what the tip adds; on: { click, double }(of), key(event).
 */
export function Boxes({ place, boxes, focus, label, name, look, describe, hint = '', on }) {
    const [box, size] = place, canvas = useRef(), [tip, setTip] = useState(null);
    const dark = theme.value, deepest = boxes.reduce((n, b) => Math.max(n, b.y), 0);
    const height = Math.max((deepest + 1) * ROW + 4, size[1]);
    useEffect(() => paint(canvas.current, boxes, size[0], height, focus, look));
    const hit = e => {
        const r = canvas.current.getBoundingClientRect();
        const x = e.clientX - r.left, y = Math.floor((e.clientY - r.top) / ROW);
        const b = boxes.find(k => k.y === y && x >= k.x && x < k.x + Math.max(k.w, 1));
        return b && b.of;
    };
    const listed = boxes.filter(b => b.w > 24 || b.of === focus).slice(0, LISTED);
    const at = boxes.findIndex(b => b.of === focus), numbers = new Map();
    boxes.forEach((b, i) => numbers.set(b, name + '-' + i));
    if (at >= 0 && !listed.includes(boxes[at]))
        listed.push(boxes[at]);
    return (
        <>
            <div class="canvas" ref={box} tabIndex="0" role="tree" aria-label={label}
                aria-activedescendant={at >= 0 ? name + '-' + at : undefined}
                onKeyDown={on.key}>
                <canvas ref={canvas} aria-hidden="true" data-dark={dark}
                    style={{ width: size[0] + 'px', height: height + 'px' }}
                    onClick={e => hit(e) && on.click(hit(e))}
                    onDblClick={e => on.double && hit(e) && on.double(hit(e))}
                    onMouseMove={e => {
                        const of = hit(e);
                        setTip(of ? { text: describe(of) + hint, x: e.clientX,
                            y: e.clientY } : null);
                    }}
                    onMouseLeave={() => setTip(null)} />
                <div class="hidden" role="presentation">
                    {listed.map(b => (
                        <div role="treeitem" id={numbers.get(b)} key={numbers.get(b)}
                            aria-level={b.y + 1} aria-selected={b.of === focus}>
                            {describe(b.of)}</div>))}
                </div>
                {!boxes.length && <p class="nothing">
                    Nothing of this metric is in what is selected.</p>}
            </div>
            <Tip tip={tip} />
        </>
    );
}

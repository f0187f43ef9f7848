// The queue: only the rows in sight exist. A row that has moved glides to its new place.
import { element, grouped } from './dom.js';

const heads = [['rank', 'Rank', ''], ['moved', 'Moved', '-moved'], ['id', 'Job', 'job'], ['who', 'User / account', 'user'], ['where', 'QOS / partition', 'qos'],
  ['priority', 'Priority', '-priority'], ['points', 'Points', null], ['state', 'State', 'state']];
const spare = 8; // rows above and below those in sight
const still = matchMedia('(prefers-reduced-motion: reduce)');

const turned = key => key.startsWith('-') ? key.slice(1) : '-' + key;

export class Table {
  constructor(start, { more, open, sort }) {
    this.scroll = document.getElementById('scroll');
    this.body = document.getElementById('rows');
    this.grid = document.getElementById('table');
    this.legend = document.getElementById('legend');
    this.more = more;
    this.open = open;
    this.rows = new Map(); // by job: the row's element, and where it is
    this.chosen = [];
    this.current = 0; // index of the row that has the focus
    this.colours = new Map();
    this.from = -1;
    this.grid.setAttribute('aria-colcount', heads.length);
    document.getElementById('heads').append(...heads.map(([name, title, key]) => {
      const head = element('div', { role: 'columnheader', class: ['rank', 'moved', 'priority'].includes(name) ? 'n' : null });
      if (key === null) head.append(title);
      else {
        const button = element('button', { type: 'button', 'data-sort': key }, title);
        button.addEventListener('click', () => sort(this.sorted === key && key ? turned(key) : key));
        head.append(button);
      }
      return head;
    }));
    this.scroll.addEventListener('scroll', () => { if (this.needs()) this.more(); }, { passive: true });
    new ResizeObserver(() => { if (this.needs() || this.drawn !== this.height) this.more(); }).observe(this.scroll);
    this.body.addEventListener('keydown', e => this.key(e));
    this.body.addEventListener('click', e => {
      const row = e.target.closest('.row');
      if (row) this.act(row, e.ctrlKey || e.metaKey || e.shiftKey);
    });
    for (const t of start.terms) this.colour(t.name);
  }

  get height() { return parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) * parseFloat(getComputedStyle(document.documentElement).fontSize); }

  // window is which rows are asked for.
  window() {
    const from = Math.max(0, Math.floor(this.scroll.scrollTop / this.height) - spare);
    return { from, rows: Math.ceil(this.scroll.clientHeight / this.height) + 2 * spare };
  }

  // needs reports that rows in sight are missing.
  needs() {
    const first = Math.floor(this.scroll.scrollTop / this.height), last = Math.min(this.match ?? 0, first + Math.ceil(this.scroll.clientHeight / this.height));
    return first < this.from || last > this.from + this.got;
  }

  top() { this.scroll.scrollTop = 0; this.current = 0; }

  colour(name) {
    if (!this.colours.has(name)) this.colours.set(name, 'c' + this.colours.size % 12);
    return this.colours.get(name);
  }

  sortedBy(key) {
    this.sorted = key;
    for (const b of document.querySelectorAll('#heads button')) b.setAttribute('aria-pressed', String(b.dataset.sort === key || b.dataset.sort !== '' && turned(b.dataset.sort) === key));
  }

  show(answer) {
    const height = this.height, focused = document.activeElement?.closest?.('.row');
    this.from = answer.from;
    this.got = answer.rows.length;
    this.match = answer.match;
    this.answer = answer;
    const resized = this.drawn !== height;
    this.drawn = height;
    this.body.style.height = answer.match * height + 'px';
    this.grid.setAttribute('aria-rowcount', answer.match + 1);
    const old = this.rows, rows = new Map();
    const list = answer.rows.map((row, i) => {
      const known = old.get(row.job), e = known?.e ?? this.make(row.job);
      const y = (answer.from + i) * height;
      this.write(e, row, answer.from + i);
      e.style.transform = `translateY(${y}px)`;
      rows.set(row.job, { e, y, from: known?.y });
      return e;
    });
    this.rows = rows;
    if (list.some((e, i) => this.body.children[i] !== e) || this.body.childElementCount !== list.length) this.body.replaceChildren(...list);
    if (focused && focused.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
    if (!still.matches && !resized) {
      for (const { e, y, from } of rows.values()) {
        if (from !== undefined && from !== y) e.animate([{ transform: `translateY(${from}px)` }, { transform: `translateY(${y}px)` }], { duration: 180, easing: 'ease-out' });
      }
    }
    this.showLegend(answer.terms);
  }

  make(job) {
    const e = element('div', { role: 'row', class: 'row', tabindex: '-1' });
    e.job = job;
    e.cells = {};
    heads.forEach(([name], i) => {
      const c = element('div', { role: 'gridcell', 'aria-colindex': i + 1, class: name + (['rank', 'moved', 'priority'].includes(name) ? ' n' : '') });
      e.cells[name] = c;
      e.append(c);
    });
    return e;
  }

  write(e, row, index) {
    e.index = index;
    e.id_ = row.id;
    e.setAttribute('aria-rowindex', index + 2);
    e.tabIndex = index === this.current ? 0 : -1;
    e.setAttribute('aria-selected', String(this.chosen.includes(row.id)));
    const c = e.cells;
    c.rank.textContent = row.rank || '–';
    const won = row.rank && row.old_rank ? row.old_rank - row.rank : 0;
    c.moved.className = 'moved n ' + (won > 0 ? 'up' : won < 0 ? 'down' : 'zero');
    c.moved.textContent = won > 0 ? `▲ ${grouped(won)}` : won < 0 ? `▼ ${grouped(-won)}` : row.rank && !row.old_rank ? 'new' : !row.rank && row.old_rank ? 'out' : '·';
    c.moved.title = row.old_rank ? `was ${grouped(row.old_rank)}` : '';
    c.id.textContent = row.name ? `${row.id} ${row.name}` : row.id;
    c.id.title = c.id.textContent;
    c.who.textContent = row.account ? `${row.user} / ${row.account}` : row.user;
    c.where.textContent = [row.qos, row.partition].filter(Boolean).join(' / ');
    c.priority.textContent = grouped(row.priority);
    c.priority.title = row.old_priority === row.priority ? '' : `was ${grouped(row.old_priority)}`;
    c.state.textContent = row.reason ? `${row.state}: ${row.reason}` : row.state;
    c.state.className = 'state' + (row.old_state ? ' changed' : '');
    c.state.title = row.old_state ? `${c.state.textContent} (was ${row.old_state})` : c.state.textContent;
    this.bar(c.points, row);
  }

  bar(cell, row) {
    const parts = [], words = [];
    row.points.forEach((x, i) => {
      if (!x) return;
      const name = this.answer.terms[i].name;
      const part = element('i', { class: this.colour(name) + (x < 0 ? ' minus' : '') });
      part.style.width = Math.min(100, 92 * Math.abs(x) / (this.answer.scale || 1)) + '%';
      part.title = `${name} ${grouped(x)}`;
      parts.push(part);
      words.push(`${name} ${grouped(x)}`);
    });
    cell.replaceChildren(...parts);
    cell.setAttribute('aria-label', words.join(', ') || 'no points');
  }

  showLegend(terms) {
    const live = terms.filter(t => t.live);
    this.legend.replaceChildren(...live.map(t => element('li', { title: t.doc || null }, element('i', { class: this.colour(t.name) }), `${t.name} `, element('span', { class: 'soft n' }, `⌀ ${grouped(t.mean)}`))));
  }

  choose(ids) {
    this.chosen = ids;
    for (const { e } of this.rows.values()) e.setAttribute('aria-selected', String(ids.includes(e.id_)));
  }

  // act opens a job, or with another one chosen compares the two.
  act(row, beside) {
    this.focusRow(row);
    const id = row.id_;
    let jobs = [id];
    if (beside) jobs = this.chosen.includes(id) ? this.chosen.filter(x => x !== id) : [...this.chosen.slice(-1), id];
    this.open(jobs);
  }

  key(e) {
    const row = e.target.closest('.row');
    if (!row) return;
    const page = Math.max(1, Math.floor(this.scroll.clientHeight / this.height) - 1);
    const to = { ArrowDown: row.index + 1, ArrowUp: row.index - 1, PageDown: row.index + page, PageUp: row.index - page, Home: 0, End: this.match - 1 }[e.key];
    if (to !== undefined) {
      e.preventDefault();
      this.go(Math.min(Math.max(to, 0), this.match - 1));
    } else if (e.key === 'Enter' || e.key === ' ') {
      e.preventDefault();
      this.act(row, e.key === ' ');
    }
  }

  // go gives the focus to a row, which may have to be fetched first.
  async go(index) {
    const height = this.height, y = index * height;
    this.current = index;
    if (y < this.scroll.scrollTop) this.scroll.scrollTop = y;
    else if (y + height > this.scroll.scrollTop + this.scroll.clientHeight) this.scroll.scrollTop = y + height - this.scroll.clientHeight;
    for (let tries = 0; tries < 100; tries++) {
      const row = [...this.body.children].find(e => e.index === index);
      if (row) { this.focusRow(row); return; }
      await new Promise(done => setTimeout(done, 10));
    }
  }

  focusRow(row) {
    for (const e of this.body.children) e.tabIndex = -1;
    this.current = row.index;
    row.tabIndex = 0;
    row.focus({ preventScroll: true });
  }

  focus() { (this.body.querySelector('[tabindex="0"]') ?? this.body.firstElementChild)?.focus(); }
}

// The views beside the queue: who gains, shares, limits, the plan, a replay.
import { element, grouped, percent } from './dom.js';

const signed = n => (n > 0 ? '▲ ' : n < 0 ? '▼ ' : '') + grouped(Math.abs(n));
const tone = n => n > 0 ? 'up' : n < 0 ? 'down' : 'zero';

// table makes one of heads, as [title, is a number], and rows of cells: texts, or elements.
function table(caption, heads, rows) {
  return element('div', { class: 'wide-table' }, element('table', {}, element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...heads.map(([title, n]) => element('th', { scope: 'col', class: n && 'n' }, title)))),
    element('tbody', {}, ...rows.map(cells => element('tr', {}, ...cells.map((c, i) => element('td', { class: heads[i][1] && 'n' }, c)))))));
}

const dim = n => element('span', { class: n ? '' : 'zero' }, grouped(n));
const most = 100; // rows of a view

const groupTitles = { account: 'Accounts', user: 'Users', qos: 'QOS', partition: 'Partitions', size: 'Sizes' };

function gains(answer) {
  const moved = Object.values(answer.groups).some(list => list.some(g => g.up || g.down || g.blocked || g.released));
  const head = element('p', { class: 'soft' }, moved ? `Ranks won by a job on average, and jobs among the first ${grouped(answer.top)} of the queue, before and now.`
    : 'No job has gained or lost yet: move a slider.');
  const tables = Object.entries(groupTitles).filter(([by]) => answer.groups[by].length > 1 || answer.groups[by][0]?.name).map(([by, title]) => {
    const list = answer.groups[by], ends = list.length > most ? [...list.slice(0, most / 2), ...list.slice(-most / 2)] : list;
    const stopped = list.some(g => g.blocked || g.released);
    return table(title + (ends.length < list.length ? ` (the ${most} that win or lose most of ${grouped(list.length)})` : ''),
      [['name'], ['jobs', 1], ['ranks', 1], ['up', 1], ['down', 1], [`first ${grouped(answer.top)}`, 1], ...(stopped ? [['blocked', 1], ['released', 1]] : [])],
      ends.map(g => [g.name || '(none)', grouped(g.jobs), element('span', { class: tone(g.mean) }, signed(g.mean)), dim(g.up), dim(g.down),
        element('span', { class: tone(g.is_top - g.was_top) }, g.was_top === g.is_top ? grouped(g.is_top) : `${grouped(g.was_top)} → ${grouped(g.is_top)}`), ...(stopped ? [dim(g.blocked), dim(g.released)] : [])]));
  });
  return [head, element('div', { class: 'columns' }, ...tables)];
}

// gauge is how full something is; a mark is where it should be.
function gauge(part, mark, label) {
  const e = element('span', { class: 'gauge', role: 'img', 'aria-label': label }), fill = element('i', { class: part > 1 && mark === undefined ? 'over' : '' });
  fill.style.width = 100 * Math.min(1, Math.max(0, part)) + '%';
  e.append(fill);
  if (mark !== undefined) {
    const b = element('b', {});
    b.style.left = `min(${100 * Math.min(1, mark)}%, 100% - 2px)`;
    e.append(b);
  }
  return e;
}

const change = (was, is) => was === undefined || was === is ? grouped(is) : `${grouped(was)} → ${grouped(is)}`;
const depthOf = (row, all, seen = 0) => row.user ? 1 + depthOf(all.get(row.account) ?? {}, all, seen + 1) : row.parent && seen < 50 ? 1 + depthOf(all.get(row.parent) ?? {}, all, seen + 1) : 0;

function shares({ before, now }) {
  const trees = now.fairshare.filter(s => s.account !== undefined), windows = now.fairshare.filter(s => s.kind !== undefined && s.kind !== 'total');
  const out = [];
  if (trees.length) {
    const key = s => [s.account, s.user, s.partition].join('/'), was = new Map(before.fairshare.map(s => [key(s), s]));
    const accounts = new Map(trees.filter(s => !s.user).map(s => [s.account, s]));
    const top = Math.max(1e-9, ...trees.filter(s => s.parent || s.user).map(s => Math.max(s.norm_shares ?? 0, s.effective_usage ?? 0)));
    out.push(element('p', { class: 'soft' }, 'The bar is what was used, the mark what the shares aim at. Shares are edited under Settings.'));
    out.push(table('Fairshare tree', [['association'], ['shares', 1], ['target', 1], ['used', 1], ['use against target'], ['fairshare', 1]], trees.slice(0, 1000).map(s => {
      const old = was.get(key(s)), name = element('span', {}, s.user ? `${s.user}${s.partition ? ' (' + s.partition + ')' : ''}` : s.account);
      name.style.paddingInlineStart = 1.1 * depthOf(s, accounts) + 'em';
      if (!s.user) name.style.fontWeight = '600';
      return [name, s.raw_shares === null ? '' : String(s.raw_shares), percent(s.norm_shares ?? 0), percent(s.effective_usage ?? 0),
        gauge((s.effective_usage ?? 0) / top, (s.norm_shares ?? 0) / top, `${percent(s.effective_usage ?? 0)} used of a target of ${percent(s.norm_shares ?? 0)}`), s.fairshare === null ? '' : change(old?.fairshare, s.fairshare)];
    })));
  }
  if (windows.length) {
    const key = s => s.kind + ' ' + s.name, was = new Map(before.fairshare.map(s => [key(s), s]));
    out.push(element('p', { class: 'soft' }, 'The bar is what was used in the fairshare windows, the mark the target.'));
    out.push(table('Fairshare', [['who'], ['target', 1], ['used', 1], ['use against target'], ['difference', 1]], windows.slice(0, 1000).map(s => [`${s.kind} ${s.name}`,
      s.target === null ? '' : grouped(s.target) + (s.target_kind === 'target' ? ' %' : ` ${s.target_kind}`), s.usage_percent === null ? '' : grouped(s.usage_percent) + ' %',
      gauge((s.usage_percent ?? 0) / 100, s.target === null || s.target > 100 ? undefined : s.target / 100, `${grouped(s.usage_percent)} % used`), s.target === null ? '' : change(was.get(key(s))?.delta, s.delta)])));
  }
  return out.length ? out : [element('p', {}, 'No fairshare is computed here: the factors are as recorded in the snapshot, or the policy has none.')];
}

function limits({ before, now }) {
  if (!now.limits.length) return [element('p', {}, 'No limit counts anything in this queue.')];
  const name = l => l.per ? l.per.map(p => `${p.object} ${p.name ?? '(each)'}`).join(', ') : [`${l.object} ${l.name}`, l.level, l.for].filter(Boolean).join(', ');
  const key = l => [name(l), l.limit, l.counts, l.phase].join('|'), was = new Map(before.limits.map(l => [key(l), l]));
  const bound = l => l.value ?? l.hard ?? l.soft;
  const rows = now.limits.map(l => ({ l, bound: bound(l), part: bound(l) ? (l.in_use ?? 0) / bound(l) : l.in_use ? Infinity : 0 })).sort((a, b) => b.part - a.part);
  return [table('Limits, the fullest first', [['whose'], ['limit'], ['in use', 1], ['bound', 1], ['how full']], rows.slice(0, 1000).map(({ l, bound: most, part }) => [name(l), `${l.limit}${l.limit.includes(l.counts) ? '' : ' (' + l.counts + ')'}`,
    l.in_use === null ? '' : grouped(l.in_use), change(was.has(key(l)) ? bound(was.get(key(l))) : undefined, most), l.in_use === null ? '' : gauge(part, undefined, `${grouped(l.in_use)} of ${grouped(most)}`)]))];
}

const day = 86400;
function span(seconds) {
  const s = Math.abs(seconds);
  return s >= day ? `${grouped(s / day)} d` : s >= 3600 ? `${grouped(s / 3600)} h` : `${grouped(s / 60)} min`;
}

function plan(answer) {
  const s = answer.summary;
  const tiles = element('dl', { class: 'tiles' }, ...[['start now', `${grouped(s.old_start_now)} → ${grouped(s.new_start_now)}`], ['start sooner', grouped(s.sooner)], ['start later', grouped(s.later)],
    ['mean delay', s.mean_delay_seconds === 0 ? '0' : (s.mean_delay_seconds < 0 ? '−' : '+') + span(s.mean_delay_seconds)]].map(([title, text]) => element('div', {}, element('dt', {}, title), element('dd', {}, text))));
  const out = [tiles];
  if (answer.starts.length) {
    const time = t => t === null ? '–' : new Date(t * 1000).toISOString().slice(0, 16).replace('T', ' ');
    out.push(table(`Jobs that start at another time${s.starts_changed ? `, the largest changes first` : ''}`, [['job'], ['user'], ['before'], ['now'], ['later', 1]],
      answer.starts.map(j => [j.id, j.user, time(j.old_start) + (j.old_by ? ` (${j.old_by})` : ''), time(j.new_start) + (j.new_by ? ` (${j.new_by})` : ''), j.later_seconds == null ? '' : element('span', { class: j.later_seconds > 0 ? 'down' : 'up' }, (j.later_seconds > 0 ? '+' : '−') + span(j.later_seconds))])));
  }
  out.push(element('h3', {}, 'Now'), chart(answer.now, 'The plan of the queue with the change: nodes over time'));
  if (answer.before !== answer.now) out.push(element('h3', {}, 'Before'), chart(answer.before, 'The plan of the queue by the files as they are: nodes over time'));
  return out;
}

const chart = (svg, alt) => element('img', { class: 'chart', alt, src: 'data:image/svg+xml,' + encodeURIComponent(svg) });
const metricTiles = [['wait_seconds.mean', 'mean wait'], ['wait_seconds.p95', '95 of 100 wait at most'], ['utilisation', 'utilisation'], ['bounded_slowdown.mean', 'mean slowdown']];

// replayed is how far a replay is, or what it came to.
export function replayed(answer) {
  if (!answer.done) {
    return answer.progress.flatMap(p => [element('p', {}, `Playing ${grouped(p.of)} jobs ${p.title}: ${grouped(p.jobs)} have started${p.until ? `, until ${new Date(p.until * 1000).toISOString().slice(0, 16).replace('T', ' ')}Z` : ''}.`),
      element('progress', { value: p.jobs, max: p.of, 'aria-label': `jobs played ${p.title}` })]);
  }
  const r = answer.replay, pair = c => c.change ? `${c.before} → ${c.now}` : c.now, mark = c => element('span', { class: c.gain > 0 ? 'up' : c.gain < 0 ? 'down' : 'zero' }, c.change || '·');
  const tile = (title, text, tone) => element('div', {}, element('dt', {}, title), element('dd', { class: tone }, text));
  const metric = name => r.metrics.find(m => m.name === name);
  const out = [element('dl', { class: 'tiles' }, ...metricTiles.filter(([name]) => metric(name)).map(([name, title]) => tile(title, pair(metric(name)), { 1: 'up', '-1': 'down' }[metric(name).gain])),
    tile('jobs wait less', grouped(r.shorter), r.shorter ? null : 'zero'), tile('wait more', grouped(r.longer), r.longer ? null : 'zero')),
  ...[answer.release, ...r.notes].filter(Boolean).map(text => element('p', { class: 'soft' }, text))];
  if (!r.shorter && !r.longer) out.push(element('p', { class: 'soft' }, `All ${grouped(answer.jobs)} jobs start when they start by the files: move a slider.`));
  out.push(element('p', { class: 'soft legend' }, element('i', { class: 'before' }), 'by the files', element('i', {}), 'with the change'));
  for (const c of r.charts) out.push(element('h3', {}, `${c.title} (${c.unit})`), chart(c.svg, `${c.title} over time, by the files and with the change`));
  const kinds = [...new Set(r.groups.map(g => g.kind))];
  out.push(element('div', { class: 'columns' }, ...kinds.map(kind => table(`Mean wait by ${kind}`, [[kind], ['jobs', 1], ['before', 1], ['now', 1], ['change', 1]],
    r.groups.filter(g => g.kind === kind).slice(0, most).map(g => [g.name || '(none)', grouped(g.jobs), g.before, g.now, mark(g)])))));
  out.push(table('The replay as a whole', [['metric'], ['before', 1], ['now', 1], ['change', 1], ['definition']], r.metrics.map(m => [m.name, m.before, m.now, mark(m), m.doc])));
  return out;
}

// views are by name: what is asked, and what is made of the answer. A replay is followed on its own.
export const views = { gains: ['gains', gains], shares: ['use', shares], limits: ['use', limits], plan: ['plan', plan], replay: [null, replayed] };

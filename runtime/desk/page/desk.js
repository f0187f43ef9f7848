// The desk: state in the address, one request at a time, and the parts that show what comes back.
import { ask, hasToken } from './ask.js';
import { Settings } from './settings.js';
import { Table } from './table.js';
import { element, fill, grouped } from './dom.js';
import { replayed, views } from './views.js';
import { openSave } from './save.js';

const $ = id => document.getElementById(id);

// What the person has chosen. All of it is in the address, so that who has the same files sees the same.
const state = { change: {}, filter: { states: 'pending' }, where: '', sort: '', view: 'queue', jobs: [] };
const filters = ['user', 'account', 'qos', 'partition', 'states'];

function readAddress() {
  const p = new URLSearchParams(location.hash.slice(1));
  state.change = {};
  for (const [key, value] of p) if (key.startsWith('set.')) state.change[key.slice(4)] = value;
  for (const f of filters) state.filter[f] = p.get(f) ?? (f === 'states' ? 'pending' : '');
  state.where = p.get('where') ?? '';
  state.sort = p.get('sort') ?? '';
  state.view = p.get('view') in views ? p.get('view') : 'queue';
  state.jobs = (p.get('jobs') ?? '').split(' ').filter(Boolean).slice(0, 2);
}

function writeAddress() {
  const p = new URLSearchParams();
  for (const key of Object.keys(state.change).sort()) p.set('set.' + key, state.change[key]);
  for (const f of filters) if (state.filter[f] && !(f === 'states' && state.filter[f] === 'pending')) p.set(f, state.filter[f]);
  if (state.filter.states === '') p.set('states', '');
  if (state.where) p.set('where', state.where);
  if (state.sort) p.set('sort', state.sort);
  if (state.view !== 'queue') p.set('view', state.view);
  if (state.jobs.length) p.set('jobs', state.jobs.join(' '));
  history.replaceState(null, '', '#' + p);
}

function request(more) {
  const filter = {};
  for (const f of filters) {
    const list = state.filter[f].split(',').map(s => s.trim()).filter(Boolean);
    if (list.length) filter[f] = list;
  }
  return { change: state.change, filter, where: state.where, sort: state.sort, ...more };
}

let start, settings, table;
let busy = false, again = false, settled = 0;

// rank asks for the rows in sight. While one answer is under way, further moves wait and only the last of them is asked.
async function rank() {
  if (busy) { again = true; return; }
  busy = true;
  do {
    again = false;
    const begun = performance.now();
    try {
      const answer = await ask('rank', request(table.window()));
      table.show(answer);
      showCounts(answer);
      settings.mistakes([]);
      whereMistake(answer.lost);
      notice(answer.warnings.join(' '));
      performance.measure('re-rank', { start: begun });
    } catch (e) {
      fail(e);
      if (!table.answer) await showAsItIs(); // an address with a mistake in it
    }
    document.body.dataset.ranked = JSON.stringify(state.change);
  } while (again);
  busy = false;
  clearTimeout(settled);
  settled = setTimeout(settle, 150);
}

// showAsItIs shows the queue without a change.
async function showAsItIs() {
  try {
    const answer = await ask('rank', { ...request(table.window()), change: {}, where: '' });
    table.show(answer);
    showCounts(answer);
  } catch (e) {
    fail(e);
  }
}

// settle is what can wait until nothing moves.
let settling = null;
async function settle() {
  writeAddress();
  settling?.abort();
  settling = new AbortController();
  followReplay(settling.signal);
  try {
    await showView(settling.signal);
    await showJobs(settling.signal);
    settings.decides(await ask('decides', request(), settling.signal));
    document.body.dataset.settled = JSON.stringify(state.change);
  } catch (e) {
    if (e.name !== 'AbortError') fail(e);
  }
}

function fail(e) {
  if (!e.mistakes) { notice(e.message); return; }
  settings.mistakes(e.mistakes);
  const where = e.mistakes.find(m => m.key === 'where' || m.key === 'filter');
  whereMistake(where && [where.message, ...where.notes].join('. '));
  notice(e.mistakes.filter(m => !settings.has(m.key) && m !== where).map(m => m.message).join(' '));
}

function whereMistake(text) {
  $('where-mistake').hidden = !text;
  $('where-mistake').textContent = text ?? '';
}

function notice(text) {
  $('notice').hidden = !text;
  $('notice').textContent = text;
}

function showCounts({ count, match }) {
  const parts = [element('span', {}, `${grouped(count.ranked)} of ${grouped(count.jobs)} jobs ranked`)];
  for (const [n, name, mark] of [[count.up, 'up', '▲'], [count.down, 'down', '▼']]) {
    parts.push(' · ', element('span', { class: n ? name : 'zero' }, `${mark} ${grouped(n)} ${name}`));
  }
  for (const [n, text] of [[count.blocked, 'newly blocked'], [count.released, 'released'], [count.failed, 'without a priority']]) {
    if (n) parts.push(` · ${grouped(n)} ${text}`);
  }
  $('counts').replaceChildren(...parts);
  $('match').textContent = match === count.jobs ? '' : `${grouped(match)} shown`;
  showChanged();
}

// showJobs explains the job that is open, or compares the two that are chosen.
async function showJobs(signal) {
  table.choose(state.jobs);
  $('job').hidden = state.jobs.length === 0;
  if (!state.jobs.length) return;
  const answer = await ask('explain', request({ jobs: state.jobs }), signal);
  $('job-title').textContent = state.jobs.length === 1 ? `Job ${state.jobs[0]}` : `Jobs ${state.jobs.join(' and ')}`;
  $('explanation').textContent = answer.text;
}

// showView fills the view that is open.
async function showView(signal) {
  for (const tab of $('tabs').children) {
    tab.setAttribute('aria-selected', String(tab.dataset.view === state.view));
    tab.tabIndex = tab.dataset.view === state.view ? 0 : -1;
  }
  $('queue').hidden = state.view !== 'queue';
  $('view').hidden = state.view === 'queue';
  if (state.view === 'queue') return;
  const [what, show] = views[state.view];
  $('view').setAttribute('aria-labelledby', 'tab-' + state.view);
  if ($('view').dataset.view !== state.view) $('view').replaceChildren(element('p', { class: 'soft' }, { plan: 'Planning…', replay: 'Playing…' }[state.view] ?? 'Counting…'));
  $('view').dataset.view = state.view;
  if (!what) return;
  try {
    $('view').replaceChildren(...show(await ask(what, request(), signal)));
  } catch (e) {
    if (!e.mistakes) throw e;
    $('view').replaceChildren(element('p', {}, e.message));
  }
}

// followReplay asks for the replay of the change once its view was opened, and again until it is done; from then on it
// follows each change, whichever view is open.
let followed = false;
async function followReplay(signal) {
  if (!start.workload || !(followed ||= state.view === 'replay')) return;
  const tab = $('tab-replay');
  const show = nodes => { if (state.view === 'replay') $('view').replaceChildren(...nodes); };
  try {
    await new Promise(done => setTimeout(done, 350)); // the slider may go on
    for (let answer = { done: false }; !answer.done;) {
      if (signal.aborted) return;
      answer = await ask('replay', request(), signal);
      const [of, jobs] = answer.done ? [1, 1] : ['of', 'jobs'].map(k => answer.progress.reduce((n, p) => n + p[k], 0));
      tab.textContent = answer.done ? 'Replay' : `Replay ${Math.floor(100 * jobs / of)} %`;
      show(replayed(answer));
    }
  } catch (e) {
    if (e.name === 'AbortError') return;
    tab.textContent = 'Replay';
    show([element('p', {}, e.message)]);
  }
}

function setUpTabs() {
  $('tab-replay').hidden = !start.workload;
  const tabs = [...$('tabs').children].filter(tab => !tab.hidden);
  for (const tab of tabs) {
    tab.addEventListener('click', () => { state.view = tab.dataset.view; settle(); });
    tab.addEventListener('keydown', e => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!step) return;
      const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
    });
  }
}

// report keeps the page that diff writes of the change.
async function report() {
  try {
    const { html } = await ask('report', request());
    const link = element('a', { href: URL.createObjectURL(new Blob([html], { type: 'text/html' })), download: 'change.html' });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  } catch (e) {
    fail(e);
  }
}

function showChanged() {
  const changed = Object.keys(state.change).length > 0;
  for (const id of ['reset-all', 'report']) $(id).disabled = !changed;
  $('save').disabled = !changed && !start.saved; // what was saved can be taken back
}

function set(key, text) {
  if (text === null) delete state.change[key]; else state.change[key] = text;
  showChanged();
  rank();
}

function setUpFilters() {
  const form = $('filters');
  for (const f of ['user', 'account', 'qos', 'partition']) {
    form.append(element('datalist', { id: 'names-' + f }, ...start.facets[f].map(x => element('option', { value: x.name }))));
  }
  fill(form.elements.states, [['', 'all'], ...start.states.map(s => [s, s])]);
  fill(form.elements.sort, [['', 'rank'], ['-moved', 'most won'], ['moved', 'most lost'], ['-priority', 'priority'],
    ['user', 'user'], ['account', 'account'], ['qos', 'QOS'], ['partition', 'partition'], ['state', 'state'], ['-job.procs', 'processors'], ['job', 'id']]);
  for (const f of filters) form.elements[f].value = state.filter[f];
  form.elements.where.value = state.where;
  form.elements.sort.value = state.sort;
  form.addEventListener('input', () => {
    for (const f of filters) state.filter[f] = form.elements[f].value;
    state.where = form.elements.where.value.trim();
    state.sort = form.elements.sort.value;
    table.sortedBy(state.sort);
    table.top();
    rank();
  });
  form.addEventListener('submit', e => e.preventDefault());
}

async function begin() {
  if (!hasToken()) {
    notice('This page needs the address that fairway printed, which has the token. Open that one.');
    return;
  }
  readAddress();
  writeAddress();
  try {
    start = await ask('start', {});
  } catch (e) {
    notice(e.message);
    return;
  }
  if (state.view === 'replay' && !start.workload) state.view = 'queue';
  $('title').textContent = `${start.policy} desk`;
  document.title = `${start.policy} · Fairway desk`;
  $('about').textContent = [start.files.map(f => f.split('/').pop()).join(', '), start.version && `Slurm ${start.version}`,
    `queue of ${new Date(start.now * 1000).toISOString().slice(0, 16).replace('T', ' ')}Z`].filter(Boolean).join(' · ');
  $('about').title = start.files.join(', ');
  settings = new Settings($('groups'), $('find'), start.settings, state.change, set);
  table = new Table(start, { more: rank, open: jobs => { state.jobs = jobs; settle(); }, sort: key => {
    state.sort = key;
    if (![...$('filters').elements.sort.options].some(o => o.value === key)) $('filters').elements.sort.append(element('option', { value: key }, key.startsWith('-') ? key.slice(1) + ', last first' : key));
    $('filters').elements.sort.value = key;
    table.sortedBy(key);
    table.top();
    rank();
  } });
  setUpFilters();
  table.sortedBy(state.sort);
  setUpTabs();
  $('report').addEventListener('click', report);
  $('save').addEventListener('click', () => openSave(request, saved => { start.saved = saved; showChanged(); }));
  $('reset-all').addEventListener('click', () => {
    for (const key of Object.keys(state.change)) delete state.change[key];
    settings.fillIn(state.change);
    rank();
  });
  $('job-close').addEventListener('click', () => { state.jobs = []; settle(); table.focus(); });
  addEventListener('hashchange', () => location.reload()); // an address that somebody pasted
  await rank();
}

begin();

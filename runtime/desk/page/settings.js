// The settings: each a slider and a field, or a field alone.
import { element, fill, percent } from './dom.js';

const titles = { weights: 'Weights', expressions: 'Expressions of your own', factors: 'What the formula reads', credentials: 'Shares, priorities, limits', others: 'Other parameters' };
const tresWeights = /^[^=,\s]+=\d+(\.\d+)?(,[^=,\s]+=\d+(\.\d+)?)*$/;

const most = 200; // settings of a group that are there at once

export class Settings {
  constructor(host, find, list, change, set) {
    this.items = new Map();
    this.wrong = new Set();
    this.set = set;
    this.change = change;
    for (const group of Object.keys(titles)) {
      const own = list.filter(s => s.group === group);
      if (!own.length) continue;
      const body = element('div', {});
      const box = element('details', { class: 'group' }, element('summary', {}, titles[group], element('span', { class: 'soft' }, ` ${own.length}`)), body);
      const more = element('p', { class: 'soft' });
      body.append(more);
      // build makes those of a list that are not there yet: of thousands the first, and whatever is changed.
      box.build = list => {
        const shown = [...list.slice(0, most), ...list.slice(most).filter(s => s.key in this.change)];
        for (const s of shown) if (!this.items.has(s.key)) more.before(this.item(s, this.change));
        more.textContent = shown.length < list.length ? `${list.length - shown.length} more: find them by name.` : '';
      };
      box.open = group === 'weights' || own.some(s => s.key in change);
      if (box.open) box.build(own);
      box.addEventListener('toggle', () => { if (!find.value.trim()) box.build(own); });
      box.settings = own;
      host.append(box);
    }
    find.addEventListener('input', () => this.find(host, find.value.trim().toLowerCase()));
  }

  // find shows the settings whose name or documentation has a text.
  find(host, text) {
    for (const box of host.children) {
      const found = box.settings.filter(s => s.key.toLowerCase().includes(text) || s.doc.toLowerCase().includes(text));
      if (text || box.open) box.build(found);
      if (text && found.length) box.open = true;
      const keys = new Set(found.map(s => s.key));
      for (const s of box.settings) if (this.items.has(s.key)) this.items.get(s.key).box.hidden = !keys.has(s.key);
      box.hidden = found.length === 0;
    }
  }

  has(key) { return this.items.has(key); }

  item(s, change) {
    const id = 'setting-' + this.items.size;
    const box = element('div', { class: 'setting', 'data-key': s.key });
    const item = { box, setting: s, inputs: [] };
    this.items.set(s.key, item);
    item.decides = element('span', { class: 'decides' });
    item.mistake = element('p', { class: 'mistake', id: id + '-mistake', role: 'alert' });
    item.mistake.hidden = true;
    item.reset = element('button', { type: 'button', 'aria-label': 'Reset ' + s.key }, 'reset');
    item.reset.addEventListener('click', () => { this.put(item, s.text); this.set(s.key, null); this.mark(item); });
    const meta = element('div', { class: 'meta', id: id + '-meta' },
      element('span', { title: s.place || null }, s.place.split('/').pop() || (s.group === 'credentials' ? 'in the snapshot' : 'not set: the default counts')),
      ...(s.default && s.default !== s.text && s.form !== 'cel' ? [element('span', {}, `default ${s.default}`)] : []),
      ...(s.unit ? [element('span', {}, s.unit)] : []),
      item.reset, ...(s.doc ? [element('span', { class: 'doc' }, s.doc)] : []));
    box.append(element(s.form === 'text' && tresWeights.test(s.text) ? 'span' : 'label', { for: id, class: 'name' }, s.key), item.decides);
    const current = change[s.key] ?? s.text;
    if (s.form === 'number') this.slider(item, id, s.key, () => item.text ?? '', text => text);
    else if (s.form === 'choice') this.select(item, id);
    else if (s.form === 'cel') this.field(item, id, element('textarea', { rows: Math.min(12, s.text.split('\n').length + 1) }));
    else if (tresWeights.test(current) && s.group === 'weights') this.parts(item, id, current);
    else this.field(item, id);
    if (s.weighs) {
      item.meter = element('i', {});
      box.append(element('div', { class: 'meter', 'aria-hidden': 'true' }, item.meter));
    }
    box.append(meta, item.mistake);
    this.put(item, current);
    this.mark(item);
    return box;
  }

  // took is a new text of a setting. What the file says anyhow is no change.
  took(item, text, from) {
    item.text = text;
    for (const input of item.inputs) if (input !== from) input.show();
    this.set(item.setting.key, text === item.setting.text ? null : text);
    this.mark(item);
  }

  put(item, text) {
    item.text = text;
    for (const input of item.inputs) input.show();
  }

  mark(item) {
    const changed = item.text !== item.setting.text;
    item.box.classList.toggle('changed', changed);
    item.reset.hidden = !changed;
  }

  fillIn(change) {
    for (const item of this.items.values()) {
      this.put(item, change[item.setting.key] ?? item.setting.text);
      this.mark(item);
    }
  }

  // slider is a range with a field beside it. get and make take the number out of the setting's text and put it in.
  slider(item, id, name, get, make) {
    const range = element('input', { type: 'range', id, 'aria-describedby': id + '-meta' });
    const field = element('input', { type: 'text', class: 'entry', inputmode: 'decimal', spellcheck: 'false', 'aria-label': name + ', as a number', 'aria-describedby': id + '-mistake' });
    const scale = value => {
      const least = value < 0 ? -reach(-value) : 0, most = Math.max(reach(Math.abs(value)), range.max === '' || !range.ready ? 0 : Number(range.max));
      range.min = Math.min(least, range.ready ? Number(range.min) : 0);
      range.max = most;
      range.step = stepOf(most, get());
      range.ready = true;
    };
    range.show = () => {
      const value = Number(get());
      if (!Number.isFinite(value)) return;
      if (!range.ready || value > Number(range.max) || value < Number(range.min)) scale(value);
      range.value = value;
    };
    field.show = () => { field.value = get(); };
    range.addEventListener('input', () => this.took(item, make(range.value), range));
    field.addEventListener('input', () => this.took(item, make(field.value.trim()), field));
    item.inputs.push(range, field);
    item.box.append(range, field);
  }

  // parts are sliders for CPU=1000,Mem=500 and the like.
  parts(item, id, text) {
    text.split(',').forEach((pair, i) => {
      const name = pair.split('=')[0];
      item.box.append(element('label', { for: `${id}-${i}`, class: 'soft' }, name), element('span', {}));
      const at = () => (item.text ?? '').split(',')[i]?.split('=')[1] ?? '';
      this.slider(item, `${id}-${i}`, `${item.setting.key} ${name}`, at, n => item.text.split(',').map((p, k) => k === i ? p.split('=')[0] + '=' + n : p).join(','));
    });
  }

  field(item, id, field = element('input', { type: 'text' })) {
    for (const [name, value] of Object.entries({ id, class: 'entry whole', spellcheck: 'false', 'aria-describedby': id + '-meta ' + id + '-mistake' })) field.setAttribute(name, value);
    field.show = () => { field.value = item.text; };
    field.addEventListener('input', () => this.took(item, field.value, field));
    item.inputs.push(field);
    item.box.append(field);
  }

  select(item, id) {
    const select = element('select', { id, 'aria-describedby': id + '-meta' });
    select.show = () => {
      const words = item.setting.choices;
      const known = words.find(w => w.toLowerCase() === (item.text ?? '').toLowerCase());
      fill(select, (known === undefined ? [item.text, ...words] : words).map(w => [w, w || '(none)']));
      select.value = known ?? item.text;
    };
    select.addEventListener('input', () => this.took(item, select.value, select));
    item.inputs.push(select);
    item.box.append(select);
  }

  // decides shows which share of pairs each weight has in its order.
  decides(shares) {
    for (const [key, item] of this.items) {
      if (!item.setting.weighs) continue;
      const share = shares[key] ?? 0;
      item.decides.textContent = share === 0 ? 'decides nothing' : 'decides ' + percent(share);
      item.decides.title = 'Pairs of waiting jobs that would be the other way round without it.';
      item.meter.style.width = 100 * Math.min(1, share) + '%';
      item.box.querySelector('input[type=range]')?.setAttribute('aria-valuetext', `${item.text}, ${item.decides.textContent}`);
    }
  }

  // mistakes shows those of a list at their settings, and takes away the ones before: a site has thousands of settings.
  mistakes(list) {
    const wrong = new Set(list.map(m => m.key));
    for (const key of new Set([...this.wrong, ...wrong])) {
      const item = this.items.get(key);
      if (!item) continue;
      item.mistake.textContent = list.filter(m => m.key === key).map(m => [m.message, ...m.notes].join('. ')).join(' ');
      item.mistake.hidden = !wrong.has(key);
      for (const input of item.inputs) input.setAttribute('aria-invalid', String(wrong.has(key)));
    }
    this.wrong = wrong;
  }
}

// reach is how far a slider goes: four times the value, rounded up to 1, 2 or 5 with zeros.
function reach(value) {
  const most = Math.max(4 * value, 10), ten = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map(n => n * ten).find(n => n >= most * 0.999);
}

// stepOf keeps whole numbers whole.
function stepOf(most, text) {
  if (String(text).includes('.') || most < 2) return most / 1000;
  return Math.max(1, 10 ** Math.floor(Math.log10(most / 200)));
}

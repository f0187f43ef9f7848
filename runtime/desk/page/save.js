// Saving: the change as a diff of the real files first, and only then written.
import { ask } from './ask.js';
import { element } from './dom.js';

// lines of a diff, those that come and go marked.
const lines = text => text.split('\n').map(l => element('span', { class: /^(\+\+\+|---) /.test(l) ? 'soft' : l.startsWith('+') ? 'plus' : l.startsWith('-') ? 'minus-line' : null }, l + '\n'));

// openSave reports to written whether a file is otherwise than the desk read it at first.
export async function openSave(request, written) {
  const box = element('dialog', { 'aria-labelledby': 'save-title' });
  const body = element('div', {});
  const problem = element('p', { class: 'mistake', role: 'alert' });
  const write = element('button', { type: 'button', class: 'main', id: 'save-write' }, 'Write');
  const close = element('button', { type: 'button', id: 'save-close' }, 'Cancel');
  box.append(element('h2', { id: 'save-title' }, 'Save'), body, problem, element('div', { class: 'bar' }, close, write));
  document.body.append(box);
  box.addEventListener('close', () => box.remove());
  close.addEventListener('click', () => box.close());
  write.hidden = true;
  box.showModal();
  const paths = new Map();
  try {
    const answer = await ask('save', request());
    for (const f of answer.files) {
      const path = element('input', { type: 'text', value: f.path, spellcheck: 'false' });
      paths.set(f.name, path);
      body.append(element('h3', {}, f.new ? `New: ${f.name}` : f.name), element('pre', { class: 'diff' }, ...lines(f.diff)),
        element('label', {}, 'write to', path));
    }
    if (answer.commands.length) {
      body.append(element('h3', {}, 'Commands for slurmdbd'), element('pre', {}, answer.commands.join('\n')));
    }
    if (!answer.files.length) body.append(element('p', {}, 'No file changes.'));
    write.hidden = answer.files.length === 0;
  } catch (e) {
    problem.textContent = e.message;
  }
  write.addEventListener('click', async () => {
    problem.textContent = '';
    write.disabled = true;
    try {
      const answer = await ask('save', request({ write: true, to: Object.fromEntries([...paths].map(([name, input]) => [name, input.value.trim()])) }));
      written(answer.saved);
      body.replaceChildren(element('p', { role: 'status', id: 'saved' }, `Written: ${answer.files.map(f => f.path).join(', ')}.`));
      if (answer.commands.length) body.append(element('p', {}, 'slurmdbd knows nothing of it yet. Run:'), element('pre', {}, answer.commands.join('\n')));
      write.hidden = true;
      close.textContent = 'Close';
      close.focus();
    } catch (e) {
      problem.textContent = e.message;
      write.disabled = false;
    }
  });
}

// Small helpers to build the page. Text is always a text node: nothing of a queue or a policy is ever read as HTML.
export function element(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== false && value != null) e.setAttribute(key, value === true ? '' : value);
  e.append(...children);
  return e;
}

// fill gives a select its options, as value and text.
export const fill = (select, options) => select.replaceChildren(...options.map(([value, text]) => element('option', { value }, text)));

// grouped writes a number with commas, and with no more digits after the point than matter.
export function grouped(n) {
  if (n === null || n === undefined) return '–';
  return n.toLocaleString('en', { maximumFractionDigits: Math.abs(n) >= 100 ? 0 : 2 });
}

export const percent = x => x === 0 ? '0 %' : x < 0.001 ? '< 0.1 %' : (100 * x).toLocaleString('en', { maximumFractionDigits: 1 }) + ' %';

// ask sends a request to the server that gave this page. The token comes in the address once; from then on the tab
// has it, and the address can be given to others.
const stored = 'fairway-desk-token';
const given = new URLSearchParams(location.hash.slice(1));
if (given.has('token')) {
  sessionStorage.setItem(stored, given.get('token'));
  given.delete('token');
  history.replaceState(null, '', '#' + given);
}

export const hasToken = () => sessionStorage.getItem(stored) !== null;

export async function ask(what, body, signal) {
  let response;
  try {
    response = await fetch('/api/' + what, { method: 'POST', signal, credentials: 'omit', cache: 'no-store',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ' + sessionStorage.getItem(stored) },
      body: JSON.stringify(body) });
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new Error('The desk does not answer: fairway has ended. Start it again and open its new address.');
  }
  if (!response.ok) throw new Error(await response.text());
  const answer = await response.json();
  if (answer.mistakes) throw Object.assign(new Error(answer.mistakes.map(m => [m.message, ...m.notes].join('. ')).join(' ')), { mistakes: answer.mistakes });
  return answer;
}

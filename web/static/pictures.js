// A player that has just sought may give an empty picture for a moment, all of one colour: whoever draws it asks again.
export function isEmpty({ data }) {
  for (let i = 4000; i < data.length; i += 4000) if (data[i] !== data[0]) return false;
  return true;
}

// Adapter for Node.js 14 or newer, run with node 20 in the tests of baccarat-oracle.
// Save it as mine.js, fill in `play`, take out of "observables" what it doesn't report, then:
//
//     baccarat-oracle test --rules home-pt -- node mine.js

const START = {
  protocol: 2,
  implementation: { name: "mine", version: "1.0", language: "node" },
  rules: ["*"], // the rule sets that `play` follows; with "*" it is asked about any
  kinds: ["coup"],
  observables: ["winner", "totals", "cards", "natural", "pairs", "net"],
};

/**
 * Play one coup: call your program here, and return what it says, or a promise of it.
 *
 * `cards` come in the order in which they leave the shoe, ["4H", "2S", "9C", "AD", "8D", "KC"], some perhaps unused.
 * `bets` are stakes by name, { banker: "20" }.
 *
 * winner, totals  { winner: "tie", player: { total: 1 }, banker: { total: 1 } }
 * cards           player: { total: 1, cards: ["4H", "9C", "8D"] }, and banker likewise
 * natural, pairs  natural: "none" (or player, banker, both), pairs: { player: false, banker: false }
 * net             net: { banker: "19" }, what a bet adds to the balance: text as "-20", "2.5", "1/3"
 */
function play(cards, bets) {
  throw new Error("fill me in");
}

/** Answer one case; what `play` throws is an error of this case alone. */
async function answer({ cards, bets = {}, choices }) {
  if (choices) return { skipped: "this adapter passes no choices on" };
  try {
    return await play(cards, bets);
  } catch (error) {
    return { error: String(error) };
  }
}

/** Answer each line with a line; what your program logs goes to standard error. */
async function main() {
  console.log = console.info = console.debug = console.error;
  const { createInterface } = await import("readline");
  for await (const line of createInterface({ input: process.stdin })) {
    const { cmd, seq, cases } = JSON.parse(line);
    if (cmd === "stop") break;
    let reply = START;
    if (cmd === "run") {
      reply = { seq, results: [] };
      for (const one of cases) reply.results.push({ id: one.id, ...(await answer(one)) });
    }
    process.stdout.write(JSON.stringify(reply) + "\n");
  }
}

main();

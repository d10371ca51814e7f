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
  const shoe = cards[Symbol.iterator]();
  const deal = () => shoe.next().value;
  const [player, banker] = [[], []];
  for (const hand of [player, banker, player, banker]) hand.push(deal());
  const naturals = [player, banker].map((hand) => total(hand) >= 8);
  if (!naturals.includes(true)) {
    const first = total(banker);
    if (total(player) <= 5) player.push(deal());
    if (bankerDraws(first, player[2])) banker.push(deal());
  }
  const [p, b] = [total(player), total(banker)];
  const winner = p > b ? "player" : b > p ? "banker" : "tie";
  return {
    winner,
    player: { total: p, cards: player },
    banker: { total: b, cards: banker },
    natural: naturals[0] ? (naturals[1] ? "both" : "player") : naturals[1] ? "banker" : "none",
    pairs: { player: player[0][0] === player[1][0], banker: banker[0][0] === banker[1][0] },
    net: Object.fromEntries(Object.entries(bets).map(([bet, stake]) => [bet, net(bet, Number(stake), winner)])),
  };
}

/** The points of a card: aces are one, tens and court cards nothing. */
function points(card) {
  return card[0] === "A" ? 1 : Number(card[0]) || 0;
}

function total(hand) {
  return hand.reduce((sum, card) => sum + points(card), 0) % 10;
}

/** Whether the banker draws on a total of two cards, after the player's third card if there is one. */
function bankerDraws(banker, playerThird) {
  if (playerThird === undefined) return banker <= 5;
  const third = points(playerThird);
  const from = [0, 0, 0, 0, 2, 4, 6][banker];
  return banker <= 2 || (banker === 3 ? third !== 8 : third >= from && third <= 7);
}

/** What a bet adds to the balance, as text; a tie returns stakes on the hands. */
function net(bet, stake, winner) {
  if (bet === winner) return String(bet === "tie" ? stake * 8 : bet === "banker" ? (stake * 95) / 100 : stake);
  return String(winner === "tie" ? 0 : -stake);
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

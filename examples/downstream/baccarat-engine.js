// Adapter for the npm package baccarat-engine, whose own engine plays every coup. It translates how cards, winners and
// pairs are written, and nothing else.
//
//     node baccarat-engine.js FOLDER [OBSERVABLE]...
//
// FOLDER holds the package; without observables all that the package tells are reported.

const path = require("path");
const { createInterface } = require("readline");

const [folder, ...chosen] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node baccarat-engine.js FOLDER [OBSERVABLE]...");
  process.exit(2);
}
const { BaccaratGameEngine, Card } = require(path.resolve(folder));
const { name, version } = require(path.resolve(folder, "package.json"));

const OBSERVABLES = ["winner", "totals", "cards", "natural", "pairs"];
const SUITS = { C: "club", D: "diamond", H: "heart", S: "spade" };

const START = {
  protocol: 2,
  implementation: { name, version, language: "node" },
  rules: ["*"],
  kinds: ["coup"],
  observables: chosen.length ? chosen : OBSERVABLES,
};

/** The shoe deals from the end of its array. When it is empty it makes itself a new one: a card from that has no text. */
function play(texts) {
  const engine = new BaccaratGameEngine();
  const written = new Map(texts.map((text) => [new Card(SUITS[text[1]], text[0] === "T" ? "10" : text[0]), text]));
  engine.shoe.cards = [...written.keys()].reverse();
  const hand = engine.dealGame();
  const { outcome, natural, pair } = engine.resultsEngine.calculateGameResult(hand);
  const side = (cards) => ({
    total: engine.resultsEngine.calculateHandValue(cards),
    cards: cards.map((card) => written.get(card) || card.toString()),
  });
  return {
    winner: outcome,
    player: side(hand.playerCards),
    banker: side(hand.bankerCards),
    natural: natural.replace(/[89]$/, ""),
    pairs: { player: pair === "player" || pair === "both", banker: pair === "banker" || pair === "both" },
  };
}

function answer({ id, cards, choices }) {
  if (choices) return { id, skipped: "the package offers no choices" };
  try {
    return { id, ...play(cards) };
  } catch (error) {
    return { id, error: String(error) };
  }
}

async function main() {
  console.log = console.info = console.debug = console.error;
  for await (const line of createInterface({ input: process.stdin })) {
    const { cmd, seq, cases } = JSON.parse(line);
    if (cmd === "stop") break;
    process.stdout.write(JSON.stringify(cmd === "run" ? { seq, results: cases.map(answer) } : START) + "\n");
  }
}

main();

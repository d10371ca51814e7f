// Adapter for Rust 1.62 or newer, run with rustc 1.95 in the tests of baccarat-oracle. Save as mine.rs, fill in play,
// take out of "observables" what it doesn't report, rustc -O mine.rs, baccarat-oracle test --rules home-pt -- ./mine
use std::{collections::BTreeMap, io, panic};

// The rules are those that play follows; with "*" it is asked about any.
const START: &str = r#"{"protocol":2,"kinds":["coup"],"rules":["*"],
    "implementation":{"name":"mine","version":"1.0","language":"rust"},
    "observables":["winner","totals","cards","natural","pairs","net"]}"#;

#[derive(Default)]
struct Coup {
    winner: &'static str,  // player, banker or tie
    natural: &'static str, // none, player, banker or both
    player: Hand,
    banker: Hand,
    net: BTreeMap<String, String>, // what each bet adds to the balance: text as "19", "-20", "2.5", "1/3"
}

#[derive(Default)]
struct Hand { total: u32, cards: Vec<String>, pair: bool } // cards in the order drawn; pair: of the first two

/// Play one coup: call your program here, and return what it says, the rest as Default::default(). Cards come in the
/// order in which they leave the shoe, ["4H", "2S", "9C", "AD", "8D", "KC"], some perhaps unused; bets are stakes by
/// name, {"banker": "20"}.
fn play(cards: &[&str], bets: &BTreeMap<&str, &str>) -> Result<Coup, String> {
    let mut shoe = cards.iter().copied();
    let mut deal = || shoe.next().ok_or("the shoe is empty");
    let (mut player, mut banker) = (vec![], vec![]);
    for _ in 0..2 {
        player.push(deal()?);
        banker.push(deal()?);
    }
    let (p, b) = (total(&player), total(&banker));
    let natural = match (p >= 8, b >= 8) {
        (true, true) => "both",
        (true, false) => "player",
        (false, true) => "banker",
        (false, false) => "none",
    };
    if natural == "none" {
        if p <= 5 {
            player.push(deal()?);
        }
        if player.get(2).map_or(b <= 5, |third| banker_draws(b, points(third))) {
            banker.push(deal()?);
        }
    }
    let (player, banker) = (hand(&player), hand(&banker));
    let winner = match player.total.cmp(&banker.total) {
        std::cmp::Ordering::Greater => "player",
        std::cmp::Ordering::Less => "banker",
        std::cmp::Ordering::Equal => "tie",
    };
    let mut net = BTreeMap::new();
    for (bet, stake) in bets {
        let stake = stake.parse().map_err(|_| format!("a stake of {stake}"))?;
        net.insert(bet.to_string(), change(bet, stake, winner));
    }
    Ok(Coup { winner, natural, player, banker, net })
}

/// Aces are one, tens and court cards nothing.
fn points(card: &str) -> u32 {
    if card.starts_with('A') { 1 } else { card.chars().next().and_then(|rank| rank.to_digit(10)).unwrap_or(0) }
}

fn total(cards: &[&str]) -> u32 {
    cards.iter().map(|card| points(card)).sum::<u32>() % 10
}

/// Whether the banker draws on a total of two cards when the player drew a third card of these points.
fn banker_draws(banker: u32, third: u32) -> bool {
    match banker {
        0..=2 => true,
        3 => third != 8,
        4 => (2..=7).contains(&third),
        5 => (4..=7).contains(&third),
        6 => (6..=7).contains(&third),
        _ => false,
    }
}

fn hand(cards: &[&str]) -> Hand {
    let pair = cards[0][..1] == cards[1][..1];
    Hand { total: total(cards), cards: cards.iter().map(|card| card.to_string()).collect(), pair }
}

/// What a bet on a whole stake adds to the balance, as text; a tie returns stakes on the hands.
fn change(bet: &str, stake: i64, winner: &str) -> String {
    let hundredths = match bet {
        _ if bet != winner => if winner == "tie" { 0 } else { -100 * stake },
        "tie" => 800 * stake,
        "banker" => 95 * stake,
        _ => 100 * stake,
    };
    format!("{hundredths}/100")
}

fn answer(case: &str) -> String {
    let (id, cards, bets) = (texts(case, r#""id":"#)[0], texts(case, r#""cards":["#), texts(case, r#""bets":{"#));
    let bets = bets.chunks(2).map(|bet| (bet[0], bet[1])).collect();
    if case.contains(r#""choices":"#) {
        return format!(r#"{{"id":{id:?},"skipped":"this adapter passes no choices on"}}"#);
    }
    match panic::catch_unwind(|| play(&cards, &bets)).unwrap_or(Err("panicked".into())) {
        Err(why) => format!(r#"{{"id":{id:?},"error":{why:?}}}"#),
        Ok(Coup { winner, natural, player: p, banker: b, net }) => format!(
            r#"{{"id":{id:?},"winner":{winner:?},"natural":{natural:?},"player":{{"total":{},"cards":{:?}}},
            "banker":{{"total":{},"cards":{:?}}},"pairs":{{"player":{},"banker":{}}},"net":{net:?}}}"#,
            p.total, p.cards, b.total, b.cards, p.pair, b.pair),
    }
}

// What is quoted behind a key. This relies on messages without spaces, and texts without brackets and escapes.
fn texts<'a>(case: &'a str, key: &str) -> Vec<&'a str> {
    let rest = case.split(key).nth(1).unwrap_or("");
    rest.split([']', '}']).next().unwrap_or("").split('"').skip(1).step_by(2).collect()
}

fn main() {
    for line in io::stdin().lines().map_while(Result::ok).take_while(|line| !line.contains(r#""cmd":"stop""#)) {
        let reply = match line.split_once(r#""seq":"#) {
            None => START.to_string(),
            Some((_, seq)) => format!(r#"{{"results":[{}],"seq":{}}}"#,
                line.split("},{").map(answer).collect::<Vec<_>>().join(","), seq.split([',', '}']).next().unwrap()),
        };
        println!("{}", reply.replace('\n', ""));
    }
}

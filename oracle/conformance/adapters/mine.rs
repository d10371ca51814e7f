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
    Err("fill me in".into())
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

// Adapter for Go 1.18 or newer, run with Go 1.19 in the tests of baccarat-oracle. Save it as mine.go, fill in play,
// take out of "observables" what it doesn't report, go build mine.go, baccarat-oracle test --rules home-pt -- ./mine
package main

import "encoding/json"
import "fmt"
import "math/big"
import "os"

type object map[string]any

var start = object{"protocol": 2, "kinds": []string{"coup"},
	"implementation": object{"name": "mine", "version": "1.0", "language": "go"},
	"rules":          []string{"*"}, // the rule sets that play follows; with "*" it is asked about any
	"observables":    []string{"winner", "totals", "cards", "natural", "pairs", "net"}}

// Play one coup: call your program here, and return what it says. cards come in the order in which they leave the
// shoe, [4H 2S 9C AD 8D KC], some perhaps unused; bets are stakes by name, map[banker:20].
// winner, totals  object{"winner": "tie", "player": object{"total": 1}, "banker": object{"total": 1}}
// cards           "player": object{"total": 1, "cards": []string{"4H", "9C", "8D"}}, and "banker" likewise
// natural, pairs  "natural": "none" (or player, banker, both), "pairs": object{"player": false, "banker": false}
// net             "net": object{"banker": "19"}, what a bet adds to the balance: text as "-20", "2.5", "1/3"
func play(cards []string, bets map[string]string) object {
	var player, banker []string
	deal := func(hand *[]string) {
		*hand, cards = append(*hand, cards[0]), cards[1:]
	}
	for i := 0; i < 2; i++ {
		deal(&player)
		deal(&banker)
	}
	p, b := total(player), total(banker)
	natural := "none"
	switch {
	case p >= 8 && b >= 8:
		natural = "both"
	case p >= 8:
		natural = "player"
	case b >= 8:
		natural = "banker"
	default:
		if p <= 5 {
			deal(&player)
		}
		if len(player) == 2 && b <= 5 || len(player) == 3 && bankerDraws(b, points(player[2])) {
			deal(&banker)
		}
	}
	p, b = total(player), total(banker)
	winner := "tie"
	if p > b {
		winner = "player"
	} else if b > p {
		winner = "banker"
	}
	net := map[string]string{}
	for bet, stake := range bets {
		net[bet] = change(bet, stake, winner)
	}
	return object{
		"winner":  winner,
		"player":  object{"total": p, "cards": player},
		"banker":  object{"total": b, "cards": banker},
		"natural": natural,
		"pairs":   object{"player": player[0][0] == player[1][0], "banker": banker[0][0] == banker[1][0]},
		"net":     net,
	}
}

// points of a card: aces are one, tens and court cards nothing.
func points(card string) int {
	switch rank := card[0]; {
	case rank == 'A':
		return 1
	case rank >= '2' && rank <= '9':
		return int(rank - '0')
	}
	return 0
}

func total(hand []string) (sum int) {
	for _, card := range hand {
		sum += points(card)
	}
	return sum % 10
}

// bankerDraws on a total of two cards when the player drew a third card of these points?
func bankerDraws(banker, third int) bool {
	switch banker {
	case 0, 1, 2:
		return true
	case 3:
		return third != 8
	case 4, 5, 6:
		return third >= 2*banker-6 && third <= 7
	}
	return false
}

// change is what a bet adds to the balance, as text; a tie returns stakes on the hands.
func change(bet, stake, winner string) string {
	amount, ok := new(big.Rat).SetString(stake)
	if !ok {
		panic("a stake of " + stake)
	}
	odds := map[string]*big.Rat{"player": big.NewRat(1, 1), "banker": big.NewRat(95, 100), "tie": big.NewRat(8, 1)}[bet]
	if bet != winner {
		odds = big.NewRat(-1, 1)
		if winner == "tie" {
			odds = new(big.Rat)
		}
	}
	return amount.Mul(amount, odds).RatString()
}

type message struct {
	Cmd   string
	Seq   int
	Cases []struct {
		ID            string
		Cards         []string
		Bets, Choices map[string]string
	}
}

func answer(cards []string, bets map[string]string) (result object) {
	defer func() { // a panic is an error of this case alone
		if why := recover(); why != nil {
			result = object{"error": fmt.Sprint(why)}
		}
	}()
	return play(cards, bets)
}

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	os.Stdout = os.Stderr // where what your program prints belongs
	for got := (message{}); in.Decode(&got) == nil && got.Cmd != "stop"; got = (message{}) {
		results := make([]object, len(got.Cases))
		for i, one := range got.Cases {
			if results[i] = answer(one.Cards, one.Bets); one.Choices != nil {
				results[i] = object{"skipped": "this adapter passes no choices on"}
			}
			results[i]["id"] = one.ID
		}
		out.Encode(map[string]object{"start": start, "run": {"seq": got.Seq, "results": results}}[got.Cmd])
	}
}

// Adapter for Go 1.18 or newer, run with Go 1.19 in the tests of baccarat-oracle. Save it as mine.go, fill in play,
// take out of "observables" what it doesn't report, go build mine.go, baccarat-oracle test --rules home-pt -- ./mine
package main

import "encoding/json"
import "fmt"
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
	panic("fill me in")
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

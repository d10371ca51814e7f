// Adapter for C++17 or newer, run with gcc 12 in the tests of baccarat-oracle. Save it as mine.cpp, fill in play, take
// out of "observables" what it doesn't report, c++ -std=c++17 -o mine mine.cpp, then:
// baccarat-oracle test --rules home-pt -- ./mine
#include <iomanip>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
using std::quoted, std::string;
const string start = R"({"protocol":2,"kinds":["coup"],"rules":["*"],)"  // the rule sets that play follows; "*": any
    R"("implementation":{"name":"mine","version":"1.0","language":"cpp"},)"
    R"("observables":["winner","totals","cards","natural","pairs","net"]})";
using Cards = std::vector<string>;      // as "4H", in the order of the shoe, or of a hand
using Bets = std::map<string, string>;  // by name: stakes, as "20", or what they add, as "19", "-20", "2.5", "1/3"
struct Hand { int total = 0; Cards cards; bool pair = false; };  // pair: of the first two cards
struct Coup { string winner, natural; Hand player, banker; Bets net; };

// Play one coup: call your program here, and return what it says; throw why it can't. Some cards are perhaps unused.
Coup play(const Cards& cards, const Bets& stakes) {
    throw std::logic_error("fill me in");
}

struct Case { string id; Cards cards; Bets bets; bool choices = false; };
std::ostream out(std::cout.rdbuf());
void answer(const Case& asked) try {
    out << "\"id\":" << quoted(asked.id);
    if (asked.choices) throw std::logic_error("this adapter passes no choices on");
    const Coup c = play(asked.cards, asked.bets);
    out << ",\"winner\":" << quoted(c.winner) << ",\"natural\":" << quoted(c.natural) << ",\"pairs\":{\"player\":"
        << std::boolalpha << c.player.pair << ",\"banker\":" << c.banker.pair << "},\"net\":{";
    for (auto& [bet, net] : c.net) out << (bet == c.net.begin()->first ? "" : ",") << quoted(bet) << ':' << quoted(net);
    for (auto* h : {&c.player, &c.banker}) {
        out << (h == &c.player ? "},\"player\"" : "]},\"banker\"") << ":{\"total\":" << h->total << ",\"cards\":[";
        for (auto& card : h->cards) out << (&card == &h->cards[0] ? "" : ",") << quoted(card);
    }
    out << "]}";
} catch (const std::exception& error) { out << ",\"error\":" << quoted(error.what()); }

void run(const string& line) {  // keys come in any order; texts hold no escapes, and no space stands before a colon
    std::map<int, string> key; Case c;
    out << "{\"seq\":" << std::stol(line.substr(line.find("\"seq\":") + 6)) << ",\"results\":[";
    for (std::size_t at = 0, depth = 0, done = 0; at < line.size(); at++) {
        if ((line[at] == '{' || line[at] == '[') && ++depth == 3) c = Case();
        if ((line[at] == '}' || line[at] == ']') && depth-- == 3) out << (done++ ? ",{" : "{"), answer(c), out << '}';
        if (line[at] != '"') continue;
        const string text = line.substr(at + 1, line.find('"', at + 1) - at - 1);
        if (line[(at += text.size() + 1) + 1] == ':') c.choices |= (key[depth] = text) == "choices";
        else if (key[3] == "id") c.id = text;
        else if (key[3] == "cards") c.cards.push_back(text); else if (key[3] == "bets") c.bets[key[4]] = text;
    }
    out << "]}";
}

int main() {
    std::cout.rdbuf(std::cerr.rdbuf());  // what your program prints by std::cout goes to standard error
    for (string line; std::getline(std::cin, line) && line.find("\"cmd\":\"stop\"") == string::npos; out << std::endl)
        if (line.find("\"cmd\":\"run\"") != string::npos) run(line); else out << start;
}

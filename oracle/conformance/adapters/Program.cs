// Untested: the tests of baccarat-oracle run no .NET. For C# 10 and .NET 6 or newer: `dotnet new console`, save this as
// Program.cs, fill in Play, take out of "observables" what it doesn't report, `dotnet build`, then
//
//     baccarat-oracle test --rules home-pt -- dotnet run --no-build
using System;
using System.Collections.Generic;
using System.Linq;
using static System.Text.Json.JsonSerializer;
using System.Text.Json.Nodes;

record Case(string id, string[] cards, Dictionary<string, string>? bets, Dictionary<string, string>? choices);
record Message(string cmd, int seq, Case[]? cases);

static class Mine
{
    static readonly object Start = new
    {
        protocol = 2,
        implementation = new { name = "mine", version = "1.0", language = "csharp" },
        rules = new[] { "*" }, // the rule sets that Play follows; with "*" it is asked about any
        kinds = new[] { "coup" },
        observables = new[] { "winner", "totals", "cards", "natural", "pairs", "net" },
    };

    /// Play one coup: call your program here, and return what it says. Cards come in the order in which they leave the
    /// shoe, 4H 2S 9C AD 8D KC, some perhaps unused; bets are stakes by name, banker: "20".
    /// winner, totals  new { winner = "tie", player = new { total = 1 }, banker = new { total = 1 } }
    /// cards           player = new { total = 1, cards = new[] { "4H", "9C", "8D" } }, and banker likewise
    /// natural, pairs  natural = "none" (or player, banker, both), pairs = new { player = false, banker = false }
    /// net             net = new { banker = "19" } or a dictionary: what a bet adds, text as "-20", "2.5", "1/3"
    static object Play(string[] cards, Dictionary<string, string> bets)
    {
        throw new NotImplementedException("fill me in");
    }

    static object Answer(Case one) // what Play throws is an error of this case alone
    {
        if (one.choices != null) return new { skipped = "this adapter passes no choices on" };
        try { return Play(one.cards, one.bets ?? new Dictionary<string, string>()); }
        catch (Exception error) { return new { error = error.Message }; }
    }
    static JsonNode Under(string id, object said) { var node = SerializeToNode(said)!; node["id"] = id; return node; }

    static void Main()
    {
        var output = Console.Out;
        Console.SetOut(Console.Error); // where what your program prints belongs
        while (Console.ReadLine() is string line)
        {
            var message = Deserialize<Message>(line)!;
            if (message.cmd == "stop") return;
            object reply = message.cmd == "start"
                ? Start
                : new { message.seq, results = message.cases!.Select(one => Under(one.id, Answer(one))).ToArray() };
            output.WriteLine(Serialize(reply));
            output.Flush();
        }
    }
}

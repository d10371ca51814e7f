// Adapter for Java 11 or newer, run with Java 17 in the tests of baccarat-oracle. Save it as Mine.java, fill in `play`,
// take out of "observables" what it doesn't report, then: baccarat-oracle test --rules home-pt -- java Mine.java
import java.io.*; import java.util.*; import java.util.regex.*;
import static java.util.stream.Collectors.*;

@SuppressWarnings("unchecked") class Mine {
    static final Map<String, ?> START = Map.of("protocol", 2, "kinds", List.of("coup"),
        "implementation", Map.of("name", "mine", "version", "1.0", "language", "java"),
        "rules", List.of("*"), // the rule sets that `play` follows; with "*" it is asked about any
        "observables", List.of("winner", "totals", "cards", "natural", "pairs", "net"));

    /* Play one coup: call your program here, and return what it says. `cards` come in the order in which they leave
       the shoe, [4H, 2S, 9C, AD, 8D, KC], some perhaps unused; `bets` are stakes by name, {banker=20}.
       winner, totals  Map.of("winner", "tie", "player", Map.of("total", 1), "banker", Map.of("total", 1))
       cards           "player", Map.of("total", 1, "cards", List.of("4H", "9C", "8D")), and "banker" likewise
       natural, pairs  "natural", "none" (or player, banker, both), "pairs", Map.of("player", false, "banker", false)
       net             "net", Map.of("banker", "19"), what a bet adds to the balance: text as "-20", "2.5", "1/3" */
    static Map<String, ?> play(List<String> cards, Map<String, String> bets) {
        throw new UnsupportedOperationException("fill me in");
    }

    static Object answer(Map<String, Object> one) { // what `play` throws is an error of this case alone
        var said = new HashMap<String, Object>(Map.of("id", one.get("id")));
        var bets = (Map<String, String>) one.getOrDefault("bets", Map.of());
        if (one.containsKey("choices")) said.put("skipped", "this adapter passes no choices on");
        else try { said.putAll(play((List<String>) one.get("cards"), bets)); }
        catch (Throwable error) { said.put("error", error.toString()); }
        return said;
    }

    static Object read(Matcher in) { // the JSON value that comes next, null for a closing bracket; no text has escapes
        String token = in.find() ? in.group() : "]";
        if (token.equals("]") || token.equals("}")) return null;
        if (token.startsWith("\"")) return token.substring(1, token.length() - 1);
        var list = new ArrayList<Object>();
        for (Object o; token.equals("[") && (o = read(in)) != null; ) list.add(o);
        var map = new HashMap<Object, Object>();
        for (Object key; token.equals("{") && (key = read(in)) != null; ) map.put(key, read(in));
        return token.equals("[") ? list : token.equals("{") ? map : Long.valueOf(token);
    }

    static String json(Object o) {
        if (o instanceof List) return ((List<?>) o).stream().map(Mine::json).collect(joining(",", "[", "]"));
        if (o instanceof Map) return ((Map<?, ?>) o).entrySet().stream()
            .map(entry -> json(entry.getKey()) + ":" + json(entry.getValue())).collect(joining(",", "{", "}"));
        return o instanceof String ? '"' + ((String) o).replaceAll("[\"\\\\\\p{Cntrl}]", " ") + '"' : String.valueOf(o);
    }

    public static void main(String[] arguments) {
        var out = System.out; System.setOut(System.err); // where what your program prints belongs
        for (var in = new BufferedReader(new InputStreamReader(System.in)).lines().iterator(); in.hasNext(); ) {
            var message = (Map<String, Object>) read(Pattern.compile("[\\[\\]{}]|\"[^\"]*\"|\\d+").matcher(in.next()));
            if (message.get("cmd").equals("stop")) return;
            if (message.get("cmd").equals("start")) out.println(json(START));
            else out.println(json(Map.of("seq", message.get("seq"), "results",
                ((List<Map<String, Object>>) message.get("cases")).stream().map(Mine::answer).collect(toList()))));
        }
    }
}

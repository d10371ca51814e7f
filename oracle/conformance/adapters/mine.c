/* Adapter for C99 or newer, run with gcc 12 in the tests of baccarat-oracle. Save it as mine.c, fill in play, take out
   of "observables" what it doesn't report, cc -o mine mine.c, then: baccarat-oracle test --rules home-pt -- ./mine */
#include <stdio.h>
#include <string.h>

static const char start[] = "{\"protocol\":2,\"kinds\":[\"coup\"],"
    "\"implementation\":{\"name\":\"mine\",\"version\":\"1.0\",\"language\":\"c\"},"
    "\"rules\":[\"*\"]," /* the rule sets that play follows; with "*" it is asked about any */
    "\"observables\":[\"winner\",\"totals\",\"cards\",\"natural\",\"pairs\",\"net\"]}";

enum { PLAYER, BANKER };
struct hand { int total, count, pair; const char *cards[3]; }; /* count of cards; pair 1 or 0: of the first two */
struct bet { const char *name, *stake; char net[32]; };        /* net: what it adds, as "19", "-20", "2.5", "1/3" */
struct coup {
    const char *id, *cards[32], *winner, *natural; /* asked: cards as "4H" in the order of the shoe, perhaps more */
    struct bet bets[32];                      /* asked: name and stake, as "banker" and "20"; reported: net */
    int card_count, bet_count, choices;       /* asked: how many of each */
    struct hand hands[2];                     /* reported, as winner and natural are */
};

/* Play one coup: call your program here, and fill in what it reports. Returns NULL, or in plain words why it can't. */
static const char *play(struct coup *coup) {
    return "fill me in";
}

static void answer(struct coup *c) {
    const char *why = c->choices ? "this adapter passes no choices on" : play(c), *pair[] = {"false", "true"};
    if (why) { printf("{\"id\":\"%s\",\"error\":\"%s\"}", c->id, why); return; }
    printf("{\"id\":\"%s\",\"winner\":\"%s\",\"natural\":\"%s\",\"pairs\":{\"player\":%s,\"banker\":%s},\"net\":{",
        c->id, c->winner, c->natural, pair[!!c->hands[PLAYER].pair], pair[!!c->hands[BANKER].pair]);
    for (int i = 0; i < c->bet_count; i++) printf("%s\"%s\":\"%s\"", i ? "," : "", c->bets[i].name, c->bets[i].net);
    for (int i = PLAYER; i <= BANKER; i++) {
        printf("%s,\"%s\":{\"total\":%d,\"cards\":[", i ? "]}" : "}", i ? "banker" : "player", c->hands[i].total);
        for (int k = 0; k < c->hands[i].count; k++) printf("%s\"%s\"", k ? "," : "", c->hands[i].cards[k]);
    }
    printf("]}}");
}

static void run(char *p) { /* keys come in any order; texts hold no escapes, and no space stands before a colon */
    char *key[9] = {"", "", "", ""}, *text, *seq = strstr(p, "\"seq\":") + 6;
    struct coup c = {0};
    printf("{\"seq\":%.*s,\"results\":[", (int)strspn(seq, "0123456789"), seq);
    for (int depth = 0, done = 0; *p; p++) {
        if ((*p == '{' || *p == '[') && ++depth == 3) c = (struct coup){.id = "", .winner = "", .natural = ""};
        if ((*p == '}' || *p == ']') && depth-- == 3) { if (done++) putchar(','); answer(&c); }
        if (*p == '"') *(p = strchr(text = p + 1, '"')) = 0; else continue;
        if (p[1] == ':') c.choices |= !strcmp(key[depth] = text, "choices");
        else if (!strcmp(key[3], "id")) c.id = text;
        else if (!strcmp(key[3], "cards") && c.card_count < 32) c.cards[c.card_count++] = text;
        else if (!strcmp(key[3], "bets") && c.bet_count < 32) c.bets[c.bet_count++] = (struct bet){key[4], text, ""};
    }
    puts("]}");
}

int main(void) {
    static char line[(4 << 20) + 2]; /* the longest that there is, and its end */
    while (!fflush(stdout) && fgets(line, sizeof line, stdin) && !strstr(line, "\"cmd\":\"stop\""))
        if (strstr(line, "\"cmd\":\"run\"")) run(line); else puts(start);
}

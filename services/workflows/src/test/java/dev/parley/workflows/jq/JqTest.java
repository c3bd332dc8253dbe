package dev.parley.workflows.jq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.thisptr.jackson.jq.BuiltinFunctionLoader;
import net.thisptr.jackson.jq.JsonQuery;
import net.thisptr.jackson.jq.Scope;
import net.thisptr.jackson.jq.Versions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class JqTest {
    private static final ObjectMapper JACKSON = new ObjectMapper();

    private static final String DATA = """
            {"name":"Ada","age":36,"tags":["b","a","c","a"],"price":12.5,"none":null,"yes":true,"no":false,
             "items":[{"id":1,"kind":"x","n":3},{"id":2,"kind":"y","n":1},{"id":3,"kind":"x","n":2}],
             "deep":{"a":{"b":[1,[2,[3]]]}},"text":"Hello, World! 123"}
            """;

    static final List<String> SAME = List.of(
            ".",
            ".name",
            ".items[0].id",
            ".items[].id",
            ".missing",
            ".missing.more",
            ".items[-1]",
            ".tags[1:3]",
            ".tags[:2]",
            ".tags[-2:]",
            ".name[1:]",
            ".[\"name\"]",
            ".\"name\"",
            ".items | length",
            ".name, .age",
            "[.items[] | .id * 2]",
            "[.items[].n] | add",
            ".items | map(.id)",
            ".items | map(select(.kind == \"x\"))",
            ".age + 1",
            ".age - 1",
            ".age / 2",
            ".age % 5",
            "\"a\" + \"b\"",
            "[1,2] + [3]",
            "{a:1} + {b:2}",
            "{a:{x:1}} * {a:{y:2}}",
            "[1,2,3] - [2]",
            "\"a,b\" / \",\"",
            "null + 1",
            ".none // \"x\"",
            ".no // .missing // 3",
            "(.items[] | select(.id > 5)) // \"no\"",
            "1 == 1.0",
            "[1,2] < [1,3]",
            "{} < []",
            "\"a\" < \"b\"",
            ".yes and .no",
            ".yes or .no",
            "(true, false) and (true, false)",
            ".yes | not",
            "if .age > 30 then \"old\" elif .age > 10 then \"mid\" else \"young\" end",
            "[.items[] | if .kind == \"x\" then .id else empty end]",
            "(1,2) + (10,20)",
            "[(1,2) * (3,4)]",
            "{a: (1,2), b: (3,4)}",
            "{name, age}",
            "{(\"a\" + \"b\"): 1}",
            "{\"x\\(.age)\": .name}",
            "{name: .name, list: [.tags[]]}",
            "\"Hi \\(.name), you are \\(.age)\"",
            "\"\\(1,2) \\(3,4)\"",
            "[.tags[] as $t | $t + \"!\"]",
            ". as {name: $n, age: $a} | [$n, $a]",
            ".items[] as {id: $i, $n} | $i + $n",
            "[[1,[2,3]],[4,[5,6]]] | [.[] as [$a, [$b, $c]] | $a + $b + $c]",
            "reduce .items[].n as $n (0; . + $n)",
            "[foreach .items[].n as $n (0; . + $n)]",
            "[foreach .items[].n as $n (0; . + $n; [$n, .])]",
            "def f: . * 2; [.items[].n | f]",
            "def f(g): [g, g]; f(.age)",
            "def f($x): $x + 1; f(1)",
            "def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; 5 | fac",
            "[limit(2; .tags[])]",
            "first(.tags[])",
            "[.[]?]",
            "[.tags | .[]?, .a?]",
            "try error(\"x\") catch .",
            "try (1, error(\"x\"), 3) catch .",
            "[.items[] | try (if .id == 2 then error(\"two\") else .id end) catch \"E\"]",
            "[.. | numbers]",
            "[..] | length",
            "[.deep | .. | scalars]",
            "keys",
            "keys_unsorted | length",
            ".items | map(keys)",
            "has(\"name\")",
            ".items[0] | has(\"zip\")",
            ".tags | has(5)",
            "to_entries | map(.key)",
            ".items[0] | with_entries(.value |= tostring)",
            "[{key:\"a\",value:1},{name:\"b\",value:2}] | from_entries",
            ".tags | sort",
            ".items | sort_by(.n) | map(.id)",
            ".items | sort_by(.kind, .n) | map(.id)",
            ".items | group_by(.kind) | map(length)",
            ".tags | unique",
            ".items | unique_by(.kind) | map(.id)",
            ".items | min_by(.n) | .id",
            ".items | max_by(.n) | .id",
            "[3,1,2] | min, max",
            ".tags | reverse",
            ".deep.a.b | flatten",
            ".deep.a.b | flatten(1)",
            ".tags | index(\"a\")",
            ".tags | indices(\"a\")",
            ".text | indices(\"l\")",
            ".tags | join(\"-\")",
            "[1,null,\"x\",true] | join(\",\")",
            ".text | split(\", \")",
            ".text | ascii_downcase",
            ".text | ascii_upcase",
            ".text | startswith(\"Hello\")",
            ".text | endswith(\"123\")",
            ".text | ltrimstr(\"Hello\")",
            ".text | rtrimstr(\"123\")",
            ".name | explode",
            "[65,66] | implode",
            ".text | test(\"w.r\"; \"i\")",
            ".text | [match(\"o\"; \"g\").offset]",
            ".text | capture(\"(?<w>W[a-z]+)\")",
            "[.text | scan(\"[0-9]\")]",
            ".text | sub(\"[0-9]+\"; \"#\")",
            ".text | gsub(\"[aeiou]\"; \"*\")",
            ".text | gsub(\"(?<v>[aeiou])\"; \"<\\(.v)>\")",
            "\"a1b2\" | [splits(\"[0-9]\")]",
            "\"abAB\" | test(\"B\")",
            "[1,2,3] | contains([2])",
            "{a:[1,2],b:3} | contains({a:[1]})",
            "\"foobar\" | contains(\"bar\")",
            "[2] | inside([1,2,3])",
            "[range(5)]",
            "[range(2;8;3)]",
            "[range(5;0;-2)]",
            "[range(0,1;3)]",
            "[.[] | type]",
            "tojson | fromjson | .age",
            ".age | tostring",
            "\"12\" | tonumber",
            "[1,[2]] | tojson",
            "@base64 \"x\\(.name)y\"",
            ".name | @base64 | @base64d",
            "[1,\"a\\\"b\",null] | @csv",
            "[1,\"a\\tb\"] | @tsv",
            "\"a b/ü\" | @uri",
            "[1,2] | @json",
            "[1,2] | @text",
            "path(.items[0].id)",
            "[paths(type == \"number\")]",
            "getpath([\"deep\",\"a\"])",
            "setpath([\"age\"]; 5) | .age",
            "del(.name, .items) | keys",
            "del(.tags[0,2]) | .tags",
            "delpaths([[\"tags\",0],[\"name\"]]) | .tags",
            ".age |= . + 1 | .age",
            ".items[].n |= . * 10 | [.items[].n]",
            ".age += 4 | .age",
            ".tags[0] = \"z\" | .tags",
            ".items |= map(select(.id != 2)) | length",
            ".new.inner = 1 | .new",
            ".none //= 7 | .none",
            ".tags[1:3] = [\"q\"] | .tags",
            "(.name, .age) = 0 | [.name, .age]",
            "to_entries | length",
            "[.items[] | {(.kind): .n}] | add",
            "map_values(type) | .age",
            "[.[] | arrays | length]",
            "all(.items[]; .n > 0)",
            "[true, false] | any, all",
            "[] | any, all",
            "[splits(\"a\")]?",
            "[1,2] | combinations?",
            "[[1,2],[3,4]] | [combinations]",
            "[0,1] | [combinations(2)]",
            "walk(if type == \"number\" then . + 1 else . end) | .age",
            "[[1,2],[3]] | transpose",
            "[1,2,3] | first, last, nth(1)",
            "[1,2,3] | .[1:] | .[0]",
            "label $f | 1, break $f, 2",
            "[label $f | range(10) | ., (if . > 2 then break $f else empty end)]",
            "[1,[2]] | getpath([1,0])",
            "[until(. > 100; . * 2)?]",
            "1 | until(. > 100; . * 2)",
            "[1 | while(. < 20; . * 2)]",
            "[recurse(if . < 3 then . + 1 else empty end)?]",
            "0 | [recurse(if . < 3 then . + 1 else empty end)]",
            "16 | sqrt",
            "2 | pow(.; 10)",
            "ascii?",
            "@text \"a\\(1)\"",
            ".items | map(.n) | add / length",
            "-(.age)",
            "[-1, - 2]",
            ".a.b.c = 5 | .a",
            ".items as [$first] | $first.id",
            "[.[] | strings]",
            "[.tags[] | ascii_downcase] | unique | length",
            ".. |= (if type == \"number\" then 0 else . end) | .age",
            "ltrimstr(1)",
            "[.[] | length?]",
            "{} | .a += 1",
            "{} | .a.b |= 3",
            "[3,2] | .[0] as $x | $x",
            "\"x\" * 3",
            "\"x\" as $x | \"y\" as $y | $x + $y",
            "[.items[] | .id as $i | $i, $i * 10]",
            "\"\\u00e9\\ud83d\\ude00\" | length",
            "{\"if\": 1, then: 2} | .if + .then",
            "..|.b?",
            "[.items[]|.n]|sort|.[length/2|floor]");

    private static List<String> ours(String expression, Json input) {
        try {
            return Jq.compile(expression, Set.of()).evaluate(input, Map.of(), Jq.Limits.STANDARD).stream()
                    .map(value -> plain(value.toString()))
                    .toList();
        } catch (JqSyntaxException e) {
            return List.of("syntax");
        } catch (JqException e) {
            return List.of("error");
        }
    }

    private static List<String> theirs(String expression) throws IOException {
        Scope scope = Scope.newEmptyScope();
        BuiltinFunctionLoader.getInstance().loadFunctions(Versions.JQ_1_6, scope);
        var results = new ArrayList<String>();
        try {
            JsonQuery query = JsonQuery.compile(expression, Versions.JQ_1_6);
            query.apply(scope, JACKSON.readTree(DATA), (JsonNode value) -> results.add(plain(value.toString())));
        } catch (net.thisptr.jackson.jq.exception.JsonQueryException e) {
            return List.of(e.getClass().getSimpleName().equals("JsonQuerySyntaxException") ? "syntax" : "error");
        }
        return results;
    }

    /** A canonical text of a value. */
    private static String plain(String json) {
        return JsonText.read(json)
                .toString()
                .replaceAll("(\\d\\.\\d*?)0+(?=[,\\]}]|$)", "$1")
                .replaceAll("\\.(?=[,\\]}]|$)", "");
    }

    @ParameterizedTest
    @FieldSource("SAME")
    @Tag("W31")
    void agreesWithAnotherImplementation(String expression) throws IOException {
        assertEquals(theirs(expression), ours(expression, JsonText.read(DATA)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "if .no then 1 end ~ {\"no\":false} ~ {\"no\":false}",
                "@html ~ \"<&'>\" ~ \"&lt;&amp;&#39;&gt;\"",
                "[paths] | length ~ {\"a\":[1,null]} ~ 3",
                "any(.[]; . > 2) ~ [1,3] ~ true",
                "any(.[]; . > 2) ~ [] ~ false",
                "all(.[]; . > 2) ~ [3,1] ~ false",
                "isempty(empty) ~ null ~ true",
                "isempty(1, error) ~ null ~ false",
                "[limit(4; 1 | repeat(. * 2))] ~ null ~ [1,2,4,8]",
                "[floor, ceil, round, fabs] ~ -1.7 ~ [-2,-1,-2,1.7]",
                "fromdate ~ \"2015-03-05T23:51:47Z\" ~ 1425599507",
                "todate ~ 1425599507 ~ \"2015-03-05T23:51:47Z\"",
                "[.[] | select(IN(\"x\", \"y\"))] ~ [\"x\",\"z\"] ~ [\"x\"]",
                "[tostream] ~ {\"a\":[1]} ~ [[[\"a\",0],1],[[\"a\",0]],[[\"a\"]]]",
                "fromstream(tostream) ~ {\"a\":[1,{\"b\":2}]} ~ {\"a\":[1,{\"b\":2}]}",
                "INDEX(.id) ~ [{\"id\":1}] ~ {\"1\":{\"id\":1}}",
                "[.[] as {a: $x, b: [$y]} | $x + $y] ~ [{\"a\":1,\"b\":[2]}] ~ [3]",
                "strftime(\"%Y-%m-%d %H:%M:%S %Z\") ~ 1425599507 ~ \"2015-03-05 23:51:47 UTC\"",
                "strptime(\"%Y-%m-%dT%H:%M:%SZ\") | mktime ~ \"2015-03-05T23:51:47Z\" ~ 1425599507",
                "strptime(\"%d %b %Y\") ~ \"05 Mar 2015\" ~ [2015,2,5,0,0,0,4,63]",
                "gmtime | mktime ~ 1425599507 ~ 1425599507",
                "try strftime(\"%Q\") catch . ~ 0 ~ \"strftime/1: %Q is not known\"",
                "@sh ~ [\"a b\",1] ~ \"'a b' 1\"",
                ".a?//1 ~ {} ~ 1",
                "try ((.a? // \"x\") | tonumber) catch \"caught\" ~ {\"a\":\"abc\"} ~ \"caught\"",
                "try (.a?.b? | error(\"x\")) catch . ~ {\"a\":{\"b\":1}} ~ \"x\"",
                "try (. as [$a] ?// $a | .[0]? | error(\"x\")) catch . ~ [1] ~ \"x\"",
                ".a = .b // 1 ~ {\"b\":2} ~ {\"b\":2,\"a\":2}",
                "0.1 + 0.2 ~ null ~ 0.3",
                "1 / 3 * 3 ~ null ~ 0.9999999999999999999999999999999999",
                "12.3400 ~ null ~ 12.3400",
                "100000000000000000001 + 1 ~ null ~ 100000000000000000002",
                "[limit(3; repeat(1))] ~ null ~ [null,1,1]",
                "pick(.a.b) ~ {\"a\":{\"b\":1,\"c\":2}} ~ {\"a\":{\"b\":1}}",
                ".colors + [\"red\"] ~ {} ~ [\"red\"]",
                "[.[] | trim] ~ [\" a \"] ~ [\"a\"]",
                "abs ~ -3 ~ 3",
                "toarray ~ 1 ~ [1]",
                "have_literal_numbers ~ null ~ true",
                "[skip(1; .[])] ~ [1,2] ~ [2]",
                "ltrimstr(\"a\") ~ \"ab\" ~ \"b\"",
                "reverse ~ \"abc\" ~ \"cba\"",
                "getpath([\"a\",\"b\"]) |= 5 ~ {} ~ {\"a\":{\"b\":5}}",
                ".[] += 1 ~ [1,2] ~ [2,3]",
                "(.[] | select(. > 1)) = 0 ~ [1,2,3] ~ [1,0,0]",
                ".[1] |= empty ~ [1,2,3] ~ [1,3]",
                "try (\"x\" | error) catch . ~ null ~ \"x\"",
                "[.[] as [$a] ?// $a | $a] ~ [[1],2] ~ [1,2]",
                "unique_by(length) ~ [\"a\",\"b\",\"cc\"] ~ [\"a\",\"cc\"]",
            })
    void evaluatesExpressions(String expression, String input, String expected) {
        assertEquals(
                List.of(expected),
                Jq.compile(expression, Set.of()).evaluate(JsonText.read(input), Map.of(), Jq.Limits.STANDARD).stream()
                        .map(Json::toString)
                        .toList());
    }

    @Test
    void evaluatesWithVariables() {
        Jq jq = Jq.compile("$order.total + . | [., $now, now]", Set.of("order", "now"));

        Json result = jq.first(
                Json.of(1), Map.of("order", Json.of("total", Json.of(41)), "now", Json.of(5)), Jq.Limits.STANDARD);

        assertEquals("[42,5,5]", result.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                ".a | ~ the end is not expected here",
                "foo ~ there is no function 'foo'; a text is written in quotes",
                "APPROVED ~ there is no function 'APPROVED'",
                "map(.a; .b) ~ map takes 1 arguments, not 2",
                "$x ~ $x is not defined here; there are $input",
                "\"abc ~ a string has no end",
                "\"a \\u+041\" ~ \\u requires four hexadecimal digits",
                "{a: ~ the end is not expected here",
                "[1, 2 ~ ']' is missing before the end",
                "if . then 1 ~ 'end' is missing before the end",
                ". as x | x ~ '{' is missing before 'x'",
                "@sql ~ there is no @sql",
                "1 2 ~ '2' is not expected here",
                "$__loc__ ~ $__loc__ is not available",
                "input ~ there is no function 'input'",
                "env ~ there is no function 'env'",
                "now ~ there is no function 'now'",
                "& ~ '&' is not expected here",
                "break $x ~ there is no label $x",
            })
    void reportsSyntaxErrors(String expression, String expected) {
        var refused = assertThrows(JqSyntaxException.class, () -> Jq.compile(expression, Set.of("input")));

        assertTrue(refused.getMessage().contains(expected), refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "reduce range(30) as $i (\"x\"; . + .)",
                "reduce range(1000000000) as $i (0; . + 1)",
                "[range(1000000000)]",
                "last(range(1e9))",
                "reduce range(40) as $i ([1]; . + .)",
                "reduce range(40) as $i ({}; {a: ., b: .}) | tojson",
                "\"x\" * 1000000000",
                "[limit(1000000000; repeat(1))]",
                "def f: f; f",
                "def f: 1 + f; f",
                "def f: [f, f]; f",
                "[recurse([., .])]",
                "until(false; . + 1)",
                "0 | [while(true; . + 1)]",
                "[.[1000000000]] | .[0][1000000000]",
                "null | .[999999] = 1 | .[999999] = 2 | .[999999] = 3",
                "[range(100000)] | map(tostring) | combinations(5)",
                "[range(2000)] | [combinations(2)]",
                "(1,2) | (.,.) | (.,.) | (.,.) | (.,.) | (.,.) | (.,.) | (.,.) | (.,.) | (.,.) | (.,.) | (.,.) | (.,.) | (.,.) | (.,.) | (.,.)| (.,.)| (.,.)",
                "reduce range(100000) as $i (0; [.]) | tojson",
                "try (reduce range(1000000000) as $i (0; . + 1)) catch 1",
                "first(range(1000000000) | select(. < 0)) // 1",
                "label $x | range(1000000000) | select(. < 0) | break $x",
                "[splits(\"\"; \"g\")] | until(false; .)",
                "\"a\" | until(length > 100000000; . + .)",
                "10 | until(false; . * .)",
            })
    @Tag("W31")
    void abortsEndlessOrHugeEvaluations(String expression) {
        Jq jq = Jq.compile(expression, Set.of());

        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
            RuntimeException stopped = assertThrows(
                    RuntimeException.class,
                    () -> jq.evaluate(Json.of("aaaaaaaa"), Map.of(), Jq.Limits.STANDARD).stream()
                            .map(Json::toString)
                            .toList());
            assertTrue(stopped instanceof JqLimitException || stopped instanceof JqException, stopped.toString());
        });
    }

    @Test
    void matchesPatternsWithoutBacktracking() {
        Jq jq = Jq.compile("test(\"^(a+)+$\")", Set.of());

        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
            String text = "a".repeat(100_000);
            assertEquals(Json.of(false), jq.first(Json.of(text + "b"), Map.of(), Jq.Limits.STANDARD));
            assertEquals(Json.of(true), jq.first(Json.of(text), Map.of(), Jq.Limits.STANDARD));
        });
    }

    @Test
    void recursionLimitFitsASmallStack() throws InterruptedException {
        // Given
        var messages = new ArrayList<String>();
        Jq jq = Jq.compile("def f: 1 + (. as $x | [$x] | .[0] | f); f", Set.of());
        var thread = new Thread(
                null,
                () -> {
                    try {
                        jq.first(Json.of(1), Map.of(), Jq.Limits.STANDARD);
                    } catch (JqLimitException e) {
                        messages.add(e.getMessage());
                    }
                },
                "small",
                512 * 1024);

        // When
        thread.start();
        thread.join();

        // Then
        assertEquals(List.of("the expression calls itself more than 400 levels deep"), messages);
    }

    @Test
    void preludeCallsOnlyExistingFunctions() {
        var builtins = Builtins.all();
        assertTrue(builtins.size() > 150, builtins.toString());
        for (JqFilter.Function function : Builtins.PRELUDE.values()) {
            calls(function.body(), new java.util.HashSet<>(function.parameters()))
                    .forEach(call -> {
                        int slash = call.lastIndexOf('/');
                        List<String> arities = Builtins.aritiesOf(call.substring(0, slash));
                        assertTrue(arities.contains(call.substring(slash + 1)), function.key() + " calls " + call);
                    });
        }
    }

    /** The functions that a filter calls, except those that it defines. */
    private static List<String> calls(Object node, Set<String> defined) {
        var found = new ArrayList<String>();
        switch (node) {
            case JqFilter.Call(String name, List<JqFilter> arguments) -> {
                if (!defined.contains(name)) {
                    found.add(name + "/" + arguments.size());
                }
                arguments.forEach(argument -> found.addAll(calls(argument, defined)));
            }
            case JqFilter.Define(JqFilter.Function function, JqFilter body) -> {
                var inner = new java.util.HashSet<>(defined);
                inner.add(function.name());
                inner.addAll(function.parameters());
                found.addAll(calls(function.body(), inner));
                found.addAll(calls(body, inner));
            }
            case Record record -> {
                for (var component : record.getClass().getRecordComponents()) {
                    try {
                        var accessor = component.getAccessor();
                        accessor.setAccessible(true);
                        Object value = accessor.invoke(record);
                        if (value != null) {
                            found.addAll(calls(value, defined));
                        }
                    } catch (ReflectiveOperationException e) {
                        throw new LinkageError(record.toString(), e);
                    }
                }
            }
            case List<?> items -> items.forEach(item -> found.addAll(calls(item, defined)));
            default -> {}
        }
        return found;
    }
}

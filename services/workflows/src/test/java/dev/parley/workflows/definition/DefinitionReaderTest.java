package dev.parley.workflows.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.power.PowerGrants;
import dev.parley.workflows.expression.Template;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.work.CallExecutors;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DefinitionReaderTest {
    private static final String HEAD = """
            document:
              dsl: '1.0.3'
              namespace: test
              name: greet
              version: '1.0.0'
            """;

    private static List<DefinitionProblem> problems(String definition) {
        return assertThrows(InvalidDefinitionException.class, () -> DefinitionReader.read(definition))
                .problems();
    }

    @Test
    void aDefinitionIsRead() {
        Workflow workflow = DefinitionReader.read(HEAD + """
                do:
                  - greet:
                      set: { text: '${ "Hello " + .name }' }
                """);

        assertEquals("test:greet:1.0.0", workflow.reference());
        assertEquals("/do/0/greet", workflow.body().tasks().getFirst().pointer());
        assertTrue(workflow.warnings().isEmpty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "do: [{a: {sett: {x: 1}}}] ~ /do/0/a/sett ~ 'sett' is not known here; did you mean 'set'?",
                "do: [{a: {metadata: {}}}] ~ /do/0/a ~ the task does nothing; it has one of call, do,",
                "do: [{a: {set: {}, wait: PT1S}}] ~ /do/0/a ~ the task does several things: set, wait",
                "do: [{a: {set: {}, thn: end}}] ~ /do/0/a/thn ~ 'thn' is not known here; did you mean 'then'?",
                "do: [{a: {set: {}, then: b}}] ~ /do/0/a/then ~ there is no task 'b' in this list",
                "do: [{alpha: {set: {}, then: beta}}, {betta: {set: {}}}] ~ /do/0/alpha/then ~ did you mean 'betta'?",
                "do: [{a: {do: [{b: {set: {}, then: c}}]}}, {c: {set: {}}}] ~ /do/0/a/do/0/b/then ~ there is no task 'c' in this list",
                "do: [{a: {set: {}}}, {a: {set: {}}}] ~ /do/1/a ~ there are two tasks 'a' in this list",
                "do: [{a: {set: {}}, b: {set: {}}}] ~ /do/0 ~ an item of a list of tasks is one name",
                "do: [] ~ /do ~ 'do' is a list with at least one item",
                "do: [{a: {set: '${ .x + }'}}] ~ /do/0/a/set ~ is not valid jq: the end is not expected here",
                "do: [{a: {set: {deep: ['${ foo }']}}}] ~ /do/0/a/set/deep/0 ~ there is no function 'foo'",
                "do: [{a: {if: '$nope', set: {}}}] ~ /do/0/a/if ~ $nope is not defined here",
                "do: [{a: {call: htp}}] ~ /do/0/a/call ~ there is no function 'htp' in use.functions; did you mean 'http'?",
                "do: [{a: {call: http, with: {method: get}}}] ~ /do/0/a/with ~ 'with' needs 'endpoint'",
                "do: [{a: {call: http, with: {method: get, endpoint: {url: x}}}}] ~ /do/0/a/with/endpoint/url ~ did you mean 'uri'?",
                "do: [{a: {call: http}}] ~ /do/0/a/with ~ 'with' is missing",
                "do: [{a: {set: '${ $secrets.key }'}}] ~ /do/0/a/set ~ $secrets is not defined here",
                "do: [{a: {call: grpc, with: {proto: {endpoint: x}, method: m}}}] ~ /do/0/a/with ~ 'with' needs 'service'",
                "do: [{a: {call: grpc, with: {proto: x, method: m, service: {name: s, host: h}}}}] ~ /do/0/a/with/proto ~ 'proto' has members, not string",
                "do: [{a: {call: http, with: {method: get, endpoint: {uri: 'http://h', authentication: k}}}}] ~ /do/0/a/with/endpoint/authentication ~ there is no 'k' in use.authentications",
                "do: [{a: {call: grpc, with: {proto: {endpoint: x}, method: m, service: {name: s, prt: 1}}}}] ~ /do/0/a/with/service ~ 'service' needs 'host'",
                "do: [{a: {call: grpc, with: {proto: {endpoint: x}, method: m, service: {name: s, host: h, port: 65536}}}}] ~ /do/0/a/with/service/port ~ 'port' is a whole number from 1 to 65535",
                "do: [{a: {call: grpc, with: {proto: {endpoint: x}, method: m, service: {name: s, host: h, authentication: {use: k}}}}}] ~ /do/0/a/with/service/authentication/use ~ there is no 'k' in use.authentications",
                "do: [{a: {call: asyncapi, with: {document: {endpoint: x}, operation: o, subscription: {}}}}] ~ /do/0/a/with/subscription ~ needs 'consume'",
                "do: [{a: {call: asyncapi, with: {document: {endpoint: x}, operation: o, subscription: {consume: {}}}}}] ~ /do/0/a/with/subscription/consume ~ it has at least one of amount, for, while, until",
                "do: [{a: {call: asyncapi, with: {document: {endpoint: x}, operation: o, subscription: {consume: {amount: 1001}}}}}] ~ /do/0/a/with/subscription/consume/amount ~ a whole number from 0 to 1000",
                "do: [{a: {call: asyncapi, with: {document: {endpoint: x}, operation: o, subscription: {filter: '${ $nope }', consume: {amount: 1}}}}}] ~ /do/0/a/with/subscription/filter ~ $nope is not defined here",
                "do: [{a: {call: asyncapi, with: {document: {endpoint: x}, operation: o, protocol: http, subscription: {consume: {amount: 1}}}}}] ~ /do/0/a/with/protocol ~ channels of 'http' have no subscriptions here",
                "do: [{a: {call: asyncapi, with: {document: {endpoint: x}, operation: o, protocol: ws, message: {}}}}] ~ /do/0/a/with/protocol ~ the protocol 'ws' is not supported; kafka, kafka-secure, http, https are",
                "do: [{a: {call: asyncapi, with: {document: {endpoint: x}, operation: o}}}] ~ /do/0/a/with ~ 'with' has one of message, subscription",
                "do: [{a: {call: asyncapi, with: {document: {endpoint: x}, message: {}}}}] ~ /do/0/a/with ~ 'with' has one of operation, channel",
                "do: [{a: {wait: soon}}] ~ /do/0/a/wait ~ not a duration: use ISO 8601, such as PT15M",
                "do: [{a: {wait: {second: 1}}}] ~ /do/0/a/wait/second ~ did you mean 'seconds'?",
                "do: [{a: {raise: {error: lost}}}] ~ /do/0/a/raise/error ~ there is no 'lost' in use.errors",
                "do: [{a: {raise: {error: {type: x}}}}] ~ /do/0/a/raise/error ~ 'error' needs 'status'",
                "do: [{a: {try: [{b: {set: {}}}]}}] ~ /do/0/a ~ 'try' needs 'catch'",
                "do: [{a: {try: [{b: {set: {}}}], catch: {retry: often}}}] ~ /do/0/a/catch/retry ~ there is no 'often' in use.retries",
                "do: [{a: {switch: [{one: {when: '.x'}}]}}] ~ /do/0/a/switch/0/one ~ 'one' needs 'then'",
                "do: [{a: {switch: [{one: {then: end}}, {two: {then: end}}]}}] ~ /do/0/a/switch/1/two ~ only one case has no 'when'",
                "do: [{a: {for: {each: x}, do: [{b: {set: {}}}]}}] ~ /do/0/a/for ~ 'for' needs 'in'",
                "do: [{a: {for: {in: .x}}}] ~ /do/0/a/do ~ 'do' is missing",
                "do: [{a: {for: {each: 'no name', in: .x}, do: [{b: {set: {}}}]}}] ~ /do/0/a/for/each ~ is not a valid variable name",
                "do: [{a: {emit: {event: {with: {type: x}}}}}] ~ /do/0/a/emit/event/with ~ an event needs 'source'",
                "do: [{a: {ask: {prompt: x, assignment: {userId: bob}}}}] ~ /do/0/a/ask/assignment/userId ~ 'userId' is not known here",
                "do: [{a: {ask: {mode: shout, prompt: x}}}] ~ /do/0/a/ask/mode ~ 'mode' is one of text, choice, approval, confirm, form",
                "do: [{a: {listen: {to: {}}}}] ~ /do/0/a/listen/to ~ it has one of one, any, all",
                "do: [{a: {run: {container: {imag: x}}}}] ~ /do/0/a/run/container/imag ~ did you mean 'image'?",
                "do: [{a: {set: {}, timeout: brief}}] ~ /do/0/a/timeout ~ there is no 'brief' in use.timeouts",
                "do: [{a: {set: {}, input: {schema: {document: {type: nonsense}}}}}] ~ /do/0/a/input/schema/document ~ invalid JSON Schema",
                "do: [{a: {set: {}, input: {schema: {resource: {endpoint: x}}}}}] ~ /do/0/a/input/schema/resource ~ schemas are not fetched",
                "do: [{a: {call: agent, with: {agent: x, outputSchemaRef: y}}}] ~ /do/0/a/with/outputSchemaRef ~ there is no 'y' in outputSchemas",
                "do: [{a: {assert: {equals: 1}}}] ~ /do/0/a/assert ~ 'assert' needs 'value', 'rule', or 'json'",
                "do: [{a: {assert: {rule: adult}}}] ~ /do/0/a/assert/rule/name ~ there is no rule 'adult' in use.rules",
                "do: [{a: {call: rule, with: {input: 1}}}] ~ /do/0/a/with ~ 'with' needs 'rule'",
                "do: [{a: {call: rule, with: {rule: adult, inptu: 1}}}] ~ /do/0/a/with/inptu ~ did you mean 'input'?",
                "{do: [{a: {set: {}}}], schedule: {cron: '0 9 * *'}} ~ /schedule/cron ~ not a cron expression",
                "{do: [{a: {set: {}}}], schedule: {every: PT0.1S}} ~ /schedule/every ~ not a duration of at least 1 s",
                "{do: [{a: {set: {}}}], schedule: {every: PT1H, cron: '0 9 * * *'}} ~ /schedule ~ a schedule has one of every, cron",
                "{do: [{a: {set: {}}}], schedule: {cron: '0 9 * * *', timeZone: Mars}} ~ /schedule/timeZone ~ not a time zone",
                "{do: [{a: {set: {}}}], schedule: {cron: '0 9 * * *', misfire: maybe}} ~ /schedule/misfire ~ is one of skip, once, all",
                "{do: [{a: {set: {}}}], schedule: {on: {}}} ~ /schedule/on ~ it has one of one, any, all",
                "{do: [{a: {set: {}}}], dos: 1} ~ /dos ~ 'dos' is not known here; did you mean 'do'?",
            })
    @Tag("W6")
    @Tag("W30")
    void rejectsAnInvalidTaskWithItsPointer(String body, String pointer, String expected) {
        String yaml =
                body.startsWith("{") ? body.substring(1, body.length() - 1).replace("], ", "]\n") : body;
        List<DefinitionProblem> problems = problems(HEAD + yaml + "\n");

        DefinitionProblem problem = problems.stream()
                .filter(candidate -> candidate.pointer().equals(pointer))
                .findFirst()
                .orElseThrow(() -> new AssertionError(problems.toString()));
        assertTrue(problem.detail().contains(expected), problem.detail());
        assertTrue(problem.line() >= 6 && problem.column() >= 1, problem.toString());
    }

    @Test
    @Tag("W6")
    void theLineAndColumnAreThoseOfTheMistake() {
        // When
        List<DefinitionProblem> problems = problems(HEAD + """
                do:
                  - first:
                      set:
                        ok: true
                  - second:
                      call: http
                      wth: {}
                """);

        // Then
        assertEquals(
                "line 12, column 7: 'wth' is not known here; did you mean 'with'? (/do/1/second/wth)",
                problems.stream()
                        .filter(problem -> problem.pointer().endsWith("wth"))
                        .findFirst()
                        .orElseThrow()
                        .toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "namespace: test ~ namespace: 'a b' ~ /document/namespace",
                "version: '1.0.0' ~ version: 1.0 ~ /document/version",
                "version: '1.0.0' ~ version: 'latest' ~ /document/version",
                "version: '1.0.0' ~ version: '1.0.0-a.very.long.one.indeed' ~ /document/version",
                "dsl: '1.0.3' ~ dsl: '0.8' ~ /document/dsl",
                "name: greet ~ nam: greet ~ /document/nam",
            })
    void rejectsInvalidDocumentProperties(String replaced, String replacement, String pointer) {
        List<DefinitionProblem> problems = problems(HEAD.replace(replaced, replacement) + "do: [{a: {set: {}}}]\n");

        assertTrue(problems.stream().anyMatch(problem -> problem.pointer().equals(pointer)), problems.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "a: b: c ~ 1 ~ 5",
                "\\tdo: x ~ 1 ~ 1",
                "{ ~ 1 ~ 2",
                "a: 1\\na: 2 ~ 2 ~ 1",
                "? [1, 2]\\n: 3 ~ 1 ~ 3",
                "'' ~ 0 ~ 0"
            })
    @Tag("W6")
    void rejectsInvalidYaml(String text, int line, int column) {
        List<DefinitionProblem> problems = problems(text.translateEscapes());

        assertEquals(
                List.of(line + ":" + column),
                problems.stream()
                        .map(problem -> problem.line() + ":" + problem.column())
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "- "})
    void rejectsDeepNesting(String level) {
        for (int depth : new int[] {200, 100_000}) {
            assertEquals(
                    "it is nested more than 100 levels deep",
                    problems(level.repeat(depth) + "1" + closing(level).repeat(depth))
                            .getFirst()
                            .detail());
        }
    }

    private static String closing(String level) {
        return level.startsWith("[") ? "]" : level.startsWith("{") ? "}" : "";
    }

    @Test
    void rejectsExponentialAliases() {
        var bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 7; i++) {
            bomb.append("a%1$d: &a%1$d [%2$s]\n".formatted(i, ("*a" + (i - 1) + ", ").repeat(8)));
        }

        assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> assertTrue(
                        problems(bomb.toString()).getFirst().detail().contains("values"),
                        () -> problems(bomb.toString()).getFirst().toString()));
    }

    @Test
    void aFunctionThatCallsItselfIsRefused() {
        List<DefinitionProblem> problems = problems(HEAD + """
                use:
                  functions:
                    again: { call: again }
                do:
                  - a: { call: again }
                """);

        assertTrue(problems.getFirst().detail().contains("the function 'again' calls itself"), problems.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "adult: {expression: .age >= 18} ~ /do/0/a/with/rule ~ there is no rule 'adlut' in use.rules; did you mean 'adult'?",
                "adult: {expression: '.age >='} ~ /use/rules/adult/expression ~ is not valid jq",
                "adult: {message: no} ~ /use/rules/adult ~ 'adult' needs 'expression'",
                "adult: {expression: .x, mesage: no} ~ /use/rules/adult/mesage ~ did you mean 'message'?",
                "adult: {expression: .x, output: '${ . + }'} ~ /use/rules/adult/output ~ is not valid jq",
                "adult: {expression: .x, actions: []} ~ /use/rules/adult/actions ~ a rule has no actions",
                "adult: {conditions: []} ~ /use/rules/adult/conditions ~ write them as one 'expression'",
                "adult: {expression: .x, ruleId: grown} ~ /use/rules/adult/ruleId ~ 'ruleId' is the name of the rule, adult",
                "adult: {expression: .x, conditionLanguage: cel} ~ /use/rules/adult/conditionLanguage ~ is one of jq, not 'cel'",
            })
    @Tag("W6")
    void rejectsInvalidRules(String rule, String pointer, String expected) {
        // When
        List<DefinitionProblem> problems = problems(HEAD + """
                use:
                  rules:
                    %s
                do:
                  - a: { call: rule, with: { rule: adlut } }
                """.formatted(rule));

        // Then
        assertTrue(
                problems.stream()
                        .anyMatch(problem -> problem.pointer().equals(pointer)
                                && problem.detail().contains(expected)
                                && problem.line() > 5),
                problems.toString());
    }

    @Test
    @Tag("W6")
    void twoRulesOfOneNameAreRefused() {
        List<DefinitionProblem> problems = problems(HEAD + """
                use:
                  rules:
                    adult: { expression: .age >= 18 }
                    adult: { expression: .age >= 21 }
                do: [{ a: { set: {} } }]
                """);

        assertEquals(9, problems.getFirst().line(), problems.toString());
        assertTrue(problems.getFirst().detail().contains("'adult' is a duplicate key"), problems.toString());
    }

    @Test
    void warnsOfALoopWithoutAWait() {
        // When
        Workflow workflow = DefinitionReader.read(HEAD + """
                do:
                  - count:
                      set: { n: '${ .n + 1 }' }
                  - again:
                      switch:
                        - more: { when: .n < 10, then: count }
                """);

        // Then
        assertEquals("/do/1/again", workflow.warnings().getFirst().pointer());
        assertTrue(DefinitionReader.read(HEAD + """
                do:
                  - pause: { wait: PT1S, then: again }
                  - again: { set: {}, then: pause }
                """).warnings().isEmpty());
    }

    @Test
    void listsRequiredExecutorsAndTheSchedule() {
        // When
        Workflow workflow = DefinitionReader.read(HEAD + """
                schedule: { cron: '0 9 * * MON-FRI', timeZone: Europe/Berlin, misfire: skip }
                do:
                  - a: { call: http, with: { method: get, endpoint: 'http://host/' } }
                  - b: { run: { shell: { command: ls } } }
                  - c: { call: rule, with: { rule: fine } }
                use: { rules: { fine: { expression: 'true' } } }
                """);

        // Then
        assertEquals(List.of("call http", "run shell"), List.copyOf(workflow.needs()));
        assertEquals(
                "Europe/Berlin",
                Objects.requireNonNull(workflow.schedule()).zone().getId());
    }

    private static Optional<String> refusal(String feature) {
        return CallExecutors.refusal(feature, PowerGrants.NONE, CatalogueScope.INSTALLATION);
    }

    @Test
    @Tag("W29")
    @Tag("W30")
    void rejectsAProtoFromAFile() {
        // Given
        String definition = HEAD + """
                do:
                  - greet:
                      call: grpc
                      with:
                        proto: { endpoint: 'file://greetings/hello.proto' }
                        service: { name: greetings.Hello, host: localhost, port: '${ .port }' }
                        method: Say
                """;

        // When
        List<DefinitionProblem> problems = assertThrows(
                        InvalidDefinitionException.class,
                        () -> DefinitionReader.read(definition, DefinitionReaderTest::refusal))
                .problems();

        // Then
        assertEquals(
                "line 10, column 18: 'read file' is not supported on this server: a .proto file is fetched by http or https"
                        + " only (/do/0/greet/with/proto/endpoint)",
                problems.getFirst().toString());
        assertEquals(
                List.of("call grpc", "read file"),
                List.copyOf(DefinitionReader.read(definition).needs()));
        assertEquals(
                List.of("call grpc"),
                List.copyOf(DefinitionReader.read(definition.replace("file:", "https:"), DefinitionReaderTest::refusal)
                        .needs()));
    }

    @Test
    void authenticationsAreUsedByTheirNames() {
        // When
        Workflow workflow = DefinitionReader.read(HEAD + """
                use: { authentications: { ours: { bearer: { token: env:TOKEN } } } }
                do:
                  - greet:
                      call: grpc
                      with:
                        proto: { endpoint: { uri: 'https://host/hello.proto', authentication: { use: ours } } }
                        service: { name: greetings.Hello, host: host, authentication: { use: ours } }
                        method: Say
                  - publish:
                      call: asyncapi
                      with:
                        document: { endpoint: { uri: 'https://host/doc', authentication: { use: ours } } }
                        channel: orders
                        message: { payload: 1 }
                        authentication: ours
                """);

        // Then
        var call = (TaskKind.Call) workflow.body().tasks().getFirst().kind();
        Json with = ((Template.Fixed) call.with()).value();
        Json ours = JsonText.read("{\"bearer\":{\"token\":\"env:TOKEN\"}}");
        assertEquals(ours, with.get("proto").get("endpoint").get("authentication"));
        assertEquals(ours, with.get("service").get("authentication"));
        assertEquals("host", with.get("service").get("host").display());

        var publish = (TaskKind.Call) workflow.body().tasks().getLast().kind();
        Json message = ((Template.Fixed) publish.with()).value();
        assertEquals(ours, message.get("document").get("endpoint").get("authentication"));
        assertEquals(ours, message.get("authentication"));
    }

    @Test
    void acceptsAnAuthenticationByItsNameAlone() {
        // When
        Workflow workflow = DefinitionReader.read(HEAD + """
                use:
                  authentications: { ours: { bearer: { token: env:TOKEN } } }
                  mcpSessions: { tools: { server: { endpoint: { uri: 'https://host/mcp', authentication: ours } } } }
                do:
                  - fetch: { call: http, with: { method: get, endpoint: { uri: 'https://host', authentication: ours } } }
                  - use: { call: mcp, with: { session: tools, tool: echo, arguments: {} } }
                """);

        // Then
        List<Json> calls = workflow.body().tasks().stream()
                .map(task -> ((Template.Fixed) ((TaskKind.Call) task.kind()).with()).value())
                .toList();
        Json ours = JsonText.read("{\"bearer\":{\"token\":\"env:TOKEN\"}}");
        assertEquals(ours, calls.getFirst().get("endpoint").get("authentication"));
        assertEquals(
                ours,
                calls.getLast().get("transport").get("http").get("endpoint").get("authentication"));
    }

    @Test
    void reportsAllProblemsAtOnce() {
        List<DefinitionProblem> problems = problems(HEAD + """
                do:
                  - a: { set: '${ .x + }' }
                  - b: { wait: soon }
                  - c: { set: {}, then: nowhere }
                """);

        assertEquals(
                List.of(7, 8, 9), problems.stream().map(DefinitionProblem::line).toList());
    }
}

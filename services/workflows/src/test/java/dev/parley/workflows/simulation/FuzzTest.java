package dev.parley.workflows.simulation;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.definition.InvalidDefinitionException;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.diagram.Mermaid;
import dev.parley.workflows.engine.ProcessEffect;
import dev.parley.workflows.engine.ProcessMachine;
import dev.parley.workflows.engine.WorkflowError;
import dev.parley.workflows.jq.Jq;
import dev.parley.workflows.jq.JqException;
import dev.parley.workflows.jq.JqLimitException;
import dev.parley.workflows.jq.JqSyntaxException;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Randomly damaged definitions and expressions are rejected or run to an end; no other exception occurs. */
class FuzzTest {
    private static final String EVERYTHING = """
            document:
              dsl: '1.0.3'
              namespace: test
              name: everything
              version: '1.0.0'
            input:
              schema:
                document: { type: object }
            use:
              errors:
                lost: { type: 'https://x/lost', status: 404, title: '${ "Lost " + .id }' }
              retries:
                often: { delay: PT1S, backoff: { exponential: {} }, limit: { attempt: { count: 2 } } }
              timeouts:
                brief: { after: PT10S }
              rules:
                there: { expression: '. != null', message: '${ "\\(.) is nothing" }', output: { is: '${ . }' } }
              functions:
                double: { set: { n: '${ .n * 2 }' } }
              extensions:
                - log: { extend: set, before: [{ say: { wait: PT1S } }] }
            timeout: { after: P1D }
            do:
              - load:
                  if: .id != null
                  try:
                    - get:
                        call: http
                        with: { method: get, endpoint: { uri: 'http://host/{id}' }, query: { x: '${ .id }' } }
                        timeout: brief
                        output: { as: .body }
                  catch:
                    errors: { with: { status: 503 } }
                    as: problem
                    when: $problem.status == 503
                    retry: often
                    do:
                      - note: { set: { error: '${ $problem.title }' }, export: { as: '$context + .' } }
              - route:
                  switch:
                    - one: { when: .id == 1, then: loop }
                    - other: { then: sides }
              - loop:
                  for: { each: item, in: '.items // [1, 2]', at: i }
                  while: $i < 5
                  do:
                    - twice: { call: double, with: { n: '${ $item }' } }
              - sides:
                  fork:
                    compete: false
                    branches:
                      - ask: { ask: { prompt: 'Well?', options: [{ value: A }, { value: B }], timeout: { after: PT1M } } }
                      - tell: { emit: { event: { with: { source: 'https://x', type: x.y, data: '${ . }' } } } }
              - hear:
                  listen:
                    to: { any: [{ with: { type: x.y }, correlate: { id: { from: .data.id } } }], until: length > 1 }
                  foreach: { item: event, do: [{ keep: { set: { e: '${ $event }' } } }] }
              - check: { assert: { value: '${ length }', exists: true, rule: { name: there, input: '${ . }' } } }
              - judge: { call: rule, with: { rule: there, input: { x: 1 } }, output: { as: .passed } }
              - child: { run: { workflow: { namespace: test, name: other, version: '1.0.0', input: { a: 1 } } } }
              - nap: { wait: { seconds: 1 } }
              - fail: { if: 'false', raise: { error: lost } }
            output: { as: '{ all: . }' }
            """;

    private static final List<String> VALUES = List.of(
            "null",
            "1",
            "[]",
            "{}",
            "true",
            "x",
            "'${ . }'",
            "'${ .a + }'",
            "'${ $nope }'",
            "PT1S",
            "[[[]]]",
            "-1",
            "'{a}'",
            "1e999",
            "&a [*a]",
            "!!int x",
            "\"\\u0000\"",
            "end",
            "exit",
            "load");

    private static final Simulation.World WORLD = new Simulation.World() {
        @Override
        public Optional<Simulation.Answer> call(ProcessEffect.Call call) {
            boolean fails = call.order() % 3 == 0;
            return Optional.of(new Simulation.Answer(
                    JsonText.read("{\"body\":{\"id\":1,\"items\":[1]}}"),
                    fails ? WorkflowError.Standard.COMMUNICATION.error(503, "down", "") : null));
        }

        @Override
        public Optional<Json> ask(ProcessEffect.Ask ask) {
            return Optional.of(Json.of("value", Json.of("A")));
        }

        @Override
        public List<Json> listen(ProcessEffect.Listen listen) {
            Json event = JsonText.read("{\"type\":\"x.y\",\"data\":{\"id\":1}}");
            return List.of(event, event);
        }
    };

    @Test
    void originalDefinitionRuns() {
        assertTrue(run(EVERYTHING));
    }

    @Test
    @Tag("W6")
    void damagedDefinitionsAreRejectedOrRun() {
        int runs = 0;
        int refused = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            String broken = damaged(new Random(seed));
            try {
                if (run(broken)) {
                    runs++;
                } else {
                    refused++;
                }
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed + "\n" + broken, e);
            }
        }
        assertTrue(runs > 20 && refused > 100, runs + " ran, " + refused + " were refused");
    }

    /** @return whether it could run */
    private static boolean run(String yaml) {
        Workflow workflow;
        try {
            workflow = DefinitionReader.read(yaml);
        } catch (InvalidDefinitionException e) {
            assertTrue(
                    e.problems().stream().noneMatch(problem -> problem.detail().isBlank()));
            return false;
        }
        try {
            Simulation.Result result =
                    Simulation.run(workflow, JsonText.read("{\"id\":1,\"n\":2}"), WORLD, Instant.EPOCH);
            assertTrue(result.state().phase().isFinal() || !result.next().isBlank());
        } catch (ProcessMachine.InvalidInputException e) {
            // counts as rejected
        }
        return Mermaid.of(workflow).startsWith("flowchart");
    }

    private static String damaged(Random random) {
        var lines = new ArrayList<>(EVERYTHING.lines().toList());
        int times = 1 + random.nextInt(2);
        for (int i = 0; i < times; i++) {
            int index = random.nextInt(lines.size());
            String line = lines.get(index);
            switch (random.nextInt(6)) {
                case 0 -> lines.remove(index);
                case 1 -> lines.add(random.nextInt(lines.size()), line);
                case 2 ->
                    lines.set(
                            index,
                            line.replaceFirst(
                                    ":.*", Matcher.quoteReplacement(": " + VALUES.get(random.nextInt(VALUES.size())))));
                case 3 -> lines.set(index, "  " + line);
                case 4 -> lines.set(index, letters(line, random));
                default -> {
                    int end = line.isEmpty() ? 0 : random.nextInt(line.length());
                    lines.set(index, line.substring(0, end));
                }
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private static String letters(String line, Random random) {
        if (line.isBlank()) {
            return line;
        }
        var changed = new StringBuilder(line);
        changed.setCharAt(random.nextInt(line.length()), "abz0{}[]:'\"$.#&*! ".charAt(random.nextInt(18)));
        return changed.toString();
    }

    @Test
    @Tag("W31")
    void randomExpressionsAreRejectedOrEnd() {
        String pieces =
                ". .a .[0] .[] | , + - * / // ( ) [ ] { } \"x\" 1 2.5 map(.) select(.) reduce foreach as $x ; if then else end def f: f"
                        + " and or not == < ? try catch range(3) range(99999) .. |= += = length keys add recurse limit(2; .) first(.) until(.;.) @base64 \"\\(.)\" : $x";
        String[] tokens = pieces.split(" ");
        int read = 0;
        int failed = 0;
        int stopped = 0;
        for (int seed = 0; seed < 20_000; seed++) {
            var random = new Random(seed);
            var text = new StringBuilder();
            int length = 1 + random.nextInt(8);
            for (int i = 0; i < length; i++) {
                text.append(tokens[random.nextInt(tokens.length)]).append(' ');
            }
            try {
                Jq jq = Jq.compile(text.toString(), Set.of("x"));
                read++;
                jq.evaluate(
                        JsonText.read("{\"a\":[1,{\"b\":null}]}"),
                        Map.of("x", Json.of(1)),
                        new Jq.Limits(20_000, 50_000, 200));
            } catch (JqSyntaxException e) {
                assertTrue(e.at() >= 0 && e.at() <= text.length(), e.at() + " in " + text);
                assertFalse(e.getMessage().isBlank(), text::toString);
            } catch (JqException e) {
                failed++;
                assertFalse(e.getMessage().isBlank(), text::toString);
            } catch (JqLimitException e) {
                stopped++;
                assertFalse(e.getMessage().isBlank(), text::toString);
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed + ": " + text, e);
            }
        }
        assertTrue(read > 1_000, read + " could be read");
        assertTrue(failed > 100, failed + " failed");
        assertTrue(stopped > 0, stopped + " were stopped at a limit");
    }
}
